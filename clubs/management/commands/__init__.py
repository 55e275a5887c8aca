"""`serve`, `backup`, `restore`, `owner`, `club`, `founding_code`, `demo`, `move_database`, `schemas`."""
