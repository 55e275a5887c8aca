"""The link between sheets and a club on an evening: candidates for a seat, adopted sheets, summaries of tables.

Stands on tables, nights and projections. Begin with `summary`; `sheet_hooks` receives the signals of `scoresheets`.

The mark of a polled page of a night (`summary.mark_of`) is made from rows alone, without reading a sheet.
"""
