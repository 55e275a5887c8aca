"""The running site: its server, what the server takes from whom, and who starts it again.

It stands on the settings alone. Begin reading at `rsgi.py`.
"""
