"""The log of a sheet: entries that are only added or withdrawn, and the state that they add up to.

`append` is the only way to write, `state` the only way to read. Stands on the models and on the rules. Begin with
`append`.
"""
