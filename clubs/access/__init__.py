"""Access to a club: visitors, roles, permissions, known clubs, outdated pages, and the audit log.

Stands on the models. Begin with `visit`: every view of a club begins with `visit.enter`. Every address has a row in
`tests/clubs/access/who_may.txt`. What a form was made of may be gone when it comes back: `outdated`.
"""
