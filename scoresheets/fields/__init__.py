"""The fields of a hand, laid out: as columns of a grid, and as counts and questions of a form.

Stands on the log. Begin with `layout`.
"""
