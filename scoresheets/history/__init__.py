"""The history of a sheet, read aloud, and the way back to before any line of it.

Stands on corrections and wording. Begin with `timeline`.
"""
