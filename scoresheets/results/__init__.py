"""What a sheet comes to: box and circle, how a game ends, what a change moves, and why.

Stands on the log and on wording. Begin with `verdict`, for corrections with `impact`.
"""
