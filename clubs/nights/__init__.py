"""Nights of a club: planning, the calendar, replies, the roll call, attendance, and seating.

Stands on members and on the club. Begin with `nights`. What a member answers before a night (`replies`) and what an
organiser writes at its roll call (`roll_call`) are rows of their own; where both speak, the organiser does.

Every count of people at a night comes from `attendance`, which reads the sheets.
"""
