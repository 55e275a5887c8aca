"""Webhooks: what happens in a club, sent to addresses of programs that its organisers name.

Stands on the outbox, which keeps and repeats what could not be sent.
"""
