"""Matching names on sheets with members, guests, or people the club does not keep.

A match counts for every table of the club at which the player sat. It gives the club no right over the player.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.timezone import now

from clubs.access.audit_log import write_down
from clubs.joining.newcomers import MemberNames, forget_guest, is_guest_of_one_name
from clubs.members.identity import members_of_players, players_known
from clubs.members.people import locked, new_guest, new_member, players_of
from clubs.members.privacy import cover
from clubs.models import Club, Member, PlayerAlias, Table
from clubs.queue.sources import games_of
from scoresheets.log.occupants import SITS
from scoresheets.log.state import SheetReading, read_sheet
from scoresheets.log.text import same_name
from scoresheets.models import Entry, Seat
from scoresheets.sheet.occupancy import sittings_of
from scoresheets.sheet.summary import read_sheets

#: Who is no member, new, and there for one night; or nobody whom the club wants to know.
GUEST, NEW, STRANGER = "guest", "new", "nobody"


@dataclass
class Match:
    """A name on the sheet, and who that is. `known`: the club knows this player already, and nobody is asked.

    `chosen` is the id of a member, `guest`, `new`, `nobody`, or "" where nobody has said it yet. `like` are members
    with such a name. `waits`: it was typed at the pad, and the club does not know yet who it is.
    """

    player: int
    name: str
    chosen: str = ""
    known: Member | None = None
    problem: str = ""
    like: list[Member] = field(default_factory=list)
    waits: bool = False
    is_asked: bool = True

    @property
    def field(self) -> str:
        return f"who-{self.player}"


@dataclass
class Matches:
    """All names of a sheet. `later`: what is not answered now waits on; else everybody has to be matched."""

    reading: SheetReading
    club: Club
    lines: list[Match] = field(default_factory=list)
    table: Table | None = None
    later: bool = False

    @property
    def open_lines(self) -> list[Match]:
        """Those of whom it is asked who they are, or can be."""
        return [line for line in self.lines if line.is_asked]

    @cached_property
    def people(self) -> list[Member]:
        """Who can be chosen, by name."""
        return people_of(self.club)

    def take(self, data: Mapping[str, str]) -> bool:
        """What was chosen; whether all of it can be so."""
        members = {str(member.pk): member for member in self.people}
        taken: dict[str, Match] = {}
        for line in self.lines:
            if line.known:
                line.chosen = str(line.known.identity)
            elif line.is_asked:
                line.chosen = data.get(line.field, "")
                if line.chosen not in (GUEST, NEW, STRANGER, *members, *([""] if self.later else [])):
                    line.problem = f"Who is {line.name}?"
            if line.chosen in members:
                other = taken.setdefault(line.chosen, line)
                if other is not line and sat_together(self.reading, other.player, line.player):
                    wrong = f"{other.name} and {line.name} sat at this table together: they are two people."
                    (line if line.is_asked else other).problem = wrong
                elif line.is_asked and (beside := self.sits_beside(members[line.chosen])):
                    line.problem = f"{members[line.chosen].name} sat at {beside} at the same time."
        return not any(line.problem for line in self.lines)

    def sits_beside(self, member: Member) -> Table | None:
        """Another table of the same stage of a play-off at which they sit: nobody plays in two groups."""
        if self.table is None or self.table.stage_id is None:
            return None
        others = Table.objects.standing().filter(stage=self.table.stage_id).exclude(pk=self.table.pk)
        return others.filter(sheet__seats__player__in=players_of(member)).first()


def sat_together(reading: SheetReading, player: int, other: int) -> bool:
    """Whether both players (ids) are at the table now, or were in the same hand."""
    hands = [row.hand.number for row in reading.sheet.rows]
    at_once = [reading.sitting.now, *(reading.sitting.at(hand) for hand in hands)]
    return any({player, other} <= {chair.player for chair in chairs.values()} for chairs in at_once)


def people_of(club: Club) -> list[Member]:
    """Everybody of the club who can be chosen, by name."""
    return sorted(Member.objects.people().filter(club=club), key=lambda member: same_name(member.name))


def matches_of(reading: SheetReading, club: Club, names: MemberNames | None = None) -> Matches:
    """The names of a sheet, each with who that probably is: known already, or the only one of that name."""
    players = reading.sitting.everybody
    known = players_known(club, players)
    names = names or MemberNames(club)
    lines = []
    for player, name in players.items():
        member = known.get(player)
        if member is not None and member.player_id == player:
            lines.append(Match(player, name, known=member))
            continue
        equal = names.equal(name)
        proposed = str(equal[0].pk) if len(equal) == 1 else ""
        if player in known:
            proposed = str(member.identity) if member else STRANGER
        lines.append(Match(player, name, chosen=proposed, like=names.like(name), waits=player not in known))
    return Matches(reading, club, lines)


# Names that wait


def waiting_at(club: Club) -> dict[int, dict[int, str]]:
    """The names at tables of the club that wait for an organiser: by sheet (id), by player (id). None of nights that
    were put away.

    Two queries where there are none, which is nearly always; four more where there are.
    """
    tables = Table.objects.standing().filter(night__club=club, night__archived_at__isnull=True, sheet__isnull=False)
    sheets = tables.values("sheet")
    of_player = {"club": club, "player": OuterRef("player")}
    is_known = Exists(Member.objects.filter(**of_player)) | Exists(PlayerAlias.objects.filter(**of_player))
    seats = Seat.objects.filter(~is_known, sheet__in=sheets)
    took_over = Entry.objects.standing().filter(ask__startswith=SITS, sheet__in=sheets)
    keys = {*seats.values_list("sheet", flat=True), *took_over.values_list("sheet", flat=True)}
    everybody = {sheet: sitting.everybody for sheet, sitting in sittings_of(keys).items()} if keys else {}
    players = {player for names in everybody.values() for player in names}
    known = players_known(club, players) if players else {}
    waiting = {
        sheet: {player: name for player, name in names.items() if player not in known}
        for sheet, names in everybody.items()
    }
    return {sheet: names for sheet, names in waiting.items() if names}


def count_waiting(club: Club) -> int:
    """How many people wait to be matched: who sits at two tables is one."""
    return len({player for names in waiting_at(club).values() for player in names})


def matches_at(table: Table, club: Club) -> list[Matches]:
    """The names of one table, to put right who is who there."""
    if table.sheet is None:
        return []
    matches = matches_of(read_sheet(table.sheet), club)
    matches.table, matches.later = table, True
    return [matches]


def waiting_matches(club: Club) -> list[Matches]:
    """Every sheet with names that wait, the latest first; each name is asked for once."""
    waiting = waiting_at(club)
    tables = Table.objects.standing().filter(sheet__in=waiting).select_related("night", "sheet", "stage")
    at_tables, names, seen = [], MemberNames(club), set[int]()
    readings = read_sheets(table.sheet for table in tables if table.sheet)
    for table in tables.order_by("-night__on", "-night", "number"):
        matches = matches_of(readings[table.sheet_id or 0], club, names)
        matches.table, matches.later = table, True
        for line in matches.lines:
            line.is_asked = line.waits and line.player not in seen
            line.chosen = "" if line.waits and not line.is_asked else line.chosen
            seen |= {line.player} if line.is_asked else set()
        at_tables.append(matches)
    return at_tables


def match_names(club: Club, tables: Iterable[Matches], data: Mapping[str, str], *, by: Member | None) -> bool:
    """Write down who they are, for all of them or, where something is wrong, for nobody.

    What they have played counts for them at once.
    """
    tables = list(tables)
    fits = [matches.take(data) for matches in tables]
    if not all(fits) or not fits_elsewhere(club, [line for matches in tables for line in matches.open_lines]):
        return False
    with transaction.atomic():
        locked(club)
        for matches in tables:
            answered = [line for line in matches.open_lines if line.chosen and not line.known]
            changed = know(club, answered)
            for line in answered:
                if line.player in changed and matches.table:
                    person = told_as(line, matches.people)
                    sentence = f"Matched {line.name} at {matches.table} of {matches.table.night}: {person}."
                    write_down(club, sentence, by=by)
    return True


def fits_elsewhere(club: Club, lines: Iterable[Match]) -> bool:
    """Whether nobody would sit twice at a table of the club at which one of these names was, too."""
    chosen = {line.player: line for line in lines if line.chosen.isdecimal() and not line.known}
    tables = games_of(club.pk, chosen).select_related("sheet") if chosen else ()
    for reading in read_sheets(table.sheet for table in tables if table.sheet).values():
        everybody = reading.sitting.everybody
        people = {player: str(member.identity) for player, member in members_of_players(club, everybody).items()}
        people |= {player: line.chosen for player, line in chosen.items()}
        for player, line in chosen.items():
            same = (other for other in everybody if other != player and people.get(other) == line.chosen)
            twin = next((other for other in same if sat_together(reading, player, other)), None)
            if twin is not None:
                line.problem = f"{line.name} sat at another table with {everybody[twin]}: they are two people."
    return not any(line.problem for line in chosen.values())


def told_as(line: Match, people: Iterable[Member]) -> str:
    """The chosen member, in words for the audit log."""
    own = {GUEST: "a guest", NEW: "a new member", STRANGER: "somebody outside the club"}
    return own.get(line.chosen) or next(member.name for member in people if str(member.pk) == line.chosen)


def know(club: Club, lines: Iterable[Match]) -> set[int]:
    """Write down who everybody is; the players (ids) of whom nothing or something else was said before.

    A guest who was nothing else than such a player is none any more.
    """
    changed, before = set(), dict[int, Member | None]()
    lines = [line for line in lines if not line.known]
    for line in lines:
        known = PlayerAlias.objects.filter(club=club, player=line.player).select_related("member").first()
        if known and line.chosen == (str(known.member.identity) if known.member else STRANGER):
            continue
        changed.add(line.player)
        before[line.player] = known.member if known else None
        member = chosen_member(club, line)
        PlayerAlias.objects.update_or_create(club=club, player_id=line.player, defaults={"member": member, "at": now()})
    for member in Member.objects.filter(aliases__player__in=changed).distinct():
        cover(member)
    for was in before.values():
        if was and is_guest_of_one_name(was):
            forget_guest(was)
    return changed


def chosen_member(club: Club, line: Match) -> Member | None:
    """Who was chosen; a guest and a new member are made now."""
    if line.chosen == STRANGER:
        return None
    if line.chosen in (GUEST, NEW):
        return new_guest(club, line.name) if line.chosen == GUEST else new_member(club, line.name)
    return Member.objects.get(club=club, pk=int(line.chosen))
