"""`serve`, `backup`, `restore`, `club`, `demo`, `founding_code`."""
