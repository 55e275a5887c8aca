"""The demo: a sheet of every game to play on, and a club that has been there for two seasons.

It is loaded once for each `var/`, and does not come back after `make demo-remove`.
"""
