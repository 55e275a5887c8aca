"""What every page stands on: middleware, error pages, backups, closing the site, static files, the secret key.

Stands on access. Begin with `middleware`.
"""
