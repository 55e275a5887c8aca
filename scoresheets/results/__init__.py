"""What a sheet comes to: box and circle, how a game ends, what a change moves, and why.

Stands on the log and on wording. Begin with `verdict`, for corrections with `impact`.

In a race that was stopped nobody has won: the page says who leads, though the leader is published as the winner.
"""
