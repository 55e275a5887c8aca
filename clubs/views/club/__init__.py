"""Pages of a club itself: front page, settings, coming in, its file, past results."""
