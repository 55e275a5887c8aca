"""Files of a sheet: the sheet file, the log file, a spreadsheet, an image.

Stands on opening and results. Begin with `sheet_file`.

Every sheet file can say that a game ended early (`stopped_after`). A misdeal is in it only if the game's own format has
a place for it.
"""
