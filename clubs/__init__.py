"""The league, the members and the site itself: the outermost of the three packages."""

__version__ = "0.1.0"
