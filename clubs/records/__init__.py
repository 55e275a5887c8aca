"""Records, statistics, honours and profiles of members, and the copies of each table for them.

Stands on standings and trophies. Begin with `profile`, for the table's copies with `table_copies`.

A call-out that goes on over several hands is declared with `lasting=True`, and is counted where it begins.
"""
