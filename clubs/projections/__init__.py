"""What a club keeps of its sheets: placings, standings, honours and trophies, counted after a change.

A sheet's entries are the truth. `clubs.queue` says what has changed; `worker` counts it in the site's own process,
`update` in one short transaction, `standings` in pieces. `rebuild` makes everything again and names the differences.
Begin with `update`.
"""
