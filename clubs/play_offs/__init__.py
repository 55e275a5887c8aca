"""The state of a play-off of many tables (Rule 14): the plan, each table, who goes on, both finals.

Nothing of it is stored: it is read from the sheets each time. Stands on nights. Begin with `state`.

A stage stores only for whom it was drawn. A `Ruling` is the reason for an entry on a sheet, or the answer to a
question.
"""
