"""Who may sign in."""

from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """A person with an account.

    It is our own class from the first migration on, because a user model cannot be exchanged later.
    """

    def get_full_name(self) -> str:
        """What they are called: as the club of their last visit calls them, where they have said nothing themselves.

        Their username is never shown: nobody chose it. Nor is a name that they hide. One query.
        """
        said = super().get_full_name()
        if said:
            return said
        record = self.memberships.filter(left_at__isnull=True).select_related("same_as").order_by("-pk").first()
        if record is None:
            return ""
        return record.who.shown_as or record.who.name
