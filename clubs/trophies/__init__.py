"""Trophies and their holders: what a night or a play-off decides, proposals, awards, handing over.

Stands on standings and play-offs. Begin with `register` and `decide`.
"""
