"""Pages of a club itself: front page, settings, opening it, its file, past results."""
