"""A sheet as a file: the sheet document, the whole log, a spreadsheet, a picture.

Stands on opening and results. Begin with `sheet_file`.
"""
