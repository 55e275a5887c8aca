"""The public page of a play-off, and the next step for its organiser.

Stands on play-off rounds. Begin with `page`.
"""
