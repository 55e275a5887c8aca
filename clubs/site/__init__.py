"""The base of every page: middleware, error pages, backups, maintenance, databases, static files, the key.

Stands on access. Begin with `middleware`.

The journal names pages and never addresses, and logs an error by type and lines, not by message: the address of a sheet
is its key, and a database quotes the row that failed. Database errors that pass are told apart from bugs
(`database_errors`): the answer is 503, and the post can be sent again under its key. Nobody waits longer than five
seconds for a lock, which is less than a phone waits for an answer. Django's cache is a table (`clubs.models.CacheRow`),
because limits must hold for all workers. Imports between scripts get hashed names too (`storage`).
"""
