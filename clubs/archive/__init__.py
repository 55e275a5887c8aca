"""A whole club in one file: which rows and fields are in it, how it is written, read and checked.

Stands on members and on the log files of sheets. Begin with `schema`; `export` writes, `parse` reads. What a file would
change here is in `clubs.archive_import`.
"""
