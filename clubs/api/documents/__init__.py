"""What the answers say: a club and its members, nights, sheets, play-offs, standings, trophies and records."""
