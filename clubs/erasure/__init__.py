"""Erasing a member or an account for good: the results stay, and nothing says whose they were.

Stands on members and on the archive, which knows every row. Begin with `member`.
"""
