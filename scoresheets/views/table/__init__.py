"""The pages of a sheet for those who may write on it."""
