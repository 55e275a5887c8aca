"""The people of a club: adding members and guests, and all records of one person."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.crypto import salted_hmac

from clubs.access.audit_log import write_down
from clubs.models import Attendance, Club, Member, Night, PlayerAlias, Table, User
from scoresheets.access.scorekeepers import hashed
from scoresheets.log.text import same_name
from scoresheets.models import Player, Seat, Sheet

#: What is typed for a letter of a code, in which there is no 0, 1, 8 or 9.
LOOKS_LIKE = str.maketrans("018", "OIB")


def new_member(club: Club, name: str, *, role: str = Member.Role.MEMBER, user: User | None = None) -> Member:
    """Somebody new in the club, under a clean name (`scoresheets.log.text.clean_name`), with a player of their own."""
    with transaction.atomic():
        player = Player.objects.create(name=name)
        return Member.objects.create(club=club, player=player, name=name, role=role, user=user)


def new_members(club: Club, names: Iterable[str]) -> list[Member]:
    """The same of several, in the order of their clean names. Two queries, however many they are."""
    with transaction.atomic():
        players = Player.objects.bulk_create(Player(name=name) for name in names)
        return Member.objects.bulk_create(Member(club=club, player=player, name=player.name) for player in players)


def new_guest(club: Club, name: str, night: Night | None = None) -> Member:
    """A guest: for that night, at which they are here. Later they claim their results by `claim_code`."""
    with transaction.atomic():
        guest = new_member(club, name, role=Member.Role.GUEST)
        give_code(guest)
        if night is not None:
            Attendance.objects.create(night=night, member=guest, says=Attendance.Says.HERE)
    return guest


def guests_of_players(club: Club, names: Mapping[int, str], night: Night) -> dict[int, Member]:
    """Guests of that night for players (ids, with their names) nobody knew so far: what they have played is theirs.

    Each has a player of their own and is known as the other, over whose sheets elsewhere the club has no right. Four
    queries at most, however many they are.
    """
    players = Player.objects.bulk_create(Player(name=name) for name in names.values())
    guests = {
        player: Member(club=club, player=own, name=own.name, role=Member.Role.GUEST)
        for player, own in zip(names, players, strict=True)
    }
    for guest in guests.values():
        guest.claim_hash = hashed(made_code(guest))
    Member.objects.bulk_create(guests.values())
    PlayerAlias.objects.bulk_create(
        PlayerAlias(club=club, player_id=player, member=guest) for player, guest in guests.items()
    )
    Attendance.objects.bulk_create(
        Attendance(night=night, member=guest, says=Attendance.Says.HERE) for guest in guests.values()
    )
    return guests


# Many at once


@dataclass(frozen=True)
class Added:
    """What came of a list of names: who is new, and who was there."""

    members: list[Member] = field(default_factory=list)
    there: list[Member] = field(default_factory=list)


def add_members(club: Club, names: Sequence[str], *, uid: str, by: Member | None) -> Added:
    """Add everybody of these clean names who is not in the club yet. The same list (`uid`) again adds nobody."""
    with transaction.atomic():
        locked(club)
        known = {same_name(member.name): member for member in club.members.current()}
        there = [known[same_name(name)] for name in names if same_name(name) in known]
        added = [new_member(club, name) for name in names if same_name(name) not in known]
        Member.objects.filter(pk__in=[member.pk for member in added]).update(added_with=uid)
        for member in added:
            write_down(club, f"Added {member.name}.", by=by)
    return Added(added, there)


def locked(club: Club) -> Club:
    """The club as it is now; whoever else changes its people waits until this transaction is done."""
    return Club.objects.select_for_update().get(pk=club.pk)


def rename(member: Member, *, name: str, nickname: str, by: Member | None) -> None:
    """Put their clean name right, and say what they are called among friends ("": by their name).

    Both names are clean. Sheets that were opened stay as they are; the next ones say the nickname.
    """
    was = (member.name, member.nickname)
    if was == (name, nickname):
        return
    with transaction.atomic():
        member.name, member.nickname = name, nickname
        member.save(update_fields=["name", "nickname"])
        Player.objects.filter(pk__in=own_players([member])).update(name=name)
        if was[0] != name:
            write_down(member.club, f"Put the name of {was[0]} right: {name}.", by=by)
        if was[1] != nickname:
            write_down(member.club, f"{name} is called {nickname or name}.", by=by)


# Who somebody is


def records_of(member: Member) -> list[Member]:
    """All records of this person, the one that counts first."""
    person = member.main_record
    return [person, *person.others.order_by("pk")]


def players_of(member: Member) -> set[int]:
    """As which players (ids) this person ever sat down: of all their records, and under names that were typed."""
    records = records_of(member)
    known = PlayerAlias.objects.filter(member__in=records).values_list("player", flat=True)
    return {record.player_id for record in records} | set(known)


def own_players(records: Sequence[Member]) -> set[int]:
    """Which of the players (ids) of these records of one club are the club's own: made with the record.

    Who was typed in on a sheet elsewhere, or belonged to another club first, is somebody over whom it has no right.
    """
    players = set()
    for record in records:
        first = Member.objects.filter(player=record.player_id).order_by("pk").first()
        typed = Seat.objects.filter(player=record.player_id, sheet__opened_at__lte=F("player__created"))
        if first == record and not typed.exclude(sheet__in=own_sheets(record.club)).exists():
            players.add(record.player_id)
    return players


def own_sheets(club: Club) -> QuerySet[Sheet]:
    """The sheets that belong to a club: those of its tables, but for what was brought in and taken out again."""
    out = Q(withdrawn_at__isnull=False, source=Table.Source.BROUGHT)
    return Sheet.objects.filter(pk__in=Table.objects.filter(~out, night__club=club).values("sheet"))


def has_account_elsewhere(member: Member) -> bool:
    """Whether the account of a record belongs to the club by another one too, so that only one may keep it."""
    if member.user_id is None or member.left_at is not None:
        return False
    same = Member.objects.filter(club=member.club_id, user=member.user_id, left_at__isnull=True, same_as__isnull=True)
    return same.exclude(pk=member.pk).exists()


# The code of a guest


def give_code(guest: Member) -> None:
    """Let them claim their results by a code; the database is told its hash alone."""
    guest.claim_hash = hashed(made_code(guest))
    guest.save(update_fields=["claim_hash"])


def claim_code(guest: Member) -> str:
    """The code of a guest, to be told to them: "K7QM-2XWD"; "" where they have none, or one from another site."""
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
