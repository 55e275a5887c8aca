"""Bringing a club's file in: what it would change here, in words, where it conflicts, and doing it.

Stands on `clubs.archive`. Begin with `diff`, then `apply`.
"""
