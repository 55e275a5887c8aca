"""Projections: copies of the results of sheets (placings, standings, honours, trophies), updated after a change.

The entries of a sheet are the source. `clubs.queue` lists the changes; `worker` computes them in the site's own
process, `update` in one short transaction, `standings` in pieces. `rebuild` makes all copies again and reports the
differences. Begin with `update`.

All copies follow from the sheets and can be made again at any time. Awards, disputes, calls, merges and the audit log
are no copies. Nothing that has results is deleted.
"""
