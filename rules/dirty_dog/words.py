"""Dirty Dog in words."""
RULES = ()
WORDS = ()
TAGS = ()
