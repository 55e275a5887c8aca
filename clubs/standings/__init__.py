"""Standings of seasons: by what they count, how they are computed, kept, locked and explained.

Stands on members. Begin with `compute` and `schemes`.

Rows of a locked season are what was locked, not copies. `Season.differs` says that the sheets give other results now.
"""
