"""Opening a sheet: the form, how long to play, house rules, who can be picked, and the sheets nobody wrote on.

Stands on the log, wording and access. Begin with `open_sheet`.
"""
