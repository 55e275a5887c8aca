"""Who joins, leaves, takes a seat over or changes seats while a game runs.

Stands on opening and commands. Begin with `change`.

Whoever joins or leaves after the hand that is being played is noted at the hand after it. The rules read the note once
the hand is scored.
"""
