"""The queue of pending updates: one row for each change, written in the same transaction.

Stands on the models; `clubs.projections` does the rest. Begin with `sources`: every row that results follow from
announces its change, saved alone or in bulk. A published sheet does so by its signal, an imported club file as a whole.
So no caller has to ask for an update.

Until an update is done, copies are old. What must be right at once is read from the sheets: who goes on, which tables
still play (`Table.objects.playing`).
"""
