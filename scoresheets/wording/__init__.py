"""Entries, events and house rules as sentences with names, safe to put into a page.

Stands on the log. Begin with `entry_text`, and with `markup` for names and lists.
"""
