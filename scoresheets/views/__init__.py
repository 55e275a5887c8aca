"""The pages of a table, one view each."""
