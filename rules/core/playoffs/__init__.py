"""Play-offs (Rule 14): the plan, the cut of a group, and the winners of the trophies.

It stands on the values of :mod:`rules.core` and on ``Game``. Begin with ``cut``, which is arithmetic about numbers of
people; ``plan`` proposes and checks groups and hands; ``group_end`` settles ties across a line, with the organiser's
ruling where the game has nothing of its own, and is what a game such as Dirty Dog extends.
"""
