"""The history of a sheet in sentences, and restoring the sheet as it was before any of its revisions.

Stands on corrections and wording. Begin with `timeline`.

A restore is a revision: it withdraws what was added since and brings back what was withdrawn since. Entries that had no
place on the sheet before have none after it either.
"""
