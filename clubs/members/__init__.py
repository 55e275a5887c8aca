"""The people of a club: who players are, roles, privacy, merging two records, what is held about somebody.

Stands on access. Begin with `people`, and with `identity` for who a player is.
"""
