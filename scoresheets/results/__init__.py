"""What a sheet comes to: where box and circle go, how a game ends, and why.

Begin reading with `causes`, the half-sentences beside what a change moves, and `marks`. It stands on the reading of a
sheet and on the words for it.
"""
