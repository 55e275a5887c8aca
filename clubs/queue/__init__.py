"""What waits to be counted: one row a change, written in the transaction that makes it.

Stands on the models. `results_changed` is called by whoever changes results; `clubs.projections` does the rest.

Whatever changes results (a sheet, the day of a night, "for fun", archive, a merge, a ruling of a play-off) calls
`results_changed` in the same transaction and reads no result in it. What must be right at once is read from the sheets:
who goes on, which tables still play (`Table.objects.playing`).
"""
