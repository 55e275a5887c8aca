"""Club files: which rows and fields are in a file, writing, parsing and validating it.

Stands on members and on the log files of sheets. Begin with `schema`; `export` writes, `parse` reads, and
`json_schema` describes files for others. The changes that a file would make here are in `clubs.archive_import`.

A model declares which of its fields are in the file; what is left out is listed with its reason in `schema`, for sheets
in `scoresheets.files.log_export`. No file gives a right: accounts, links, keys and codes are not in it. A process of
its own makes the file: a thread would take the interpreter from those who play.
"""
