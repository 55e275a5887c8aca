"""Erasing a member or an account for good: the results stay, and nothing says whose they were.

Stands on members and on the archive, which knows every row. Begin with `member`.

Rows are written again, and there is no way back; hiding a name only covers it. Free text is searched for the names, and
an older club file is searched before it is compared. A new place for names needs a row in `member`; a test looks
through every column.
"""
