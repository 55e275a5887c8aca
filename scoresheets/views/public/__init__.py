"""The pages of a sheet that anybody with a link to it may read, and those that need no sheet.

`/sw.js` is a view over `static/js/sw.js`. Its caches are named after the hashed script of the pad, and the outbox never
depends on it.
"""
