"""The engine: what a game and everything that was written down come to.

It stands on ``Game`` and the play-offs, and is pure: the same entries always make the same sheet. Begin with
:func:`rules.core.engine.replay.read`, which folds entries into a ``Sheet``; ``problems`` there checks an entry before
it is written, ``settle`` says how a table ends. ``chances`` tells who can still win or lose.
"""
