"""The processes of the running site: the server, its supervisor, its watchdog, what it takes from whom.

Stands on everything below the pages. Begin with `rsgi`; `startup` is what `manage.py serve` does first.
"""
