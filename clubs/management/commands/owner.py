"""`manage.py owner`: who owns the site, and a one-time link by which they sign in."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser
from django.core.validators import validate_email
from django.urls import reverse

from clubs.outbox.addresses import site_address
from clubs.owner.owners import NoSuchOwner, make_owner, owners, revoke_owner
from clubs.owner.sign_in import sign_in_token
from scoresheets.management.site_command import SiteCommand


class Command(SiteCommand):
    help = (
        "Make somebody the owner of this site, who may do everything on it, and print a link by which they sign in "
        "once, also when no mail is sent. Without an address: list the owners."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("mail", nargs="?", help="their email address; the account is made if there is none")
        parser.add_argument("--revoke", action="store_true", help="they do not own the site any more")

    def handle(self, *args: Any, mail: str | None, revoke: bool, **options: Any) -> None:
        if mail is None:
            if revoke:
                raise CommandError("Say who: .venv/bin/python manage.py owner MAIL --revoke")
            self.list_owners()
        elif revoke:
            self.revoke(mail)
        else:
            self.make(mail)

    def list_owners(self) -> None:
        """One line an owner."""
        listed = owners()
        for user in listed:
            last = f"signed in last on {user.last_login:%Y-%m-%d}" if user.last_login else "has never signed in"
            self.stdout.write(f"{user.email or user.get_username()} {last}")
        if not listed:
            self.stdout.write(
                "Nobody owns this site yet. This makes somebody its owner: .venv/bin/python manage.py owner MAIL"
            )

    def revoke(self, mail: str) -> None:
        """The account stays."""
        try:
            user = revoke_owner(mail)
        except NoSuchOwner:
            raise CommandError(f"{mail} does not own this site.") from None
        self.stdout.write(f"{user.email} does not own this site any more. The account stays.")

    def make(self, mail: str) -> None:
        """Say where the page is, and how to get there without an email."""
        try:
            validate_email(mail)
        except ValidationError:
            raise CommandError(f"{mail} is not an email address.") from None
        user, address = make_owner(mail), site_address()
        self.stdout.write(
            f"{user.email} owns this site and may do everything on it. Their page: {address}{reverse('owner')}\n"
            "This link signs them in, once, within an hour. No mail is needed:\n"
            f"{address}{reverse('owner_sign_in', args=[sign_in_token(user)])}"
        )
