"""What waits to be counted: one row a change, written in the transaction that makes it.

Stands on the models; `clubs.projections` does the rest. Begin with `changes.results_changed`. Receivers call it when a
sheet is published and when a night, play-off, ruling or season is saved. The functions that match names, merge records,
move tables, draw stages anew and write results of the past call it themselves.

Until it is counted, copies are old. What must be right at once is read from the sheets: who goes on, which tables
still play (`Table.objects.playing`).
"""
