"""What every cache of the site stands on: the class of caches in memory, and the generation of the database.

Stands on the models. Begin with `versioned_cache`.

A restored backup counts versions again from an earlier number. So whatever remembers a sheet by its version (a cache,
`?v=`, a phone) must remember its generation too: use `Sheet.edition`.
"""
