"""Who may write on a sheet and who may only watch it: scorekeepers, share links, networks, throttles.

Stands on the log. Begin with `scorekeepers`.
"""
