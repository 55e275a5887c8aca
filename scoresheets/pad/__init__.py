"""The state of the pad: what its page and its scripts show and send, for bids and tricks and for prompts.

Stands on commands, sheet and fields. Begin with `state`.
"""
