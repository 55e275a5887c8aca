"""A whole club in one file, out of one site and into another.

`nouns` says what of which row stands in it, `packing` writes it, `unpacking` reads it and believes nothing,
`differences` says what it would change here, and `taking_in` does that. What can be made again from the sheets
(placings, standings, honours) is not in it, and neither is anything that gives a right.
"""
