"""Results of a sheet: box and circle, the outcome, the impact of a change, and explanations.

Stands on the log and on wording. Begin with `verdict`, for corrections with `impact`.

In a race that was stopped nobody has won: the page says who leads, though the leader is published as the winner.
"""
