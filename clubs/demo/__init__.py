"""The demo: a sheet of every game to play on, and a club that has been there for two seasons."""
