"""`score`, `check_sheets`, `sweep_sheets`."""
