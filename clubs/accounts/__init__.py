"""Accounts: signing in, and the browsers that are signed in.

Stands on access, on members and on django-allauth. Begin with `adapter`.

A session knows its account (`sessions` replaces Django's table), so an account can be signed out everywhere. Its use
is written once a day; it ends 60 days after that, and `clubs.server.daily_jobs` deletes it. A passkey or password is
another way to sign in, never a second step: the stages of allauth.mfa are left out.
"""
