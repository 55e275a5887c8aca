"""The form that opens a sheet: its values so far, and what follows from them.

It works as plain posts: each button posts the whole form, with the action in `do`, and gets it back.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from django.core.exceptions import BadRequest
from django.http import QueryDict

from rules import all_games
from rules.core.fields import Value
from rules.core.game import Game
from rules.core.problems import Problem
from rules.core.table import Table
from scoresheets.log.text import clean_name, same_name
from scoresheets.models.sheet import new_token
from scoresheets.opening.defaults import Past
from scoresheets.opening.game_cards import GameCard, by_size, length_of, takes_latecomers, too_many
from scoresheets.opening.length_form import Planning
from scoresheets.opening.open_sheet import MOST_COMING, Checked, SetUp, Somebody, check_set_up
from scoresheets.opening.options_form import HouseForm, parse_whole
from scoresheets.opening.schedule import Outlook, outlook

#: Far above any table; who posts more is not this page.
MOST_ROWS = 60
DO = re.compile(r"(?P<verb>[a-z]+(?:-late)?)(?:-(?P<what>[0-9]{1,9}|[a-z_]{1,40}))?")


@dataclass(eq=False)
class PlayerRow:
    """A place in the order round the table. `pick` is the player somebody tapped, None for a typed name."""

    name: str
    pick: int | None = None
    #: Whether the name is shown as a field to type in.
    typing: bool = False
    problem: str = ""


class Opening:
    """A sheet that is being opened. `seen` are the codes of the warnings that have been shown."""

    def __init__(self, past: Past, game: Game | None = None) -> None:
        self.past = past
        self.games = by_size(all_games())
        self.game = game or next((game for game in self.games if game.slug == past.game), self.games[0])
        self.key = new_token()
        self.rows: list[PlayerRow] = []
        self.dealer: PlayerRow | None = None
        self.coming: list[str] = []
        self.planning = Planning(self)
        self.house = HouseForm(self.game, past.rule_answers.get(self.game.slug))
        self.title = self.keeper = self.typed = self.typed_late = ""
        #: The page on which a newly opened sheet goes on, where that is not the pad.
        self.goes_on = ""
        self.seen: set[str] = set()
        #: Whether somebody has said which game it is, now or the last time.
        self.knows_game = game is not None or self.game.slug == past.game
        self.problems: list[Problem] = []
        self.wrong: dict[str, str] = {}

    @classmethod
    def posted(cls, data: QueryDict, past: Past) -> Opening:
        """The form as it was posted. Raises `BadRequest` for what no page of ours sends."""
        names, picks = data.getlist("name"), data.getlist("pick")
        games = {game.slug: game for game in all_games()}
        slug = data.get("game", by_size(all_games())[0].slug)
        if len(names) != len(picks) or len(names) > MOST_ROWS or len(data.getlist("coming")) > MOST_ROWS:
            raise BadRequest
        if slug not in games:
            raise BadRequest
        form = cls(past, games[slug])
        form.key = data.get("key", "")
        form.rows = [PlayerRow(name, form.known(pick)) for name, pick in zip(names, picks, strict=True)]
        dealer = parse_whole(data.get("dealer", ""))
        form.dealer = form.rows[dealer - 1] if dealer is not None and 1 <= dealer <= len(form.rows) else None
        form.coming = data.getlist("coming")
        form.planning.by = data.get("by", "")
        form.planning.amounts = {
            name.removeprefix("plan-"): data.get(name, "") for name in data if name.startswith("plan-")
        }
        # Of another game than the one that was asked about: its own house rules come as usual.
        if data.get("asked", slug) == slug:
            form.house.take(data)
        form.title, form.keeper = data.get("title", ""), data.get("keeper", "")
        form.typed, form.typed_late = data.get("typed", ""), data.get("typed-late", "")
        form.goes_on = data.get("then", "") if data.get("then", "") in dict(form.card.ways_on) else ""
        form.seen = set(data.getlist("seen"))
        form.let_champion_deal()
        return form

    def known(self, pick: str) -> int | None:
        """The player of that id, if they are one of this browser's people."""
        pk = parse_whole(pick)
        return pk if pk in self.past.people else None

    # What the buttons do

    def act(self, do: str) -> None:
        """Do what a button says; what is wrong with that goes to `wrong`. Raises `BadRequest` for no button of ours."""
        match = DO.fullmatch(do)
        verb, what = (match["verb"], match["what"] or "") if match else ("", "")
        number = parse_whole(what) or 0
        row = self.rows[number - 1] if 1 <= number <= len(self.rows) else None
        if verb == "add":
            self.add()
        elif verb == "pick":
            self.pick(number)
        elif verb == "same":
            self.sit_as_before()
        elif verb in ("up", "down") and row:
            self.move(number - 1, -1 if verb == "up" else 1)
        elif verb == "rename" and row:
            row.typing = True
        elif verb == "remove" and row:
            self.remove(row)
        elif verb == "add-late":
            self.add_late()
        elif verb == "drop-late" and 1 <= number <= len(self.coming):
            del self.coming[number - 1]
        elif verb in ("more", "less") and what:
            self.planning.step(what, up=verb == "more")
        elif verb not in ("look", "up", "down", "rename", "remove", "drop-late"):
            raise BadRequest
        self.let_champion_deal()

    def add(self) -> None:
        """Seat the typed name as a new player."""
        name = self.clean("typed", self.typed)
        if name is not None:
            self.rows.append(PlayerRow(name))
            self.typed = ""

    def add_late(self) -> None:
        """Somebody is still coming."""
        name = self.clean("typed-late", self.typed_late)
        if name is not None and len(self.coming) >= MOST_COMING:
            self.wrong["typed-late"] = f"At most {MOST_COMING} can be waited for."
        elif name is not None:
            self.coming.append(name)
            self.typed_late = ""

    def clean(self, where: str, typed: str) -> str | None:
        """The typed name if it can be added; else the sentence goes beside its field."""
        if not typed.strip():
            return None
        name = clean_name(typed)
        if isinstance(name, Problem):
            self.wrong[where] = name.message
            return None
        if same_name(name) in {same_name(other) for other in [*(row.name for row in self.rows), *self.coming]}:
            self.wrong[where] = second(name)
            return None
        return name

    def pick(self, pk: int) -> None:
        """Seat one of this browser's people, or let them get up again."""
        if pk not in self.past.people:
            raise BadRequest
        seated = next((row for row in self.rows if row.pick == pk), None)
        if seated:
            self.remove(seated)
        else:
            self.rows.append(PlayerRow(self.past.people[pk], pk))

    def sit_as_before(self) -> None:
        """The same people in the same order as last time."""
        self.rows = [PlayerRow(person.name, person.player) for person in self.past.last]
        self.dealer = None
        self.let_champion_deal()

    def move(self, at: int, by: int) -> None:
        if 0 <= at + by < len(self.rows):
            self.rows.insert(at + by, self.rows.pop(at))

    def remove(self, row: PlayerRow) -> None:
        self.rows.remove(row)
        if self.dealer is row:
            self.dealer = None

    def let_champion_deal(self) -> None:
        """The defending champion deals where they sit, unless somebody else was chosen."""
        if self.dealer not in self.seated:
            self.dealer = self.champion

    # What it comes to

    @property
    def champion(self) -> PlayerRow | None:
        """The winner of the last game, where they sit."""
        pk = self.past.champions.get(self.game.slug)
        return next((row for row in self.seated if pk is not None and row.pick == pk), None)

    @property
    def dealer_place(self) -> int:
        """The dealer's place from 1 on; 0: nobody yet."""
        return next((place for place, row in enumerate(self.seated, 1) if row is self.dealer), 0)

    @property
    def seated(self) -> list[PlayerRow]:
        """Those who have a seat in this game."""
        return self.rows[: self.game.players[-1]]

    @property
    def without_a_seat(self) -> list[PlayerRow]:
        """Names that were typed for a larger game: they are kept, and sit this one out."""
        return self.rows[self.game.players[-1] :]

    @property
    def expected(self) -> list[str]:
        """Who is still coming, where the game lets somebody join."""
        return self.coming if takes_latecomers(self.game) else []

    @property
    def rules(self) -> dict[str, Value]:
        """The house rules that differ from the usual ones."""
        return self.house.chosen

    def set_up(self) -> SetUp:
        """The table as the form says it."""
        dealer_by = self.game.first_dealer_by.word
        if self.champion is not None:
            dealer_by = "champion" if self.dealer is self.champion else "chosen"
        return SetUp(
            game=self.game.slug, players=[Somebody(row.name, row.pick) for row in self.seated],
            first_dealer=self.dealer_place - 1, dealer_by=dealer_by, plan=self.planning.plan, house_rules=self.rules,
            coming=self.expected, title=self.title,
        )  # fmt: skip

    def check(self, *, to_open: bool = False) -> Checked:
        """Put every problem beside its field. What is merely not done yet counts only when the sheet is `to_open`."""
        checked = check_set_up(self.set_up())
        problems = [problem for problem in checked.problems if to_open or not self.is_early(problem)]
        if len(self.expected) > MOST_COMING:
            problems.append(Problem("too-many-coming", f"At most {MOST_COMING} can be waited for.", "typed-late"))
        if to_open and self.typed.strip():
            problems.append(Problem("not-seated", "This name is not at the table yet: add it, or clear it.", "typed"))
        if self.without_a_seat:
            problems.append(too_many(self.game, [row.name for row in self.without_a_seat]))
        self.problems = problems
        self.wrong = {p.field or "": self.sentence(p) for p in problems if p.blocking} | self.wrong
        self.house.wrong = self.wrong
        for place, row in enumerate(self.rows, 1):
            row.problem = self.wrong.get(f"player-{place}", "")
            row.typing = row.typing or bool(row.problem)
        return checked

    @property
    def fits(self) -> bool:
        """Whether nothing stands against opening it."""
        return not self.wrong and not any(problem.blocking for problem in self.problems)

    def is_early(self, problem: Problem) -> bool:
        """Whether it only says that the form is not filled in yet."""
        return problem.code == "bad-first-dealer" or (
            problem.code == "bad-players" and len(self.rows) < self.game.players[0]
        )

    def sentence(self, problem: Problem) -> str:
        """What the scorekeeper reads."""
        rule = next((rule for rule in self.game.house_rules if rule.key == problem.field), None)
        if rule and isinstance(rule.values, range) and (problem.code == "bad-document" or len(self.rows) < 2):
            return f"A number from {rule.values[0]} to {rule.values[-1]} belongs here."
        return problem.message

    @property
    def warnings(self) -> list[Problem]:
        return [problem for problem in self.problems if not problem.blocking]

    @property
    def warned(self) -> bool:
        """Whether everything unwise about it has been shown."""
        return {problem.code for problem in self.warnings} <= self.seen

    @cached_property
    def table(self) -> Table | None:
        """The table before its first hand, if it can be opened like this."""
        seats, plan = range(1, len(self.seated) + 1), self.planning.plan
        if any(problem.blocking for problem in self.game.setup_problems(seats, plan, self.rules)):
            return None
        return self.game.open_table(seats, self.dealer_place or 1, plan, self.rules)

    @cached_property
    def outlook(self) -> Outlook | None:
        """What lies before the table, if it can be opened like this."""
        return outlook(self.game, self.table) if self.table else None

    @property
    def remark(self) -> str:
        """What must be said about the plan."""
        return self.game.plan_remark(self.table) if self.table else ""

    @property
    def first_bidder(self) -> str:
        """The name; "" as long as nobody knows who deals."""
        return self.rows[self.outlook.first_bidder - 1].name if self.outlook and self.dealer else ""

    @property
    def last_dealer(self) -> str:
        """The name; "" as long as nobody knows who deals first."""
        return self.rows[self.outlook.last_dealer - 1].name if self.outlook and self.dealer else ""

    # What the page shows

    @property
    def late_problem(self) -> str:
        """What is wrong with who is still coming: said at the field, whichever of the names it is."""
        places = (f"coming-{place}" for place in range(1, len(self.coming) + 1))
        return next((self.wrong[key] for key in ("typed-late", *places) if key in self.wrong), "")

    @property
    def house_wrong(self) -> bool:
        """Whether something is wrong among the house rules that are folded away."""
        return any(ask.problem for ask in self.house.fields)

    @property
    def length_open(self) -> bool:
        """Whether the length is looked at: it was chosen, or something is wrong with it."""
        keys = {"peak", "hands", "extra_rounds", *(rule.key for rule in self.game.house_rules if rule.lasts)}
        is_chosen = self.house.ends is not None and self.house.ends.rule.key in self.rules
        return bool(self.planning.by) or is_chosen or bool(keys & self.wrong.keys())

    @property
    def is_planned(self) -> bool:
        """Whether a table says how many hands it plays."""
        return bool(self.game.plan_choices(self.game.made_for[0], {}))

    @property
    def cards(self) -> list[GameCard]:
        """The games to choose from."""
        return [GameCard(game, chosen=game.slug == self.game.slug) for game in self.games]

    @property
    def card(self) -> GameCard:
        """The game that was chosen."""
        return GameCard(self.game, chosen=True, seated=len(self.rows))

    @property
    def length(self) -> str:
        """How long it is played by the house rules as they stand; "" where those cannot be."""
        seats = range(1, (len(self.seated) if len(self.seated) in self.game.players else self.game.made_for[0]) + 1)
        if any(problem.blocking for problem in self.game.setup_problems(seats, {}, self.rules)):
            return ""
        return length_of(self.game, self.game.open_table(seats, 1, {}, self.rules))


def second(name: str) -> str:
    """Two of one name cannot be told apart on a sheet."""
    return f"There is a second {name} here: add an initial."
