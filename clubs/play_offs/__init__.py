"""A play-off of many tables, from the sentence that proposes it to the trophies handed over (Rule 14)."""
