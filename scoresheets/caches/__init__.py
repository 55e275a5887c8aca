"""The base of every cache: the class of caches in memory, and the generation of the database.

Stands on the models. Begin with `versioned_cache`.

A restored backup counts versions again from an earlier number. So whatever remembers a sheet by its version (a cache,
`?v=`, a phone) must remember its generation too: use `Sheet.edition`.

Each cache must be worth its place. Milliseconds of processor with it and without it, all others on (medians, one slow
core, November 2026; they differ by a fifth from run to run):

- readings of sheets (`scoresheets.log.cache`): a night of 20 tables after a bid, 17 and 66
- rows of a sheet (`scoresheets.sheet.row_cache`): the sheet of ten players after ten hands, 13 and 20
- fragments of the watch page (`scoresheets.views.public.watch`): rows that another watcher has had, 0.6 and 10
- people of a table on the pages of a night: 20 tables after a bid, 17 and 40
- tables of a play-off: 198 people after a bid, 32 and 48; its groups as they were rendered, 32 and 43; the whole page
  that another reader has had, 15 and 34
"""
