"""Erasing a member or an account for good. The results stay, without the name.

Stands on members and on the archive, which knows every row. Begin with `member`.

Rows are changed, and it cannot be undone; hiding a name only covers it. Free text is searched for the names, and an
older club file is searched before it is compared. A new place for names needs a row in `member`; a test looks through
every column.
"""
