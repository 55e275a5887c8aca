"""Players who join, leave, take a seat over or change seats while a game runs.

Stands on opening and commands. Begin with `change`.

A player who joins or leaves after the hand that is being played is noted at the next hand. The rules read the note once
the hand is scored.
"""
