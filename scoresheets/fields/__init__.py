"""Form fields of a hand: columns of a grid, and lines of counts and questions.

Stands on the log. Begin with `layout`.
"""
