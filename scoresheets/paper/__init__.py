"""A sheet on paper: printing it, and typing in hands that were kept on paper.

Stands on commands and fields. Begin with `layout` for printing, with `type_in` for typing.

Hands that are typed in, or come from a file, are one revision. Undo removes the last step of it.
"""
