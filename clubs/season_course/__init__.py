"""The course of a season: places after each night, the race chart, nights left out, and what must happen on the last.

Stands on standings, which it counts again night by night. Begin with `course`. Nothing of it is kept: a place after a
night follows from the same functions as the standing (`clubs.standings.schemes`), so that both say the same.
"""
