"""Nights of a club: planning, the calendar, the roll call, attendance, and seating.

Stands on members and on the club. Begin with `nights`.

Every count of people at a night comes from `attendance`, which reads the sheets.
"""
