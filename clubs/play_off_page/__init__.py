"""The page of a play-off that everybody follows, and the one next step for the organiser.

Stands on play-off rounds. Begin with `page`.
"""
