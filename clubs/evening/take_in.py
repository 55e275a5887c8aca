"""Taking an evening without a club into a club: its night, its people and all of its results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils import timezone

from clubs.access.audit_log import write_down
from clubs.access.known_clubs import memberships
from clubs.joining.match import GUEST, NEW, Match, people_of
from clubs.joining.newcomers import MemberNames
from clubs.members.people import give_code
from clubs.members.privacy import cover_sheet
from clubs.models import (
    AuditEntry,
    Club,
    KeptApart,
    Member,
    Night,
    PendingUpdate,
    PersonalBest,
    PlayerAlias,
    Rating,
    Standing,
    User,
)
from clubs.tables.open import say_stakes
from scoresheets.models import Sheet


def clubs_to_take_it(user: User) -> list[Club]:
    """The clubs whose organiser this account is, by name."""
    clubs = [
        person.club
        for person in memberships(user)
        if person.role == Member.Role.ORGANISER and person.club.archived_at is None
    ]
    return sorted(clubs, key=lambda club: club.name.casefold())


def lines_of(evening: Club, club: Club) -> list[Match]:
    """The people of the evening, by name, each with who that probably is in the club: the only one of that name."""
    names = MemberNames(club)
    lines = []
    for person in evening.members.filter(same_as__isnull=True).order_by("name", "pk"):
        equal = names.equal(person.name)
        chosen = str(equal[0].pk) if len(equal) == 1 else ""
        lines.append(Match(person.player_id, person.name, chosen=chosen, like=names.like(person.name)))
    return lines


def answer(lines: Sequence[Match], club: Club, data: Mapping[str, str]) -> bool:
    """Put what was chosen into the lines; whether all of it can be so: nobody of the club was two people that night."""
    members = {str(member.pk): member for member in people_of(club)}
    taken: dict[str, Match] = {}
    for line in lines:
        line.chosen = data.get(line.field, "")
        if line.chosen not in (GUEST, NEW, *members):
            line.problem = f"Who is {line.name}?"
        elif line.chosen in members and taken.setdefault(line.chosen, line) is not line:
            line.problem = f"{taken[line.chosen].name} and {line.name} both played that evening: they are two people."
    return not any(line.problem for line in lines)


def take_in(evening: Club, club: Club, lines: Sequence[Match], *, by: Member | None) -> Night | None:
    """Everything of the evening belongs to the club from now on; its first night. Once: a second time does nothing.

    Somebody whom the club knows keeps the record they had that evening: it counts as theirs, as after a merge.
    """
    with transaction.atomic():
        list(Club.objects.select_for_update().filter(pk__in=[evening.pk, club.pk]).order_by("pk"))
        evening.refresh_from_db()
        nights = list(evening.nights.order_by("pk"))
        if evening.moved_to_id is None:
            move_people(evening, club, lines)
            PersonalBest.objects.filter(club=evening).delete()
            Rating.objects.filter(club=evening).delete()
            Standing.objects.filter(club=evening).delete()
            for model in (AuditEntry, KeptApart, PendingUpdate):
                model._default_manager.filter(club=evening).update(club=club)
            for night in nights:
                move_night(night, club)
            evening.moved_to, evening.archived_at = club, timezone.now()
            evening.save(update_fields=["moved_to", "archived_at"])
            write_down(club, f"Took in the {evening.name[0].lower()}{evening.name[1:]}.", by=by)
    return nights[0] if nights else None


def move_people(evening: Club, club: Club, lines: Sequence[Match]) -> None:
    """The records of the evening are the club's from now on; each counts as the member that was chosen."""
    known = set(PlayerAlias.objects.filter(club=club).values_list("player", flat=True))
    known |= set(Member.objects.filter(club=club).values_list("player", flat=True))
    PlayerAlias.objects.filter(club=evening, player__in=known).delete()
    PlayerAlias.objects.filter(club=evening).update(club=club)
    chosen = {line.player: line.chosen for line in lines}
    for record in evening.members.order_by("pk"):
        answer_for = chosen.get(record.player_id, GUEST)
        record.club = club
        if answer_for.isdecimal():
            record.same_as = record.joined_to = Member.objects.get(club=club, pk=int(answer_for))
        record.role = Member.Role.MEMBER if answer_for == NEW else Member.Role.GUEST
        record.save(update_fields=["club", "same_as", "joined_to", "role"])
        if answer_for == GUEST:
            give_code(record)


def move_night(night: Night, club: Club) -> None:
    """The night is one of the club's from now on, and so are the sheets at its tables."""
    night.club = club
    night.save(update_fields=["club"])
    members_only = club.visibility == Club.Visibility.MEMBERS
    for table in night.tables.filter(sheet__isnull=False).select_related("sheet", "stage__play_off"):
        sheet = table.sheet
        if sheet is None:
            continue
        if table.stage:
            table.stage.play_off.night = night
        home = table.stage.play_off if table.stage else night
        Sheet.objects.filter(pk=sheet.pk).update(
            home=home.get_absolute_url() if table.withdrawn_at is None else "", club_name=club.name,
            members_only=members_only and table.withdrawn_at is None,
        )  # fmt: skip
        cover_sheet(sheet, club)
    say_stakes(night)
