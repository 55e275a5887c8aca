"""Erasing a member: the results stay, without the name. It cannot be undone.

Hiding a name (`clubs.members.privacy`) only covers it; here every row is changed. Free text of the club (audit log,
notes, reasons) is searched for the names (`clubs.members.erased_names`). Backups and files that were made before are
out of reach.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Collection, Iterable
from typing import Any

from django.db import models, transaction
from django.db.models import F, Q, TextField
from django.db.models.functions import Cast
from django.utils import timezone

from clubs.access.audit_log import write_down
from clubs.archive.background import throw_away
from clubs.archive.schema import NOUNS
from clubs.members.badges import forget_badges
from clubs.members.erased_names import NOBODYS_NAME, Replace, former_names, parts_of, replaced_inside, replacer
from clubs.members.people import locked, own_sheets, players_of, records_of
from clubs.members.roles import LAST, is_last_organiser
from clubs.models import (
    Attendance,
    AuditEntry,
    Award,
    Chair,
    Club,
    ClubExport,
    Delivery,
    Dispute,
    Invitation,
    KeptApart,
    Member,
    NoticeSettings,
    PersonalLink,
    Photo,
    Placing,
    PlayerAlias,
    ReadKey,
    Reply,
    Standing,
    Upload,
    User,
)
from clubs.models.member import SOMEBODY
from clubs.notices.choices import forget
from scoresheets.log.occupants import SITS
from scoresheets.log.text import same_name
from scoresheets.models import Entry, GlossaryTerm, Player, Revision, Scorekeeper, Seat, Sheet

#: Texts that no person has typed.
NO_TEXT = (models.SlugField, models.UUIDField)
NOT_TYPED = {"uid", "time_zone", "picture_key", "key", "calendar_key", "code", "watch", "home", "opening"}
#: What a club is called is nobody's name, whoever it was called after. Initials go by the player (`forget_badges`).
STAYS = {(Club, "name"), (Sheet, "badges")}


def erase_member(person: Member, *, by: Member | None, even_last: bool = False) -> str:
    """From now on it is "Somebody" who played; what stands against it, "" where it is done.

    The last organiser stays, unless `even_last`: their account goes, and nobody would run the club anyhow.
    """
    with transaction.atomic():
        club = locked(person.club)
        person.refresh_from_db()
        if person.erased_at is not None:
            return ""
        if person.left_at is None and not even_last and is_last_organiser(person):
            return LAST
        is_own = by is not None and by.main_record == person
        Eraser(club, person).erase()
        write_down(club, "Erased a member: only the results are left.", by=None if is_own else by)
    return ""


class Eraser:
    """Everything that tells who one person of a club is."""

    def __init__(self, club: Club, person: Member) -> None:
        self.club = club
        self.person = person.main_record
        self.records = records_of(person)
        self.players = players_of(person)
        self.users = [record.user_id for record in self.records if record.user_id]
        self.sheets = list(own_sheets(club).values_list("pk", flat=True))
        self.others = self.names_of_others()
        self.instead = self.free_name()
        #: As on seats and in rows of theirs, and as they may be written in a text.
        self.names = self.names_of_person()
        self.replace: Replace = replacer(self.names, self.others, self.instead)

    def erase(self) -> None:
        """All of it, with the row of the member."""
        self.erase_texts()
        self.erase_seats()
        forget_badges(self.players, self.sheets)
        self.erase_scorekeepers()
        self.erase_players()
        self.erase_records()
        Sheet.objects.filter(pk__in=self.sheets).update(aliases_version=F("aliases_version") + 1)

    # Who it is, and what to call them

    def names_of_others(self) -> list[str]:
        """What everybody else of the club is called."""
        others = self.club.members.exclude(pk__in=[record.pk for record in self.records])
        rows = others.values_list("name", "nickname", "shown_as")
        return [name for row in rows for name in row if name and not NOBODYS_NAME.fullmatch(name)]

    def free_name(self) -> str:
        """ "Somebody", or "Somebody 2" where another of the club is called that."""
        others = self.club.members.exclude(pk__in=[record.pk for record in self.records])
        taken = {name for row in others.values_list("name", "nickname", "shown_as") for name in row}
        names = itertools.chain([SOMEBODY], (f"{SOMEBODY} {number}" for number in itertools.count(2)))
        return next(name for name in names if name not in taken)

    def names_of_person(self) -> list[str]:
        """Every name they are or were known by, the email address among them."""
        own = [name for record in self.records for name in (record.name, record.nickname, record.shown_as)]
        typed = Seat.objects.filter(player__in=self.players).values_list("name", flat=True)
        took = [str(data["name"]) for data in self.seats_taken().values_list("data", flat=True)]
        called = Player.objects.filter(pk__in=self.players).values_list("name", "shown_as")
        wrote = Scorekeeper.objects.filter(user__in=self.users, sheet__in=self.sheets).values_list("name", flat=True)
        mails = User.objects.filter(pk__in=self.users).values_list("email", flat=True)
        taken = {same_name(name) for name in self.others}
        by_others = [*typed, *took, *(name for row in called for name in row), *wrote]
        # A seat on which somebody else's name was typed by mistake makes that name not theirs.
        renamed = AuditEntry.objects.filter(club=self.club, says__startswith="Put the name of").order_by("-at", "-pk")
        former = former_names(own, renamed.values_list("says", flat=True))
        names = [*own, *former, *(name for name in by_others if same_name(name) not in taken), *mails]
        return [name for name in dict.fromkeys(names) if name and not NOBODYS_NAME.fullmatch(name)]

    # Where it stands

    def seats_taken(self) -> models.QuerySet[Entry]:
        """Entries by which they sat down, or a name was put right."""
        entries = Entry.objects.filter(sheet__in=self.sheets, ask__startswith=SITS)
        return entries.filter(data__player__in=list(self.players))

    def erase_texts(self) -> None:
        """Names in everything people typed or the site wrote for the club."""
        for rows in self.rows_with_text():
            rewrite(rows, self.names, self.replace)
        for word in GlossaryTerm.objects.filter(folded__contains=self.instead):
            GlossaryTerm.objects.filter(pk=word.pk).update(folded=same_name(word.folded))

    def rows_with_text(self) -> Iterable[models.QuerySet[Any]]:
        """Rows of the club and of its sheets; names of people stand in rows of their own."""
        yield Club.objects.filter(pk=self.club.pk)
        yield from (noun.rows(self.club) for noun in NOUNS if noun.model is not Member)
        yield Standing.objects.filter(club=self.club)
        yield Photo.objects.filter(club=self.club)
        yield ReadKey.objects.filter(club=self.club)
        yield Delivery.objects.filter(event__club=self.club)
        yield Sheet.objects.filter(pk__in=self.sheets)
        yield Revision.objects.filter(sheet__in=self.sheets)
        yield Entry.objects.filter(sheet__in=self.sheets).exclude(ask__startswith=SITS)
        keepers = Scorekeeper.objects.filter(sheet__in=self.sheets)
        browsers = keepers.exclude(browser="").values("browser")
        yield GlossaryTerm.objects.filter(Q(browser__in=browsers) | Q(user__in=keepers.values("user")))

    def erase_seats(self) -> None:
        """The names they sat down by, on every sheet of the club."""
        mine = Seat.objects.filter(sheet__in=self.sheets, player__in=self.players)
        named = Seat.objects.filter(sheet__in=self.sheets, player__memberships__isnull=True, name__in=self.names)
        nobodys = named.exclude(player__aliases__member__isnull=False)
        taken = Seat.objects.filter(sheet__in=self.sheets, name__startswith=SOMEBODY).exclude(pk__in=mine.values("pk"))
        called: dict[int, set[str]] = {}
        for sheet, name in taken.values_list("sheet", "name"):
            called.setdefault(sheet, set()).add(name)
        for seat in {seat.pk: seat for seat in (*mine, *nobodys)}.values():
            seat.name = free(self.instead, called.get(seat.sheet_id, set()))
            seat.save(update_fields=["name"])
        for entry in self.seats_taken():
            name = free(self.instead, called.get(entry.sheet_id, set()))
            Entry.objects.filter(pk=entry.pk).update(data=entry.data | {"name": name})

    def erase_scorekeepers(self) -> None:
        """The name they wrote under: by their account, or by a link at a table of theirs."""
        keepers = Scorekeeper.objects.filter(sheet__in=self.sheets)
        keepers.filter(user__in=self.users).update(name=self.instead, user=None, revoked_at=timezone.now())
        alike, taken = {same_name(name) for name in self.names}, {same_name(name) for name in self.others}
        sat = set(Seat.objects.filter(player__in=self.players).values_list("sheet", flat=True))
        sat |= set(self.seats_taken().values_list("sheet", flat=True))
        named_alike = [
            keeper.pk
            for keeper in keepers.filter(user=None).exclude(name="")
            if same_name(keeper.name) in alike and (keeper.sheet_id in sat or same_name(keeper.name) not in taken)
        ]
        Scorekeeper.objects.filter(pk__in=named_alike).update(name=self.instead)

    def erase_players(self) -> None:
        """As whom they sit at tables; nobody who belongs to another club, too."""
        elsewhere = Member.objects.exclude(club=self.club)
        ours = Player.objects.filter(pk__in=self.players).exclude(memberships__in=elsewhere)
        ours.exclude(aliases__in=PlayerAlias.objects.exclude(club=self.club)).update(name=self.instead, shown_as="")
        typed = Player.objects.filter(seats__sheet__in=self.sheets, memberships__isnull=True, name__in=self.names)
        alike = typed.exclude(aliases__member__isnull=False).exclude(
            seats__in=Seat.objects.exclude(sheet__in=self.sheets)
        )
        Player.objects.filter(pk__in=list(alike.values_list("pk", flat=True))).update(name=self.instead)

    def erase_records(self) -> None:
        """The rows of the member, and what was only about them."""
        keys = [record.pk for record in self.records]
        now = timezone.now()
        Invitation.objects.filter(member__in=keys).delete()
        PersonalLink.objects.filter(member__in=keys).delete()
        Reply.objects.filter(member__in=keys).delete()
        Photo.objects.filter(by__in=keys).delete()
        NoticeSettings.objects.filter(member__in=keys).delete()
        forget(keys)
        KeptApart.objects.filter(Q(one__in=keys) | Q(other__in=keys)).delete()
        Attendance.objects.filter(member__in=keys, night__begun_at__isnull=True).delete()
        Attendance.objects.filter(member__in=keys).update(leaves=None)
        # What is being written knows members by their ids.
        Upload.objects.waiting().filter(club=self.club).delete()
        throw_away(ClubExport.objects.filter(club=self.club))
        Member.objects.filter(says_is__in=keys).update(says_is=None)
        Member.objects.filter(pk__in=keys).update(
            name=self.instead, nickname="", shown_as="", hidden=False, colour=0, initial="", user=None, claim_hash="",
            says_is=None,
            role=Member.Role.GUEST, erased_at=now, approved_at=F("approved_at"),
        )  # fmt: skip
        Member.objects.filter(pk__in=keys, left_at__isnull=True).update(left_at=now)


def free(name: str, taken: Collection[str]) -> str:
    """The name, with a number where somebody at the table has it."""
    return next(
        candidate
        for candidate in itertools.chain([name], (f"{name} {k}" for k in itertools.count(2)))
        if candidate not in taken
    )


# Members without a result


def without_result(members: Collection[Member]) -> list[Member]:
    """Those of whom nothing stands on any sheet, at any table or beside any trophy: they can be deleted."""
    records = {record.pk: record for member in members for record in records_of(member)}
    known = PlayerAlias.objects.filter(member__in=records).values_list("member", "player")
    players: dict[int, set[int]] = {pk: {record.player_id} for pk, record in records.items()}
    for member, player in known:
        players[member].add(player)
    everybody = {player for some in players.values() for player in some}
    sat = set(Seat.objects.filter(player__in=everybody).values_list("player", flat=True))
    took = Entry.objects.filter(ask__startswith=SITS, data__player__in=list(everybody))
    sat |= {data["player"] for data in took.values_list("data", flat=True)}
    has = {pk for model in (Placing, Chair, Award, Dispute) for pk in of_members(model, list(records))}
    has |= {pk for pk, some in players.items() if some & sat}
    busy = {records[pk].identity for pk in has}
    return [member for member in members if member.identity not in busy]


def of_members(model: type[models.Model], records: Collection[int]) -> models.QuerySet[Any, Any]:
    """Which of these records (ids) have a row of that kind."""
    return model._default_manager.filter(member__in=records).values_list("member", flat=True)


def undoable(members: Collection[Member]) -> list[Member]:
    """All of them, where nobody has a result or an account; else nobody."""
    fresh = all(member.user_id is None and member.same_as_id is None for member in members)
    return list(members) if fresh and len(without_result(members)) == len(members) else []


def undo_added(club: Club, uid: str, *, by: Member | None) -> bool:
    """Delete everybody who was added by that list; False where it cannot be undone any more."""
    with transaction.atomic():
        locked(club)
        added = list(club.members.current().filter(added_with=uid).exclude(added_with=""))
        if not undoable(added):
            return False
        delete_members(added, by=by)
    return True


def delete_members(members: Collection[Member], *, by: Member | None, even_last: bool = False) -> list[Member]:
    """Delete the members without a result, with their entries in the audit log; the deleted members."""
    if not members:
        return []
    with transaction.atomic():
        club = locked(next(iter(members)).club)
        fresh = list(club.members.filter(pk__in=[member.identity for member in members]).select_related("same_as"))
        gone = [
            member for member in without_result(fresh) if even_last or member.left_at or not is_last_organiser(member)
        ]
        for member in gone:
            Eraser(club, member).erase_texts()
        keys = [record.pk for member in gone for record in records_of(member)]
        players = list(Member.objects.filter(pk__in=keys).values_list("player", flat=True))
        Member.objects.filter(pk__in=keys).delete()
        alone = Q(memberships__isnull=True, aliases__isnull=True, seats__isnull=True)
        Player.objects.filter(alone, pk__in=players).delete()
        if gone:
            throw_away(ClubExport.objects.filter(club=club))
            count = len(gone)
            write_down(club, f"Deleted {count} {'member' if count == 1 else 'members'} without a result.", by=by)
    return gone


# Texts


def rewrite(rows: models.QuerySet[Any], names: Collection[str], replace: Replace) -> None:
    """Put every text of these rows through `replace`. Only rows in which one of the names may stand are read."""
    for field in text_fields(rows.model):
        for pk, value in having(rows, field, names).values_list("pk", field.name):
            then = replaced_inside(value, replace)
            if then != value:
                most = getattr(field, "max_length", None)
                then = then[:most] if isinstance(then, str) and most else then
                rows.model._default_manager.filter(pk=pk).update(**{field.name: then})


def text_fields(model: type[models.Model]) -> list[models.Field[Any, Any]]:
    """Where something that was typed, or a sentence, may stand."""
    return [
        field
        for field in model._meta.concrete_fields
        if isinstance(field, models.CharField | TextField | models.JSONField)
        and not isinstance(field, NO_TEXT)
        and not field.choices
        and field.name not in NOT_TYPED
        and (model, field.name) not in STAYS
        and not field.name.endswith(("_hash", "digest"))
    ]


def having(rows: models.QuerySet[Any], field: models.Field[Any, Any], names: Collection[str]) -> models.QuerySet[Any]:
    """The rows with one of the names, or a part of it, in that field, in whatever letters."""
    wanted = Q()
    for part in {part for name in names for part in (name, *parts_of(name))}:
        # SQLite does not know that É is é: there what is left of a name without such letters is looked for.
        plain = max(re.split(r"[^\x00-\x7f]+", part), key=len)
        wanted |= Q(searched__icontains=json.dumps(plain)[1:-1] if isinstance(field, models.JSONField) else plain)
    return rows.annotate(searched=Cast(field.name, TextField())).filter(wanted)
