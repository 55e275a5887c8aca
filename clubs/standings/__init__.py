"""Standings of seasons: by what they count, how they are computed, kept, locked and explained.

Stands on members. Begin with `compute` and `schemes`.
"""
