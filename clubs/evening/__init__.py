"""What sheets and club tell each other on an evening: who may sit down, sheets that are adopted, tables at a glance.

Stands on tables, nights and projections. Begin with `summary`; `sheet_hooks` receives the signals of `scoresheets`.

The mark of a polled page of a night (`summary.mark_of`) is made from rows alone, without reading a sheet.
"""
