"""The commands of `manage.py` that need no club."""
