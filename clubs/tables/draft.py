"""The draft of a night's tables: drawn for the organiser, and not opened yet.

It is stored with the night, so that a phone that falls asleep loses nothing and two organisers see the same.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from clubs.access.outdated import mark_for
from clubs.members.keep_apart import pairs_apart
from clubs.models import Member, Night, PlayOff, Table
from clubs.nights.nights import game_for, wanted_game, whereabouts
from clubs.nights.roll_call import Line, chairs_for, roll
from clubs.nights.seating import fewest_tables, first_jack, pairs_of, seat, sit_together, sizes_of
from clubs.play_offs.plan import Planned
from clubs.standings.league import league_now, league_of
from clubs.tables.drawn_table import Drawn
from clubs.tables.snake import snake
from clubs.trophies.register import champion
from rules import all_games
from rules.core.fields import Value
from rules.core.game import Game
from rules.core.playoffs.cut import sizes_of_groups
from rules.core.problems import Problem
from scoresheets.log.limits import plan_choices
from scoresheets.opening.game_cards import length_of, takes_latecomers
from scoresheets.opening.schedule import Outlook, outlook
from scoresheets.wording.markup import as_text, listed

MOST_TABLES = 50
#: How much a pair should not meet again: who sat together tonight, and who did last time.
TONIGHT, LAST_TIME = 3, 2
#: Those who come later are spread over the tables.
BOTH_LATE = 1


def tables_for(people: int, game: Game) -> list[Drawn]:
    """As few tables of the game as hold so many people."""
    return [Drawn(game) for _ in range(fewest_tables(people, game.made_for) or int(people in game.players))]


class Drawing:
    """What is drawn for a night. Where nothing was kept yet, or nothing by hand, it is drawn from who is there.

    `round` counts how often it was drawn; `by_hand` says that people were moved, `sized` that tables were added or
    taken away. `play_off` is what was planned where the tables are the groups of one, `no_more` what was planned and
    cannot be played by those who are there now. `mark` tells two states of it apart, so that nobody changes what
    they have not seen.
    """

    def __init__(self, night: Night) -> None:
        self.night = night
        self.where = whereabouts(night)
        self.lines = {line.member.pk: line for line in roll(night, self.where)}
        kept = night.drawn
        self.round: int = kept.get("round", 0)
        self.by_hand: bool = kept.get("by_hand", False)
        self.sized: bool = kept.get("sized", False)
        self.house_rules: dict[str, dict[str, Value]] = kept.get("house_rules", {})
        self.as_last_time: dict[str, dict[str, Value]] = {}
        self.play_off = Planned.read(kept.get("play_off"))
        self.no_more: Planned | None = None
        games = {game.slug: game for game in all_games()}
        self.tables = [
            Drawn(games[table["game"]], list(table["people"]), table["deals"], table["plan"], table["held"])
            for table in kept.get("tables", ()) if table["game"] in games
        ]  # fmt: skip
        is_same = kept.get("people") == sorted(self.present) and kept.get("chairs", self.chairs) == self.chairs
        if not self.by_hand and not is_same:
            self.begin()
        for drawn in self.tables:
            # Who went home since, or got a chair elsewhere, has none here.
            drawn.people = [person for person in drawn.people if person in self.present]
            self.find_dealer(drawn)

    @property
    def seed(self) -> str:
        """By it the same people are drawn the same way, until somebody asks for another drawing."""
        return f"{self.night.uid} {self.round}"

    @property
    def mark(self) -> str:
        return mark_for(self.as_kept())

    def as_kept(self) -> dict[str, Any]:
        return {
            "round": self.round, "by_hand": self.by_hand, "sized": self.sized, "house_rules": self.house_rules,
            "people": sorted(self.present), "chairs": self.chairs, "tables": [drawn.as_kept() for drawn in self.tables],
            **({"play_off": self.play_off.as_kept()} if self.play_off else {}),
        }  # fmt: skip

    # -- who -----------------------------------------------------------------------------------------

    @cached_property
    def present(self) -> dict[int, Line]:
        """Those who get a chair: here or still coming, and not at a table that plays."""
        busy = self.where.busy
        return {pk: line for pk, line in self.lines.items() if line.is_in and pk not in busy}

    @cached_property
    def wanted(self) -> Game:
        """What is to be played tonight."""
        return wanted_game(self.night)

    @property
    def game(self) -> Game:
        """What those who are there play at plain tables."""
        return game_for(len(self.present), self.night, self.wanted)

    @cached_property
    def champion(self) -> Member | None:
        return champion(self.night.club)

    @cached_property
    def apart(self) -> set[frozenset[int]]:
        return pairs_apart(self.night.club)

    @property
    def outside(self) -> list[Line]:
        """Who is present and has no chair."""
        seated = {person for drawn in self.tables for person in drawn.people}
        return [line for pk, line in self.present.items() if pk not in seated]

    def starters(self, drawn: Drawn) -> list[int]:
        """Who sits there from the first hand on."""
        return [person for person in drawn.people if not self.present[person].is_late]

    def latecomers(self, drawn: Drawn) -> list[int]:
        return [person for person in drawn.people if self.present[person].is_late]

    # -- drawing -------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Draw whoever is there: at the fewest tables of what the club always plays, unless tables were chosen."""
        if self.play_off:
            self.fit_groups()
        elif not self.sized:
            self.tables = tables_for(self.chairs_for(self.game), self.game)
        self.draw()

    def play(self, game: Game) -> None:
        """Tonight this game is played, at plain tables: all that are not held are drawn anew for it."""
        self.night.game, self.wanted = game.slug, game
        self.play_off = None
        held = [drawn for drawn in self.tables if drawn.held]
        seated = {person for drawn in held for person in drawn.people}
        free = chairs_for((line for pk, line in self.present.items() if pk not in seated), game)
        self.tables = [*held, *tables_for(free, game)]
        self.by_hand, self.sized = bool(held), False
        self.draw()

    def again(self) -> None:
        """Another drawing of the same people."""
        self.round += 1
        self.by_hand = any(drawn.held for drawn in self.tables)
        self.draw()

    def plan(self, play_off: Planned) -> None:
        """The tables are the groups of this play-off from now on; groups of other sizes are drawn anew."""
        before, self.play_off = self.play_off, play_off
        stays = before is not None and (before.game, before.groups, before.mixed) == (
            play_off.game, play_off.groups, play_off.mixed
        )  # fmt: skip
        if not stays:
            self.tables = [Drawn(play_off.game) for _ in range(play_off.groups)]
            self.by_hand = self.sized = False
            self.draw()

    def plan_no_play_off(self) -> None:
        """Plain tables after all."""
        self.play_off = None
        self.by_hand = self.sized = False
        self.begin()

    @property
    def planned_now(self) -> Planned | None:
        """The play-off with as many in each group as sit there now: by hand they may have been moved."""
        sizes = [len(drawn.people) for drawn in self.tables]
        return self.play_off.with_groups_of(sizes) if self.play_off and all(sizes) and sizes else self.play_off

    def fit_groups(self) -> None:
        """Others are there now: the play-off is planned for them, as far as it can be as it was."""
        fitting = self.play_off.for_so_many(self.chairs_wanted) if self.play_off else None
        if fitting is None:
            self.no_more = self.play_off
            self.plan_no_play_off()
            return
        self.play_off = fitting
        self.tables = [Drawn(fitting.game) for _ in range(fitting.groups)]

    @property
    def chairs(self) -> int:
        """How many can sit down now: another number once somebody has come who was too late to join."""
        late = any(line.is_late for line in self.present.values())
        return self.chairs_for(self.play_off.game if self.play_off else self.game) if late else len(self.present)

    @property
    def chairs_wanted(self) -> int:
        """How many are to sit in the groups: those who come later only where they can still join."""
        return self.chairs_for(self.play_off.game if self.play_off else self.wanted)

    def chairs_for(self, game: Game) -> int:
        """The same at tables of that game."""
        return chairs_for(self.present.values(), game)

    def draw(self) -> None:
        """Draw all tables that are not held."""
        free = [drawn for drawn in self.tables if not drawn.held]
        if not free:
            return
        held = {person for drawn in self.tables if drawn.held for person in drawn.people}
        late = [pk for pk, line in self.present.items() if line.is_late and pk not in held]
        here = [pk for pk, line in self.present.items() if not line.is_late and pk not in held]
        joined = [at for at, drawn in enumerate(free) if takes_latecomers(drawn.game)]
        sizes = self.sizes(len(here) + (len(late) if joined else 0), free)
        late = late[: sum(sizes[at] for at in joined)]
        # Who is left over stays outside: whoever is last on the roll, and who comes later before who is here.
        chairs = sum(sizes)
        here = here[: chairs - len(late)]
        if len(here) + len(late) < chairs:
            sizes = self.sizes(len(here) + len(late), free)
        seated = self.seated(here, late, sizes, joined)
        for drawn, people in zip(free, seated, strict=True):
            drawn.people, drawn.deals = people, None
            self.find_dealer(drawn)

    def sizes(self, people: int, free: Sequence[Drawn]) -> list[int]:
        """How many sit at each of these tables: of a play-off as even as can be, whatever the game is made for."""
        if self.play_off and people >= len(free):
            return list(sizes_of_groups(people, len(free)))
        return sizes_of(people, [drawn.game.made_for for drawn in free])

    def seated(self, here: list[int], late: list[int], sizes: list[int], joined: list[int]) -> list[list[int]]:
        """Who sits at each table, as it was chosen: drawn, mixed by standing, or nobody yet."""
        mixed = self.play_off.mixed if self.play_off else PlayOff.Mixed.RANDOM
        if mixed == PlayOff.Mixed.HAND:
            return [[] for _ in sizes]
        if mixed == PlayOff.Mixed.STANDING:
            return snake(self.strongest_first([*here, *late]), sizes, seed=self.seed, apart=self.apart)
        return seat(
            here + late, sizes, seed=self.seed, apart=self.apart, met=self.met(late), only=dict.fromkeys(late, joined)
        )

    def strongest_first(self, people: Collection[int]) -> list[int]:
        """By the standing that is on, before its first game by that of all time; who has no place comes last."""
        club = self.night.club
        lines = league_now(club).lines or league_of(club, None).lines
        rank = {line.row.member_id: at for at, line in enumerate(lines)}
        dice = random.Random(f"{self.seed} newcomers")  # noqa: S311 - cards are no secret
        luck = {person: dice.random() for person in sorted(people)}
        return sorted(people, key=lambda person: (rank.get(person, len(rank)), luck[person]))

    def met(self, late: Collection[int] = ()) -> Mapping[frozenset[int], int]:
        """Who should not sit together again."""
        met = dict.fromkeys(pairs_of([late]), BOTH_LATE)
        for tables, weight in ((self.where.last, LAST_TIME), (self.where.tonight, TONIGHT)):
            for table in tables:
                pairs = pairs_of([self.where.people([table])])
                met |= {pair: met.get(pair, 0) + weight for pair in pairs}
        return met

    def find_dealer(self, drawn: Drawn) -> None:
        """Who deals first: the champion where they sit and the game wants it so, else who gets the first jack."""
        starters = self.starters(drawn)
        if drawn.deals in starters or not starters:
            drawn.deals = drawn.deals if drawn.deals in starters else None
            return
        if drawn.game.play_off.champion_deals and self.champion and self.champion.pk in starters:
            drawn.deals = self.champion.pk
        else:
            drawn.deals = starters[first_jack(len(starters), seed=f"{self.seed} {starters}")]

    # -- by hand -------------------------------------------------------------------------------------

    def bring(self, people: Collection[int], table: int | None) -> None:
        """Seat them at the table (its index), after those who sit there; None: at no table."""
        self.by_hand = True
        moved = [pk for pk in self.present if pk in people]
        target = self.tables[table] if table is not None else None
        for drawn in self.tables:
            if drawn is not target:
                drawn.people = [person for person in drawn.people if person not in moved]
        if target:
            target.people += [person for person in moved if person not in target.people]
        for drawn in self.tables:
            self.find_dealer(drawn)

    def swap(self, first: int, second: int) -> None:
        """Two change chairs."""
        self.by_hand = True
        for drawn in self.tables:
            drawn.people = [{first: second, second: first}.get(person, person) for person in drawn.people]
            if drawn.deals not in drawn.people:
                drawn.deals = None
            self.find_dealer(drawn)

    def hold(self, table: int) -> None:
        """The table stays as it is when the others are drawn again, or no more."""
        self.tables[table].held = not self.tables[table].held
        self.by_hand = True

    def have(self, game: Game, *, more: bool) -> None:
        """One table more of the game, or the last one of it less; then the tables are drawn anew."""
        same = [at for at, drawn in enumerate(self.tables) if drawn.game == game]
        if more and len(self.tables) < MOST_TABLES:
            self.tables.insert(same[-1] + 1 if same else len(self.tables), Drawn(game))
        elif same and not more:
            del self.tables[same[-1]]
        self.sized = True
        self.by_hand = any(drawn.held for drawn in self.tables)
        self.draw()

    def keep(self) -> None:
        """Keep it with the night."""
        self.night.drawn = self.as_kept()
        self.night.save(update_fields=["drawn", "game"])

    # -- what is said of it --------------------------------------------------------------------------

    def rules_of(self, game: Game) -> dict[str, Value]:
        """The house rules that are not as usual: as chosen here, else as the club played it last."""
        if game.slug in self.house_rules:
            return self.house_rules[game.slug]
        if game.slug not in self.as_last_time:
            played = Table.objects.filter(night__club=self.night.club, game=game.slug, source=Table.Source.DRAWN)
            last = played.order_by("-created", "-pk").first()
            usual = {rule.key: rule.default for rule in game.house_rules}
            before = last.house_rules.items() if last else ()
            # A play-off writes down rules that are as usual too: its tables must not differ.
            self.as_last_time[game.slug] = {key: value for key, value in before if key in usual and value != usual[key]}
        return self.as_last_time[game.slug]

    def plan_of(self, drawn: Drawn) -> dict[str, int]:
        """How long the table plays: as chosen, else as long as fits when all have come who are still coming."""
        if self.play_off:
            return self.play_off.length
        if drawn.plan and not self.stands_against(drawn, drawn.plan):
            return drawn.plan
        choices = plan_choices(drawn.game, len(drawn.people), self.rules_of(drawn.game))
        return choices[0].usual if choices else {}

    def stands_against(self, drawn: Drawn, plan: Mapping[str, int]) -> bool:
        """Whether so many cannot play like that."""
        problems = drawn.game.setup_problems(range(1, len(drawn.people) + 1), plan, self.rules_of(drawn.game))
        return any(problem.blocking for problem in problems)

    def outlook_of(self, drawn: Drawn, plan: Mapping[str, int]) -> Outlook | None:
        """Its hands and the time they may take; None where they are not planned, or the table cannot play."""
        if self.stands_against(drawn, plan):
            return None
        seats = range(1, len(drawn.people) + 1)
        return outlook(drawn.game, drawn.game.open_table(seats, 1, plan, self.rules_of(drawn.game)))

    def length_of(self, drawn: Drawn) -> str:
        """ "18 hands, about 1 h 50", "race to 11"; "" where the table cannot play."""
        plan = self.plan_of(drawn)
        looked = self.outlook_of(drawn, plan)
        if looked:
            return f"{looked.hands} {'hand' if looked.hands == 1 else 'hands'}, {looked.about}"
        if self.stands_against(drawn, plan):
            return ""
        seats = range(1, len(drawn.people) + 1)
        return length_of(drawn.game, drawn.game.open_table(seats, 1, plan, self.rules_of(drawn.game)))

    def problems(self, drawn: Drawn) -> Iterator[Problem]:
        """Everything wrong, or unwise, about opening the table like this."""
        starters, late = self.starters(drawn), self.latecomers(drawn)
        if late and not takes_latecomers(drawn.game):
            names = as_text(listed([self.present[person].member.called for person in late]))
            sentence = f"Still coming: {names}. Nobody joins {drawn.game.name} once it has begun."
            yield Problem("still-coming", sentence, "players")
        if len(drawn.people) == len(starters) or takes_latecomers(drawn.game):
            yield from self.problems_of_set_up(drawn, starters)

    def problems_of_set_up(self, drawn: Drawn, starters: list[int]) -> Iterator[Problem]:
        rules = self.rules_of(drawn.game)
        for problem in drawn.game.setup_problems(range(1, len(starters) + 1), self.plan_of(drawn), rules):
            # Too few to begin with is not unwise where the others are on their way.
            if problem.blocking or len(drawn.people) not in drawn.game.made_for:
                yield problem

    @property
    def is_ready(self) -> bool:
        return bool(self.tables) and not any(
            problem.blocking for drawn in self.tables for problem in self.problems(drawn)
        )

    @property
    def quarrels(self) -> int:
        """How many pairs that are kept apart sit together."""
        return len(sit_together([drawn.people for drawn in self.tables], self.apart))
