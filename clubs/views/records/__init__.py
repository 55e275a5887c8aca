"""Pages of standings, seasons, trophies, records and profiles."""
