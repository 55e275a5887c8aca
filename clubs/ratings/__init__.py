"""Ratings: how strong members play a game, from the places at all tables that count, in the order they ended.

Stands on members. Begin with `skill`, then `games`; `store` keeps one row for each member and table.

A play-off is one game. What is stored is rounded, and computing goes on from the rounded numbers, so that the rows from
any day on can be made again from those before it, and are the same as if all had been made again.
"""
