"""Pages of a sheet for everybody with a link to it, and pages that need no sheet.

`/sw.js` is a view over `static/js/sw.js`. Its caches are named after the hashed script of the pad, and the outbox never
depends on it.
"""
