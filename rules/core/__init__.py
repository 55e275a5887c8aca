"""The vocabulary of a card club's score sheet and the engine that reads one."""
