"""Pages of members: the list, settings, merging, erasing, joining, one's own page."""
