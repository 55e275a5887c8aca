"""Standings of seasons: scoring schemes, computing, storing, locking and explaining them.

Stands on members. Begin with `compute` and `schemes`.

Rows of a locked season are what was locked, not copies. `Season.differs` says that the sheets give other results now.
"""
