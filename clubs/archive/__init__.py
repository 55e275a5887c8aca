"""A whole club in one file: which rows and fields are in it, how it is written, read and checked.

Stands on members and on the log files of sheets. Begin with `schema`; `export` writes, `parse` reads. What a file would
change here is in `clubs.archive_import`.

A model says which of its fields are in the file; what is left out is listed with its reason in `schema`, for sheets in
`scoresheets.files.log_export`. No file gives a right: accounts, links, keys and codes are not in it. A process of its
own makes the file: a thread would take the interpreter from those who play.
"""
