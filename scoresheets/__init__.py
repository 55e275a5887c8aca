"""The table: players, sheets, seats and entries, and the pages at which they are kept and watched."""
