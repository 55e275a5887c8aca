"""Clubs: founding, settings, codes for organisers, and uploaded files that wait for confirmation.

Stands on members. Begin with `settings`.

Whether a sheet is for members only is a copy of the club's visibility, kept by `Table.save` and `settings`. So tables
are saved one by one, not updated in bulk.
"""
