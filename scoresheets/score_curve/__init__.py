"""The score curve: everybody's totals hand by hand, as a drawing and as a table.

Stands on the log, wording and the sheet. Begin with `curve`, which has the numbers; `drawing` lays them out for pages,
paper and pictures.
"""
