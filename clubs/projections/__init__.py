"""What a club keeps of its sheets: placings, standings, honours and trophies, counted after a change.

A sheet's entries are the truth. `clubs.queue` says what has changed; `worker` counts it in the site's own process,
`update` in one short transaction, `standings` in pieces. `rebuild` makes everything again and names the differences.
Begin with `update`.

All copies follow from the sheets and can be made again at any time. Awards, disputes, calls, merges and the audit log
are no copies. Nothing that has results is deleted.
"""
