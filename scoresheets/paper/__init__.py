"""A sheet on paper: how it is printed, and how hands that were kept on paper are typed in.

Stands on commands and fields. Begin with `layout` for printing, with `type_in` for typing.

Hands that are typed in, or come from a file, are one write. Undo takes back the last step of it.
"""
