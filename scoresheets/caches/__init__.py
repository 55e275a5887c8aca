"""The two things that every cache of the site needs: a bound by size, and the generation of the database.

Stands on the models. Begin with `sized_cache`.
"""
