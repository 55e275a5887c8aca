"""The owner of the site: who may do everything, also where no club can be opened.

Stands on accounts and on backups. Begin with `owners`: an owner is an account with Django's `is_superuser`, which
`manage.py owner` gives and takes back. Whoever has the terminal has the site, so the link that the command prints signs
in without an email (`sign_in`). In a club an owner may do what an organiser may (`clubs.access.visit`).
"""
