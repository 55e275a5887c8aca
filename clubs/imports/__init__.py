"""Results and trophy holders from before this site, out of a spreadsheet.

Stands on records, standings and trophies. Begin with `spreadsheet`, which believes nothing of a file; `results` and
`holders` read it, `plan` says what is written, `writing` writes it in short pieces.
"""
