"""A club itself: founding, settings, codes for organisers, uploaded files that wait.

Stands on members. Begin with `settings`.
"""
