"""What every page stands on: middleware, error pages, backups, closing the site, static files, the secret key.

Stands on access. Begin with `middleware`.

The journal names pages and never addresses, and logs an error by type and lines, not by message: the address of a sheet
is its key, and a database quotes the row that failed. Passing trouble of the database is told from our own faults
(`database_errors`): the answer is 503, and the post can be sent again under its key. Nobody waits longer than five
seconds for a lock, which is less than a phone waits for an answer. Django's cache is a table (`clubs.models.Scrap`),
because limits must hold for all workers. Imports between scripts get hashed names too (`storage`).
"""
