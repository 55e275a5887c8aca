"""How people come into a club: invitations, requests to join, claims, names that were typed at a table.

Stands on members. Begin with `join_requests`; for typed names with `newcomers` and `match`.
"""
