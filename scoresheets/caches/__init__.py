"""The two things that every cache of the site needs: a bound by size, and the generation of the database.

Stands on the models. Begin with `sized_cache`.

A restored backup counts versions again from an earlier number. So whatever remembers a sheet by its version (a cache,
`?v=`, a phone) must remember its generation too: use `Sheet.edition`.
"""
