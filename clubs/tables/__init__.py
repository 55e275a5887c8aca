"""Tables of a night: drafting, opening, drawing seats, the control page, packing, and printed codes.

Stands on nights, trophies and play-offs. Begin with `draft` and `open`.

Drawn tables are in `Night.drawn` until they are opened. They are no rows, so that nothing counts a table that is not
played. A post carries the mark of what it saw (409 if that has changed).
"""
