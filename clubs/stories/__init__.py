"""The story of a night: what happened at its tables, in five to eight sentences that are made from the hands.

Stands on the evening, on records and on trophies. Begin with `story`. `course` reads one game, `facts` are the typed
values, `night_facts` finds them in games, records and awards, `choice` takes those that are told, `sentences` puts them
into words, each with the hands that prove it.

* The same results give the same story: nothing in it is thrown by dice, and the order of rows in the database changes
  nothing. Which of two wordings is taken follows from the id of the night.
* It is never mean: a story praises, wonders and comforts. Who was last, which hand was the worst and which record is
  none to be proud of is on other pages (`tests/clubs/stories`).
* Names are those that the sheets and the club show, so a hidden name is hidden here.
"""
