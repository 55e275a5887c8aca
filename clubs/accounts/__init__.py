"""Signing in, and the browsers on which somebody is signed in.

Stands on access, on members and on django-allauth. Begin with `adapter`.
"""
