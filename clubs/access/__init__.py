"""Who somebody is in a club, what they may do there, and what the club writes down about it.

Stands on the models. Begin with `visit`: every view of a club begins with it.

Every view of a club begins with `visit.enter`. Every address has a row in `tests/clubs/access/who_may.txt`.
"""
