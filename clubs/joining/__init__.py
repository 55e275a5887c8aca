"""Joining a club: invitations, join requests, claims, and names that were typed at a table.

Stands on members. Begin with `join_requests`; for typed names with `newcomers` and `match`.

A sheet asks by signal whose name was typed, and announces a change of the seating (`scoresheets.log.identity`). The
club asks "Is it Rosa?", makes a guest, or lets the name wait. A name waits until its player has a `PlayerAlias`; one
without a member means a person the club does not keep. Invitations are made from the secret of the site and the `uid`
of the row: they can be shown again, and the database has only hashes.
"""
