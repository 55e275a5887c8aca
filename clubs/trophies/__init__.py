"""Trophies and their holders: decisions of a night or a play-off, proposals, awards, handing over.

Stands on standings and play-offs. Begin with `register` and `decide`.

Awards and disputes are no copies: rows are added, confirmed or set aside. A waiting award follows the sheet; if the
sheet no longer fits a confirmed one, a question is asked. No confirmed trophy moves by itself.
"""
