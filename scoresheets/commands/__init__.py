"""Commands of a scorekeeper on the open hand: enter, undo, misdeal, stop, and a ruling on a tie.

Every command writes by `log.append` and answers with a value of `log.answers`. Begin with `enter`.

Agreement is a revision too (verb `agree`, no entries): the same tap sent again always gets the same answer. Corrections
are not part of play: undo skips them, and if the latest bid is one, the button names the change and undoes it as a
whole.
Stopping early removes the coming hand with its events, since a sheet file can only say that the game ended after the
last scored hand; "play on" brings everything back.
"""
