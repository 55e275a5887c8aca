"""Who may sign in."""

from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """A person with an account.

    It is our own class from the first migration on, because a user model cannot be exchanged later.
    """

    def get_full_name(self) -> str:
        """What he is called: as the club calls him in which he was last, where he has said nothing himself.

        His username is never shown: nobody chose it. One query.
        """
        said = super().get_full_name()
        if said:
            return said
        names = self.memberships.filter(left_at__isnull=True).order_by("-pk").values_list("name", flat=True)
        return names.first() or ""
