"""The nights of a club: planning, the calendar, roll call, who is there, and how people are seated.

Stands on members and on the club. Begin with `nights`.

Every count of people at a night comes from `attendance`, which reads the sheets.
"""
