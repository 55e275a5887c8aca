"""The programs of PostgreSQL itself, which dump the database into a file and restore it (see `programs`).

Django has no part in that: `pg_dump` reads one moment of the whole database while the site goes on, and `psql` puts a
dump back in one transaction.
"""
