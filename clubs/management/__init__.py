"""The commands of `manage.py` for a site with clubs."""
