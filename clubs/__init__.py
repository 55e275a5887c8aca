"""The league, the members and the site itself: the outermost of the three packages."""

#: The only place of the version; `pyproject.toml` takes it from here.
__version__ = "1.2.4"
