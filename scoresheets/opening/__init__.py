"""Opening a sheet: the form, length, house rules, candidates, and deleting blank sheets.

Stands on the log, wording and access. Begin with `open_sheet`.

Parts of the form that belong to a game have `data-of`: the script replaces them only if another game is chosen. A
player who has no seat in the chosen game is a warning, not an error, so that names survive a change of game.
"""
