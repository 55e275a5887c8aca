"""The engine: it reads the entries of a sheet by the rules of a game.

It stands on ``Game`` and the play-offs, and is pure: the same entries always make the same sheet. Begin with
:func:`rules.core.engine.replay.read`, which folds entries into a ``Sheet``; ``problems`` there checks an entry before
it is written, ``settle`` gives the outcome of a table, ``chances`` the players who can still win or lose,
``needs`` what each needs near the end.
"""
