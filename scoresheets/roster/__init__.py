"""Who joins, leaves, takes a seat over or changes seats while a game runs.

Stands on opening and commands. Begin with `change`.
"""
