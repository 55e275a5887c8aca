"""Pages of a sheet for its scorekeepers."""
