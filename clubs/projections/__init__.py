"""What a club keeps of its sheets: copies, counted after the change and not in it.

A sheet's entries are the truth. Placings, bests, honours, standings and proposals for trophies follow from them, and
can be made again at any time.

* `queue`: `results_changed`, the one thing to call when results change. It writes a row and nothing more.
* `update`: what follows from such rows, by changed rows only, in one transaction; of standings only what has changed.
* `standings`: the standings, made once for all of that, and written in pieces.
* `worker`: who does it: a thread of the site's own process, right after the change.

Begin reading at `queue`. Stands on `clubs.models`, `clubs.standings.store`, `clubs.records.honours`,
`clubs.trophies.decide` and
`clubs.play_offs`.
"""
