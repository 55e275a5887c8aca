"""Who brings a club file, and what the club writes down about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from clubs.access.audit_log import write_down
from clubs.archive.taking_in import take_in
from clubs.archive.unpacking import NotTaken
from clubs.archive.words import counted
from clubs.members.people import new_member
from clubs.models import FoundingCode, Member

if TYPE_CHECKING:
    from clubs.archive.differences import Differences
    from clubs.archive.packing import Document
    from clubs.models import Club, User

CODE_IS_GONE = "That founding code founds no club any more. The newest one is in the terminal of the site."
WHO_ARE_YOU = "Say who of them you are, or what you are called."


def bring_new(document: Document, *, user: User, me: str, called: str, code_hash: str, seen: str) -> Club:
    """The club of the file, new on this site, with `user` as an organiser: as the member of that uid, or else as
    somebody new who is `called` so.

    Nobody else of the file gets an account by it. Without a founding code only the site's owner brings one. Raises
    `NotTaken` and `ChangedMeanwhile`.
    """
    with transaction.atomic():
        if not user.is_superuser:
            unused = FoundingCode.objects.founding().filter(code_hash=code_hash)
            if not code_hash or unused.update(used_at=timezone.now()) != 1:
                raise NotTaken(CODE_IS_GONE)
        club = take_in(document, None, seen=seen).club
        if club is None or not (me or called):
            raise NotTaken(WHO_ARE_YOU)
        write_down(club, "Brought the club from a file.", by=organiser_of(club, user, me, called))
    return club


def organiser_of(club: Club, user: User, me: str, called: str) -> Member:
    """The member who brings it."""
    if not me:
        return new_member(club, called, role=Member.Role.ORGANISER, user=user)
    member = Member.objects.current().filter(club=club, uid=me).first()
    if member is None:
        raise NotTaken(WHO_ARE_YOU)
    member.user, member.role = user, Member.Role.ORGANISER
    member.save(update_fields=["user", "role"])
    return member


def bring(document: Document, club: Club, *, by: Member | None, file_speaks: bool | None, seen: str) -> Differences:
    """Take the file of a club in that is here. What comes of it stands in the diary."""
    with transaction.atomic():
        found = take_in(document, club, file_speaks=file_speaks, seen=seen)
        if not found.changes_nothing:
            write_down(club, f"Took in a club file: {in_short(found)}.", by=by)
    return found


def in_short(found: Differences) -> str:
    """What comes in or changes, by number."""
    said = [counted(key, len(rows)) for key, rows in found.added.items() if rows and key != "diary"]
    said += [counted("sheets", len(found.sheets))] if found.sheets else []
    said += [f"{len(found.updates)} {'row' if len(found.updates) == 1 else 'rows'} changed"] if found.updates else []
    return ", ".join(said) or "lines of the diary"
