"""SQLite as Django knows it, but writers stand in line (see `base`)."""
