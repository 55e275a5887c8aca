"""The pages of a club, one view each."""
