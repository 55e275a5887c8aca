"""Opening the tables of a night, with a sheet each, and setting their stakes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone

from clubs.members.badges import wish_of
from clubs.members.identity import distinct_names
from clubs.models import Chair, Club, Event, Member, Night, PlayOff, Stage, Table, Trophy, User
from clubs.outbox.events import announce
from clubs.play_offs.stakes import LONGEST_STAKES, stakes_of_play_off
from clubs.play_offs.state import now
from clubs.tables.draft import Drawing
from clubs.tables.drawn_table import Drawn
from clubs.tables.signs import give_codes
from clubs.trophies.register import trophy_games
from rules.core.fields import Value
from rules.core.game import Game
from rules.core.problems import Problem
from rules.core.stakes import ALL, Decides
from scoresheets.access.scorekeepers import hashed
from scoresheets.log.prepared import add_rows
from scoresheets.models import Sheet
from scoresheets.models.sheet import new_token
from scoresheets.opening.open_sheet import LONGEST_TITLE, MOST_COMING, NoneOpened, Opener, SetUp, Somebody, open_sheets
from scoresheets.wording.markup import as_text, listed

Follows = Night.Follows
#: The answer "that table", before it has a row of its own: its number.
AT_TABLE = "table-"
CLOSED = "The night is closed: no more tables can be opened."


class NotOpened(Exception):
    """A table could not be opened, and so none was: `problem` says why, at the table of that number."""

    def __init__(self, number: int, problem: Problem) -> None:
        super().__init__(problem.message)
        self.number, self.problem = number, problem


@dataclass(frozen=True)
class Laid:
    """A table that is to be opened: its people clockwise as they sit from the first hand on, and who comes later.

    `dealer_by` says how it was found who deals. `plan` and `house_rules` as the game takes them, `decides` what its end
    is for, which is otherwise at the tables of a play-off; there the table has a `label`.
    """

    game: Game
    people: Sequence[Member]
    deals: Member | None
    dealer_by: str
    plan: Mapping[str, int]
    house_rules: Mapping[str, Value]
    late: Sequence[Member] = ()
    label: str = ""
    decides: Decides = ALL
    stage: Stage | None = None
    #: Who (the id of a record) sits down as which player (id), where it is not the record's own.
    sit_as: Mapping[int, int] = field(default_factory=dict)

    def player_of(self, member: Member) -> int:
        """As which player (id) they sit down."""
        return self.sit_as.get(member.pk, member.player_id)


def open_tables(drawing: Drawing, *, user: User | None, keeper: str) -> list[Table]:
    """Open a sheet for every table that is drawn, all of them or none; the drawing is used up with it.

    `user`, who is called `keeper`, may write on all of them by their account; the host of an evening without a club
    has none (`None`). No browser may write by it: on the organiser's phone every table would be their own. Raises
    `NotOpened`.
    """
    with transaction.atomic():
        tables = open_laid(
            drawing.night, [laid_of(drawing, drawn) for drawn in drawing.tables], user=user, keeper=keeper
        )
        use_up(drawing)
    return tables


def laid_of(drawing: Drawing, drawn: Drawn, **more: Any) -> Laid:
    """The drawn table as it is to be opened; `more` of it is otherwise."""
    members = {pk: drawing.present[pk].member for pk in drawn.people}
    starters = [members[pk] for pk in drawing.starters(drawn)]
    deals = members[drawn.deals] if drawn.deals in drawing.starters(drawn) else next(iter(starters), None)
    late = [members[pk] for pk in drawing.latecomers(drawn)]
    values = {
        "game": drawn.game, "people": starters, "deals": deals, "late": late,
        "dealer_by": how_found(drawn.game, deals, drawing.champion), "plan": drawing.plan_of(drawn),
        "house_rules": drawing.rules_of(drawn.game), **more,
    }  # fmt: skip
    return Laid(**values)


def use_up(drawing: Drawing) -> None:
    """What was drawn is opened, and with it the night has begun."""
    night = drawing.night
    night.drawn = {}
    night.begun_at = night.begun_at or timezone.now()
    night.save(update_fields=["drawn", "begun_at"])


def how_found(game: Game, deals: Member | None, champion: Member | None) -> str:
    """How it was found who deals first, as the sheet says it."""
    is_champion = champion is not None and deals is not None and deals.main_record == champion.main_record
    return "champion" if is_champion and game.play_off.champion_deals else game.first_dealer_by.word


def free_numbers(night: Night, count: int) -> range:
    """The numbers of the next tables: a night counts them through, whatever is played at them."""
    last = max(night.tables.filter(withdrawn_at__isnull=True).values_list("number", flat=True), default=0)
    return range(last + 1, last + 1 + count)


def open_laid(night: Night, laid: Sequence[Laid], *, user: User | None, keeper: str) -> list[Table]:
    """Open the tables with their sheets, chairs and codes, in as many queries as one. Raises `NotOpened`."""
    numbers = free_numbers(night, len(laid))
    for table, number in zip(laid, numbers, strict=True):
        if not table.people:
            raise NotOpened(number, Problem("bad-players", table.game.players_sentence(), "players"))
    called = [distinct_names([*table.people, *table.late]) for table in laid]
    set_ups = [
        set_up_of(night, table, number, names) for table, number, names in zip(laid, numbers, called, strict=True)
    ]
    candidates = [table.player_of(member) for table in laid for member in table.people]
    by = Opener(hashed(new_token()), new_token(), user, keeper_name=keeper, candidates=candidates, is_counted=False)
    with transaction.atomic():
        opened = open_sheets(set_ups, by, sure=True)
        if isinstance(opened, NoneOpened):
            raise NotOpened(numbers[opened.at], opened.refused.problems[0])
        tables = [
            Table(
                night=night, number=number, label=table.label, game=table.game.slug, sheet=result.sheet,
                stage=table.stage, plan=dict(table.plan), house_rules=dict(table.house_rules),
            )
            for table, number, result in zip(laid, numbers, opened, strict=True)
        ]  # fmt: skip
        add_rows(tables)
        add_rows([
            Chair(table=table, place=place, member=member, deals=member == laid_table.deals)
            for table, laid_table in zip(tables, laid, strict=True)
            for place, member in enumerate([*laid_table.people, *laid_table.late], 1)
        ])  # fmt: skip
        give_codes(tables)
        announce_tables(night, tables)
    return tables


def announce_tables(night: Night, tables: Sequence[Table]) -> None:
    """Let those who sit at them hear of it."""
    are_finals = any(table.stage and table.stage.is_final for table in tables)
    kind, drawn = Event.Kind.FINALS if are_finals else Event.Kind.DRAWN, [table.pk for table in tables]
    announce(night.club, kind, f"{drawn[0]}", night=night, tables=drawn)


def set_up_of(night: Night, table: Laid, number: int, called: Mapping[int, str]) -> SetUp:
    """How the sheet of the table is opened."""
    club = night.club
    home = table.stage.play_off if table.stage else night
    return SetUp(
        game=table.game.slug, players=[
            Somebody(called[member.pk], table.player_of(member), wish=wish_of(member.main_record))
            for member in table.people
        ],
        first_dealer=table.people.index(table.deals) if table.deals else 0, dealer_by=table.dealer_by, plan=table.plan,
        house_rules=table.house_rules, coming=[called[member.pk] for member in table.late][:MOST_COMING],
        title=title_of(night, number, table.label), club_name="" if club.is_evening else club.name,
        home=home.get_absolute_url(),
        members_only=club.visibility == Club.Visibility.MEMBERS, decides=table.decides,
    )  # fmt: skip


def title_of(night: Night, number: int, label: str = "") -> str:
    """What stands over the sheet: "Thursday night, table 2", "Thursday night, winners’ table"."""
    end = f", {label[0].lower()}{label[1:]}" if label else f", table {number}"
    return f"{str(night)[: LONGEST_TITLE - len(end)]}{end}"


def give_chair(table: Table, member: Member) -> bool:
    """Somebody who came unannounced gets a chair at a table that plays: they are dealt in there by Rule 1.

    Whether there was one for them: the table is not over, and they sit at none that plays. Nobody joins a play-off once
    its groups are played.
    """
    if table.stage and table.stage.side != Stage.Side.ALL:
        return False
    with transaction.atomic():
        Night.objects.select_for_update().filter(pk=table.night_id).values_list("pk").first()
        sheet = Sheet.objects.select_for_update().get(table=table)
        playing = Chair.objects.filter(table__in=table.night.tables.standing().playing(), member=member)
        if sheet.finished_at is not None or len(sheet.coming) >= MOST_COMING or playing.exists():
            return False
        chairs = list(table.chairs.select_related("member"))
        called = distinct_names([*(chair.member for chair in chairs), member])
        sheet.coming = [*sheet.coming, called[member.pk]]
        sheet.save(update_fields=["coming"])
        last = max((chair.place for chair in chairs), default=0)
        Chair.objects.create(table=table, place=last + 1, member=member)
    return True


def take_back(night: Night) -> int:
    """Take the tables away again at which nothing was written yet, so that they can be drawn anew; how many it were.

    The groups of a play-off are taken away together or not at all, and it is called off with them.
    """
    with transaction.atomic():
        begun = Table.objects.filter(Q(sheet__begun=True) | ~Q(stage__side=Stage.Side.ALL))
        blank_play_offs = night.play_offs.filter(called_off_at__isnull=True).exclude(stages__tables__in=begun)
        free = Q(stage__isnull=True) | Q(stage__play_off__in=blank_play_offs)
        blank = night.tables.standing().filter(free, sheet__begun=False, source=Table.Source.DRAWN)
        # What is written on a sheet is written with its row held, and one that was begun since stays.
        list(Sheet.objects.select_for_update().filter(table__in=blank).values_list("pk"))
        pks = list(blank.values_list("pk", flat=True))
        ended = PlayOff.objects.filter(stages__tables__in=pks).distinct()
        if PlayOff.objects.filter(pk__in=list(ended.values_list("pk", flat=True))).update(called_off_at=timezone.now()):
            Night.objects.filter(pk=night.pk, trophies=Follows.PLAY_OFF).forget_trophies()
        taken = Table.objects.filter(pk__in=pks).update(withdrawn_at=timezone.now())
        Night.objects.filter(pk=night.pk, trophies_table__in=pks).forget_trophies()
        if taken and not night.tables.standing().exists():
            Night.objects.filter(pk=night.pk).told_again(begun_at=None)
    return taken


# What is played for


def trophy_tables(night: Night) -> list[Table]:
    """The tables of the night at which it can be played for the trophies."""
    return list(night.tables.standing().filter(game__in=trophy_games()))


def follow(night: Night, answer: str) -> bool:
    """What the trophies follow tonight: "play-off", "nothing", or "table-<number>"; whether that is an answer."""
    number = answer.removeprefix(AT_TABLE) if answer.startswith(AT_TABLE) else ""
    table = next((table for table in trophy_tables(night) if str(table.number) == number), None)
    if table is None and answer not in (Follows.PLAY_OFF, Follows.NOTHING):
        return False
    night.trophies, night.trophies_table = (Follows.TABLE if table else answer), table
    with transaction.atomic():
        night.save(update_fields=["trophies", "trophies_table"])
    return True


def forget_planned_play_off(night: Night) -> None:
    """Plain tables were opened, and nobody was to be asked: a play-off that was only planned decides nothing there."""
    is_planned = night.trophies == Follows.PLAY_OFF
    if is_planned and not PlayOff.objects.filter(night=night, called_off_at__isnull=True).exists():
        night.trophies = ""
        night.save(update_fields=["trophies"])


def say_stakes(night: Night) -> None:
    """Write at the head of every sheet of the night what is played for, or what its finals came to.

    Four queries at most, however many they are; once a play-off is decided those of `play_offs.state.now` as well.
    """
    eligible = trophy_tables(night)
    trophies = list(
        Trophy.objects.filter(
            club=night.club, archived_at__isnull=True, goes__in=(Trophy.Goes.WINNER, Trophy.Goes.LOSER)
        ).defer("picture")
    )
    standing = night.tables.standing().filter(sheet__isnull=False).annotate(people=Count("chairs"))
    tables = list(standing.select_related("sheet", "stage__play_off"))
    stages: dict[Stage, list[int]] = {}
    for table in tables:
        if table.stage:
            stages.setdefault(table.stage, []).append(table.people)  # type: ignore[attr-defined]  # annotated
    over = next((stage.play_off for stage in stages if stage.play_off.decided_at), None)
    outcome = now(over).outcome if over and not over.called_off_at else None
    crossed = outcome.crossed if outcome else None
    changed = []
    for table in tables:
        if table.sheet:
            table.night = night
            stakes = stakes_of(night, table, eligible, trophies, stages, crossed=crossed)
            if table.sheet.stakes != stakes:
                table.sheet.stakes = stakes
                changed.append(table.sheet)
    # The row of a sheet is held by who writes on it: nobody waits for one that stays as it is.
    Sheet.objects.bulk_update(changed, ["stakes"])


def stakes_of(
    night: Night, table: Table, eligible: Sequence[Table], trophies: Sequence[Trophy],
    stages: Mapping[Stage, Sequence[int]], *, crossed: bool | None = None,
) -> str:  # fmt: skip
    """What is played for at a table; "" where there is nothing to say.

    `eligible` are the night's tables of games that are played for the `trophies`, `stages` those of its play-off,
    each with how many sit at its tables. Whether the loser's trophy `crossed` over is known once its finals are
    decided. What was answered for the trophies is told at the other tables too: those there hold one perhaps.
    """
    if night.for_fun:
        return "Just for fun: it counts for nothing."
    if table.stage and table.stage.play_off.called_off_at is None:
        for_them = table in eligible and night.trophies in ("", Follows.PLAY_OFF)
        return stakes_of_play_off(table, stages, trophies if for_them else None, crossed=crossed)
    if table not in eligible and not night.trophies:
        return ""
    names = as_text(listed([as_text(trophy.name) for trophy in trophies]))
    names = names if 0 < len(names) < LONGEST_STAKES - 40 else "the trophies"
    if night.trophies == Follows.NOTHING:
        return "No trophies tonight."
    if night.trophies == Follows.PLAY_OFF:
        return f"A play-off decides who takes {names}."
    if night.trophies == Follows.TABLE and night.trophies_table:
        here = night.trophies_table == table
        return f"Played for {names}." if here else f"{night.trophies_table} plays for {names}."[:LONGEST_STAKES]
    return f"Played for {names}." if trophies and len(eligible) == 1 else ""
