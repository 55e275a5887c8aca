"""Access to a sheet: scorekeepers, share links, watchers, limits by network.

Stands on the log. Begin with `scorekeepers`.

The right to write is a cookie of its own (`pencil`), not a session: watchers and scorekeepers create no session rows,
and a post saves a query. The site stores only a hash. The active scorekeeper is the one who took over last (a revision
`pencil`) and was not revoked. Revoking takes the lock of the sheet, and every command checks it under that lock.
Renaming a scorekeeper is a revision (`call`), so that every page and process sees it.

Limits by address count the network (IPv6 by /64), after `clubs.site.proxies` has found the client. Only wrong addresses
are counted: raise `NoSuchSheet`, not `Http404`.
"""
