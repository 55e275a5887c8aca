"""The interface for programs: what is read at `/api/v1/`, what is entered, and the pages about it."""
