"""Putting right what was written: a row, the set-up, two seats, entries that fit no more, two phones that differ.

Stands on commands, fields and results. Every correction is previewed by `results.impact`. Begin with `correct`.
"""
