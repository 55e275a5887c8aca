"""What a scorekeeper does with an open hand: enter, undo, misdeal, stop, and a ruling on a tie.

Every command writes by `log.append` and answers with a value of `log.answers`. Begin with `enter`.
"""
