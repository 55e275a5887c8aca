"""What waits to be counted: one row a change, written in the transaction that makes it.

Stands on the models. `results_changed` is called by whoever changes results; `clubs.projections` does the rest.
"""
