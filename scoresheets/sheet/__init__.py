"""The running sheet for readers: its table, the open hand, notes, and summaries of several sheets.

Stands on the log, wording and results. Begin with `table`. What is kept from those who look on is decided in
`outsiders`.

Pages that show many tables use `summary`, never `read_sheet` in a loop. What is read inside a transaction is not
cached there: the transaction may be rolled back. Rows with the same content are rendered once (`row_cache`), so
whatever a row shows must be in its `Part`. The cell of a total is drawn by a tag, because a long sheet has a thousand
of them. A page that wants one block of a game's template renders the template with a layout of that block only
(`game_blocks`).
"""
