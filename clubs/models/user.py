"""Who may sign in."""

from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """A person with an account.

    It is our own class from the first migration on, because a user model cannot be exchanged later.
    """
