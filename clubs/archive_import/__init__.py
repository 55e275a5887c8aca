"""The import of a club file: its changes, in words, its conflicts, and applying it.

Stands on `clubs.archive`. Begin with `diff`, then `apply`.
"""
