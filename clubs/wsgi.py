"""The site as a standard WSGI application. `make run` serves it through `clubs.server.rsgi`.

Another server must read bodies before it calls the site, and must leave out headers with underscores in their names.
"""

from clubs.server.loaded import application, start_threads

start_threads()

__all__ = ["application"]
