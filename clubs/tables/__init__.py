"""The tables of a night: drafting, opening, drawing seats, the control page, what is packed and printed.

Stands on nights, trophies and play-offs. Begin with `draft` and `open`.
"""
