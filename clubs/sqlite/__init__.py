"""A SQLite backend for Django in which writers queue (see `base`).

Transactions begin IMMEDIATE and wait for a lock on a file beside the database. With six processes writing at once, the
longest wait fell from half a second to a twentieth. There is no `ATOMIC_REQUESTS`: every page view would wait in line
with the writers.
"""
