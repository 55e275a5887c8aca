"""The history of a sheet, read aloud, and the way back to before any line of it.

Stands on corrections and wording. Begin with `timeline`.

A restore is a write: it withdraws what was added since and brings back what was withdrawn since. Entries that had no
place on the sheet before have none after it either.
"""
