"""The running sheet as readers see it: its table, its open hand, its notes, and several sheets at a glance.

Stands on the log, wording and results. Begin with `table`.
"""
