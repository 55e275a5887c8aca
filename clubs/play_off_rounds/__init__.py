"""Actions of an organiser in a play-off: open and draw rounds, rule on ties, answer corrections, call it off.

Stands on play-offs, tables and trophies. Begin with `stages`.
"""
