"""What waits to be counted: one row a change, written in the transaction that makes it.

Stands on the models; `clubs.projections` does the rest. Begin with `sources`: whatever results follow from announces
itself, saved alone or many at once. A published sheet does by its signal, the file of a club as a whole. So nobody who
writes such a row has to ask for it to be counted.

Until it is counted, copies are old. What must be right at once is read from the sheets: who goes on, which tables
still play (`Table.objects.playing`).
"""
