"""The types, engine, play-offs and files that all games share. To write a game, begin here.

A game is a subclass of :class:`rules.core.game.Game` in a module or package beside ``core``. It knows seats, which are
numbers, and no names, clock, dice or database; it answers questions and keeps nothing. This is a whole one:

>>> from rules.core.fields import Ask, Count
>>> from rules.core.formats import FixedHands
>>> from rules.core.game import Game
>>> from rules.core.table import Result
>>> class Nine(Game):
...     slug, name, blurb = "nine", "Nine", "Nine tricks; a trick is a point"
...     players = made_for = range(2, 4)
...     def format(self, table):
...         return FixedHands(1)
...     def asks(self, table, hand):
...         yield Ask("tricks", tuple(Count(f"tricks-{seat}", 0, 9, seat=seat) for seat in hand.order))
...     def result(self, table, hand):
...         return Result({seat: hand.steps["tricks"][f"tricks-{seat}"] for seat in table.seats})
...     def why(self, table, hand, seat):
...         return "a point for each trick"

The engine asks it what is written down next and what a whole hand is worth. What has been written down, the entries, is
a mapping from an address (number of the hand, name of the ask) to a step (name of the field, value):

>>> from rules.core.engine.replay import read
>>> game = Nine()
>>> sheet = read(game, game.open_table((1, 2), first_dealer=1), {(1, "tricks"): {"tricks-1": 3, "tricks-2": 6}})
>>> sheet.totals, sheet.winner, sheet.finished
({1: 3, 2: 6}, 2, True)

The modules, each standing only on those before it:

* values: ``problems``, ``numbers``, ``cards``, ``placings``, ``fields`` (what is asked), ``formats`` (how long a game
  lasts), ``stakes`` (what is played for), ``table`` (table, hand, row, result), ``options`` (what a club may choose),
  ``texts`` (what a game says of itself), ``outcome`` (how it ends) and ``leading``;
* ``game``: everything that a game must say, and may say;
* :mod:`rules.core.playoffs`: who goes on from a group, and what a play-off is planned as;
* :mod:`rules.core.engine`: reading a sheet;
* :mod:`rules.core.files`: sheets and play-offs as JSON.

The core stands on the standard library alone. Then read ``game``, and ``rules/dirty_deals`` as an example; how the page
of a game is made is said in CONTRIBUTING.
"""
