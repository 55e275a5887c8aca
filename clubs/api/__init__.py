"""The interface for programs, `/api/v1/`: who asks, how often, how it is answered, and its description.

Begin with `answers`: a view there is a function that makes a document, decorated with what it gives and the shape of
it. From these shapes `openapi` makes the description, by which every answer is tested. `documents` has what they say.

Plain views and the shapes of the file formats do it. A library for such interfaces would bring a second description of
data beside them, and a sixth of the memory that a worker may have.

Nothing is written when something is read, but for the day on which a key was used. What is asked too often is refused
before the database is asked (`rate`): the tables have the database for themselves.
"""
