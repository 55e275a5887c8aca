"""The people of a club: how somebody becomes one of them, for years or for one night."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.crypto import salted_hmac

from clubs.models import Call, Member
from scoresheets.models import Player
from scoresheets.sharing import hashed

if TYPE_CHECKING:
    from clubs.models import Club, Night, User

#: What is typed for a letter of a code, in which there is no 0, 1, 8 or 9.
LOOKS_LIKE = str.maketrans("018", "OIB")


def new_member(club: Club, name: str, *, role: str = Member.Role.MEMBER, user: User | None = None) -> Member:
    """Somebody new in the club, under a clean name (`scoresheets.names.clean_name`), with a player of his own."""
    with transaction.atomic():
        player = Player.objects.create(name=name)
        return Member.objects.create(club=club, player=player, name=name, role=role, user=user)


def new_guest(club: Club, name: str, night: Night | None = None) -> Member:
    """A guest: for that night, at which he is here. Later he claims his results by `claim_code`."""
    with transaction.atomic():
        guest = new_member(club, name, role=Member.Role.GUEST)
        give_code(guest)
        if night is not None:
            Call.objects.create(night=night, member=guest, says=Call.Says.HERE)
    return guest


# The code of a guest


def give_code(guest: Member) -> None:
    """Let him claim his results by a code; the database is told its hash alone."""
    guest.claim_hash = hashed(made_code(guest))
    guest.save(update_fields=["claim_hash"])


def claim_code(guest: Member) -> str:
    """The code of a guest, to be told to him: "K7QM-2XWD"; "" where he has none, or one from another site."""
    code = made_code(guest)
    return f"{code[:4]}-{code[4:]}" if guest.claim_hash == hashed(code) else ""


def made_code(guest: Member) -> str:
    """40 bits nobody can make who has not the site's secret."""
    mac = salted_hmac("guest", guest.uid, algorithm="sha256")
    return base64.b32encode(mac.digest()[:5]).decode()


def read_code(typed: str) -> str:
    """A code as it was made, however it was typed: in small letters, with blanks, with a nought for the letter.

    >>> read_code(" k7qm 2xw0")
    'K7QM2XWO'
    """
    return "".join(letter for letter in typed.upper() if letter.isalnum())[:40].translate(LOOKS_LIKE)
