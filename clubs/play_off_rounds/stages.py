"""The stages of a play-off: groups are opened; later stages are drawn, opened, stopped and drawn again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from clubs.access.outdated import TABLES_HAVE_CHANGED, NotNow, mark_for
from clubs.access.visit import Visit
from clubs.members.keep_apart import pairs_apart
from clubs.models import Club, Member, Night, PlayOff, Stage, Table, User
from clubs.nights.seating import first_jack, seat
from clubs.play_off_rounds.sheet_rules import decides_of, members_for, rules_for, same_length
from clubs.play_offs.plan import length
from clubs.play_offs.state import Due, PlayOffNow, now, play_off_of
from clubs.play_offs.table_state import Seated, StageNow
from clubs.tables.control import stop_after
from clubs.tables.draft import Drawing
from clubs.tables.open import Laid, NotOpened, laid_of, open_laid, say_stakes, use_up
from clubs.trophies.register import champion, trophy_games
from rules.core.game import Game
from rules.core.playoffs.cut import sizes_of_groups
from rules.core.playoffs.plan import PlayOffPlan
from rules.core.problems import Problem
from rules.core.stakes import group
from scoresheets.models import Sheet

Side = Stage.Side
ONE_GAME = Problem("bad-game", "All groups of a play-off play the same game.", "game")
NOT_SO_MANY = Problem("bad-places", "Not every group has that many players.", "places")
FINAL_OF_ONE = Problem(
    "final-of-one",
    "One person alone cannot play a final: let somebody who was left out play after all, or call off the play-off.",
    "players",
)
GIVEN_UP = "This table was drawn again: its sheet is closed and does not count."


# The groups


def open_groups(
    drawing: Drawing, plan: PlayOffPlan, *, mixed: str = PlayOff.Mixed.RANDOM, carry_over: bool = False,
    cut_by_high_card: bool = False, user: User | None, keeper: str,
) -> PlayOff:  # fmt: skip
    """Open every table that is drawn as a group of a play-off, all of them or none; the drawing is used up with it.

    Where the night has a play-off already it is that one: the tap came twice. Raises `NotOpened`.
    """
    night = drawing.night
    with transaction.atomic():
        list(Night.objects.select_for_update(of=("self",)).filter(pk=night.pk).values_list("pk"))
        standing = play_off_of(night)
        if standing is not None:
            return standing
        check_groups(drawing, plan)
        game = drawing.tables[0].game
        losers_count = plan.losers_count if plan.losers else 0
        play_off = PlayOff.objects.create(
            night=night, game=game.slug, places=plan.places, losers_count=losers_count, carry_over=carry_over,
            cut_by_high_card=cut_by_high_card, mixed=mixed, final_hands=plan.final_hands,
        )  # fmt: skip
        stage = Stage.objects.create(play_off=play_off, number=1, side=Side.ALL, hands=plan.hands, places=plan.places)
        decides = group(plan.places, losers_count, high_card=cut_by_high_card)
        rules = same_length(game, drawing.rules_of(game))
        laid = [
            laid_of(
                drawing, drawn, label=f"Group {number}", decides=decides, plan=length(plan.hands), house_rules=rules,
                stage=stage,
            )
            for number, drawn in enumerate(drawing.tables, 1)
        ]  # fmt: skip
        open_laid(night, laid, user=user, keeper=keeper)
        use_up(drawing)
        if play_off.game in trophy_games():
            night.trophies, night.trophies_table = Night.Follows.PLAY_OFF, None
            night.save(update_fields=["trophies", "trophies_table"])
        say_stakes(night)
    return play_off


def check_groups(drawing: Drawing, plan: PlayOffPlan) -> None:
    """Raises `NotOpened` where these tables cannot be the groups of such a play-off."""
    sizes = [len(drawn.people) for drawn in drawing.tables]
    if not sizes or len({drawn.game.slug for drawn in drawing.tables}) != 1:
        raise NotOpened(1, ONE_GAME)
    for number, size in enumerate(sizes, 1):
        if not 1 <= plan.places <= size or plan.places + (plan.losers_count or 0) > size:
            raise NotOpened(number, NOT_SO_MANY)


# What comes after them


@dataclass
class NextTable:
    """A table of the next stage: its people clockwise, and who of them (a player) deals first."""

    people: list[Seated]
    deals: int
    dealer_by: str
    label: str

    @property
    def dealer(self) -> Seated:
        return next(person for person in self.people if person.player == self.deals)


@dataclass
class Proposed:
    """A stage as it is drawn, before it is opened. `leaving` belong to it and have gone home.

    `places` is how many go on from each of its tables; None: it is a final.
    """

    due: Due
    tables: list[NextTable]
    leaving: tuple[Seated, ...] = ()
    places: int | None = None
    problems: list[Problem] = field(default_factory=list)

    @property
    def side(self) -> str:
        return self.due.side

    @property
    def number(self) -> int:
        return self.due.number

    @property
    def is_blocked(self) -> bool:
        return any(problem.blocking for problem in self.problems)

    @property
    def mark(self) -> str:
        """It tells two drawings apart, so that nobody opens what they have not seen."""
        content = [self.side, self.number, self.places, sorted(self.due.ids)]
        content += [[[person.player for person in table.people], table.deals] for table in self.tables]
        return mark_for(content)


def draw_next(
    state: PlayOffNow, due: Sequence[Due] | None = None, *, leaving: Collection[int] = (), again: int = 0,
    places: Mapping[str, int] | None = None,
) -> list[Proposed]:  # fmt: skip
    """Draw what is due: tables, seats, and who deals first, which is the champion where they sit, else the first jack.

    `leaving` are players (ids) who have gone home since. Pairs that are kept apart sit at different tables where a
    side has several. The same state draws the same, until somebody wants it `again` (a number); `places` by side are
    how many go on from each table of another round, where it is not what is proposed.
    """
    club, chosen = state.play_off.night.club, places or {}
    holder, apart, away = champion(club), pairs_apart(club), set(leaving)
    wanted = state.due if due is None else due
    return [drawn_side(state, stage, away, holder, apart, again, chosen.get(stage.side)) for stage in wanted]


def drawn_side(
    state: PlayOffNow, due: Due, leaving: set[int], holder: Member | None, apart: Collection[frozenset[int]],
    again: int, places: int | None,
) -> Proposed:  # fmt: skip
    """One side of it."""
    people = {person.player: person for person in due.players if person.player not in leaving}
    seed = f"{state.play_off.uid} {due.side} {due.number} {again}"
    sizes = sizes_of_groups(len(people), most=state.game.made_for[-1])
    members = {person.member.pk: person.player for person in people.values() if person.member}
    foes = [frozenset(members[pk] for pk in pair) for pair in apart if pair <= members.keys()]
    seated = seat(people, sizes, seed=seed, apart=foes) if people else []
    goes_on = None if len(sizes) < 2 else (places or due.places or 1)
    tables = []
    for at, ids in enumerate(seated, 1):
        here = [people[player] for player in ids]
        deals, dealer_by = who_deals(state.game, here, holder, seed=f"{seed} {ids}")
        tables.append(NextTable(here, deals, dealer_by, label_of(due.side, at if goes_on else None, state)))
    gone = tuple(person for person in due.players if person.player in leaving)
    return Proposed(due, tables, gone, goes_on, list(problems_of(state.game, sizes, goes_on)))


def who_deals(game: Game, here: Sequence[Seated], holder: Member | None, *, seed: str) -> tuple[int, str]:
    """Who (a player) deals first at a table, and how that was found."""
    defends = next(
        (person for person in here if holder and person.member and person.member.main_record == holder.main_record),
        None,
    )
    if defends and game.play_off.champion_deals:
        return defends.player, "champion"
    return here[first_jack(len(here), seed=seed)].player, game.first_dealer_by.word


def label_of(side: str, at: int | None, state: PlayOffNow) -> str:
    """What a table is called: "Winners’ table", "Losers’ group 2", "Final" where there is but one."""
    if at is None and side == Side.WINNERS and not state.has_losers:
        return "Final"
    whose = "Winners’" if side == Side.WINNERS else "Losers’"
    return f"{whose} table" if at is None else f"{whose} group {at}"


def problems_of(game: Game, sizes: Sequence[int], places: int | None) -> Iterable[Problem]:
    """What is wrong, or unwise, about tables of these sizes."""
    if min(sizes, default=0) < 2:
        yield FINAL_OF_ONE
    elif sizes[-1] not in game.players:
        yield Problem("bad-players", game.players_sentence(), "players")
    elif sizes[-1] not in game.made_for:
        few = f"Only {sizes[-1]} would play there: {game.name} is made for {game.made_for[0]} or more."
        yield Problem("small-final", few, "players", blocking=False)
    if places is not None and not 1 <= places < sizes[-1]:
        yield NOT_SO_MANY


def open_next(
    play_off: PlayOff, proposed: Sequence[Proposed], *, hands: int | Mapping[str, int], user: User | None, keeper: str
) -> list[Stage]:
    """Open what was drawn, all of it or nothing. `hands` for all, or by side.

    Who was written in on a sheet and is no member gets a guest's record, so that they have a chair. A stage that was
    opened meanwhile for the same people is answered as it is. Raises `NotOpened`, and `NotNow` where other people
    belong there by now.
    """
    with transaction.atomic():
        night = Night.objects.select_for_update(of=("self",)).select_related("club").get(pk=play_off.night_id)
        play_off.night = night
        state = now(play_off)
        standing = {drawn.side: state.stage_of(drawn.side, drawn.number) for drawn in proposed}
        wanted = [drawn for drawn in proposed if standing[drawn.side] is None]
        check_next(state, proposed, wanted, standing)
        stages = {side: stage.stage for side, stage in standing.items() if stage is not None}
        if wanted:
            stages |= {stage.side: stage for stage in lay_next(state, wanted, hands, user=user, keeper=keeper)}
            say_stakes(night)
    return [stages[drawn.side] for drawn in proposed]


def check_next(
    state: PlayOffNow, proposed: Sequence[Proposed], wanted: Sequence[Proposed],
    standing: Mapping[str, StageNow | None],
) -> None:  # fmt: skip
    """Raises `NotNow` or `NotOpened` where that cannot be opened."""
    due = {(stage.side, stage.number): stage.ids for stage in state.due}
    for drawn in proposed:
        there = standing[drawn.side]
        if drawn.due.ids != (set(there.stage.drawn_for) if there else due.get((drawn.side, drawn.number))):
            raise NotNow(TABLES_HAVE_CHANGED)
    if state.play_off.called_off_at is not None:
        raise NotNow(TABLES_HAVE_CHANGED)
    for drawn in wanted:
        wrong = next((problem for problem in drawn.problems if problem.blocking), None)
        if wrong or not drawn.tables:
            raise NotOpened(1, wrong or FINAL_OF_ONE)


def lay_next(
    state: PlayOffNow, wanted: Sequence[Proposed], hands: int | Mapping[str, int], *, user: User | None, keeper: str
) -> list[Stage]:
    """The rows of stages that can be opened: as many queries for forty tables as for two."""
    play_off = state.play_off
    people = [person for drawn in wanted for table in drawn.tables for person in table.people]
    members = members_for(play_off, people)
    stages, laid = [], []
    for drawn in wanted:
        many = hands if isinstance(hands, int) else hands[drawn.side]
        stage = Stage.objects.create(
            play_off=play_off, number=drawn.number, side=drawn.side, hands=many, places=drawn.places,
            drawn_for=sorted(drawn.due.ids),
        )  # fmt: skip
        stages.append(stage)
        laid += [laid_next(state, drawn, table, stage, members) for table in drawn.tables]
    open_laid(play_off.night, laid, user=user, keeper=keeper)
    return stages


def laid_next(
    state: PlayOffNow, drawn: Proposed, table: NextTable, stage: Stage, members: Mapping[int, Member]
) -> Laid:
    """One table of it, as it is to be opened."""
    play_off, first = state.play_off, state.groups.tables[0].table
    start = {}
    if play_off.carry_over:
        start = {place: person.total for place, person in enumerate(table.people, 1)}
    return Laid(
        game=state.game, people=[members[person.player] for person in table.people], deals=members[table.deals],
        dealer_by=table.dealer_by, plan=length(stage.hands), label=table.label, stage=stage,
        house_rules=rules_for(state.game, len(table.people), length(stage.hands), first.house_rules),
        decides=decides_of(play_off, drawn.side, drawn.places, start, has_losers=state.has_losers),
        sit_as={members[person.player].pk: person.player for person in table.people},
    )  # fmt: skip


# While it is played


def stop_stage(request: HttpRequest, visit: Visit, stage: Stage, hand: int | None, *, key: str) -> int:
    """All tables of the stage stop after the same hand (None: the furthest that is open); how many were told.

    The same tap again tells nobody anew. Raises `clubs.tables.control.NotStopped`, with the hand it can be at the
    least.
    """
    return stop_after(request, visit, stage, hand, key=key)


# Drawn anew, and the way back


def abandon(stage: Stage) -> list[Stage]:
    """The stage counts for nothing any more, and what was drawn from it neither: their sheets are kept, closed to the
    night. Which stages it were; none the second time. The groups themselves are called off, not abandoned.
    """
    if stage.side == Side.ALL:
        raise ValueError("Groups are called off with their play-off.")
    with transaction.atomic():
        night = Night.objects.select_for_update(of=("self",)).select_related("club").get(pk=stage.play_off.night_id)
        gone = list(
            stage.play_off.stages.standing().select_for_update().filter(side=stage.side, number__gte=stage.number)
        )
        if stage not in gone:
            return []
        moment = timezone.now()
        Stage.objects.filter(pk__in=[dropped.pk for dropped in gone]).update(abandoned_at=moment)
        tables = Table.objects.filter(stage__in=gone, withdrawn_at__isnull=True).select_related("sheet")
        touched = list(tables)
        Table.objects.filter(pk__in=[table.pk for table in touched]).update(withdrawn_at=moment)
        Sheet.objects.filter(table__in=touched).update(stakes=GIVEN_UP, closed=GIVEN_UP, asks_since=None)
        say_stakes(night)
    stage.refresh_from_db()
    return gone


def restore(stage: Stage) -> list[Stage]:
    """The way back: the stage counts again, and what was drawn in its place is abandoned. Which stages stand by it."""
    with transaction.atomic():
        night = Night.objects.select_for_update(of=("self",)).select_related("club").get(pk=stage.play_off.night_id)
        stage.refresh_from_db()
        if stage.abandoned_at is None:
            return []
        instead = stage.play_off.stages.standing().filter(side=stage.side, number=stage.number).first()
        if instead is not None:
            abandon(instead)
        # What was drawn from it went with it in the same moment, and comes back with it.
        back = list(stage.play_off.stages.filter(
            side=stage.side, number__gte=stage.number, abandoned_at=stage.abandoned_at
        ))  # fmt: skip
        tables = list(Table.objects.filter(stage__in=back, withdrawn_at=stage.abandoned_at).select_related("sheet"))
        Stage.objects.filter(pk__in=[returned.pk for returned in back]).update(abandoned_at=None)
        bring_back(night, tables)
        say_stakes(night)
    stage.refresh_from_db()
    return back


def bring_back(night: Night, tables: Sequence[Table]) -> None:
    """The tables belong to the night again, under their numbers where those are free."""
    taken = set(night.tables.filter(withdrawn_at__isnull=True).values_list("number", flat=True))
    for table in tables:
        if table.number in taken:
            table.number = max(taken) + 1
        taken.add(table.number)
        table.withdrawn_at, table.night = None, night
    Table.objects.bulk_update(tables, ["number", "withdrawn_at"])
    shut = night.club.visibility == Club.Visibility.MEMBERS
    Sheet.objects.filter(table__in=tables).update(stakes="", closed="", members_only=shut)
