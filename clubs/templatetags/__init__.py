"""Template tags of a club."""
