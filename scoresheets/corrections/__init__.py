"""Corrections: of a row, the set-up, two seats, entries that no longer fit, and conflicts of two phones.

Stands on commands, fields and results. Every correction is previewed by `results.impact`. Begin with `correct`.

A confirmation carries the digest of its preview (`Impact.digest`). If the sheet has changed so that the preview would
differ, it is shown again (409). A form leads back only to one of `RETURN_PAGES`, never to another address. The page
after a confirmation says what changed (`?changed=<version>`).
"""
