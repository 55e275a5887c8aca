"""Play-off files (``play-off/1``): who goes on from each group, and who wins the trophies.

The file holds the totals of each table after its last hand, so blind hands and draws are read and refused as on the
sheet of that table. Sizes are not checked here: tables that are too small or too large are refused when they are drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import cast

from rules.core.cards import RANKS, height
from rules.core.fields import Choice, Value
from rules.core.files.game_file import file_of
from rules.core.files.known_games import known_game
from rules.core.files.results import NAMES, WAITING, Names
from rules.core.files.schema import (  # fmt: skip
    Among,
    Flag,
    ListOf,
    Members,
    Name,
    OneOf,
    OrNull,
    PerName,
    Shape,
    Text,
    Whole,
    fault,
)
from rules.core.files.sheet_file import HouseRules, Refused, faults_of_house_rules
from rules.core.files.table_reader import TableReader
from rules.core.game import Game
from rules.core.options import HouseRule
from rules.core.outcome import Cut, Settlement, Tie, Waiting
from rules.core.playoffs.cut import Final, cut, outcome
from rules.core.problems import Problem
from rules.core.stakes import ALL, Decides, group

PLAY_OFF_FORMAT = "play-off/1"
RESULT_FORMAT = "play-off-result/1"
CALLED = "The play-off"
#: A rank stands on so many cards of the deck.
OF_A_RANK = 4
#: The winners' table where there is a losers' table too: its bottom depends on both.
LEAD_ONLY = Decides(lead=True, bottom=False)
NOBODY = Cut((), (), (), ())
#: The largest number of losers accepted; a larger one is a typing error.
MOST_LOSERS = 1000
HOUSE_RULES = (
    HouseRule(
        "losers_count", default=None, values=(None, *range(1, MOST_LOSERS + 1)),
        sentence="How many of each group go to the losers’ table; those between have played.",
        default_words="everybody who does not go to the winners’ table",
    ),
    HouseRule(
        "carry_over", default=False, values=(False, True),
        sentence="The finals begin with the totals of the groups.",
    ),
    HouseRule(
        "cut_by_high_card", default=False, values=(False, True),
        sentence="A tie for the last place through is settled by the high card, instead of a blind hand.",
    ),
)  # fmt: skip
OWN = {rule.key for rule in HOUSE_RULES}
#: What `PlayOffReader.open_tie` writes.
OPEN_TIE = Members(
    {"what": Among(("cut-tie-break",)), "group": Whole(0), "players": NAMES, "places": Whole(1)},
    {"edge": Among(("below",))},
)
#: What `PlayOffReader.result` writes.
RESULT = Members(
    {
        "format": Among((RESULT_FORMAT,)), "winners_table": NAMES, "losers_table": NAMES, "winner": OrNull(Name()),
        "loser": OrNull(Name()), "waiting_for": ListOf(OneOf({"group": OPEN_TIE, **WAITING.kinds})),
    },
    {"cross_rule": Flag()},
)  # fmt: skip


def score_play_off(document: dict[str, object]) -> dict[str, object]:
    """The result of a play-off in a parsed JSON object. Raises :class:`Refused` with everything that is wrong."""
    game, faults = shaped(document)
    if faults or game is None:
        raise Refused([(problem, None) for problem in faults])
    reader = PlayOffReader(game, document)
    reader.read()
    if reader.problems:
        raise Refused(reader.problems)
    return reader.result()


def shaped(document: dict[str, object]) -> tuple[Game | None, list[Problem]]:
    """The game of a play-off, and everything about the shape of its file that is wrong."""
    game = known_game(document.get("game"))
    if game is None:
        return None, [fault(f"{CALLED}, game", "no game of that name is known")]
    if not game.play_off.possible:
        return None, [fault(f"{CALLED}, game", f"{game.name} has no play-off")]
    faults = list(shape_of_play_off(game).faults(document, CALLED))
    if document.get("groups") == []:
        faults.append(fault(f"{CALLED}, groups", "there is no play-off without a group"))
    known = (*HOUSE_RULES, *game.house_rules)
    faults += faults_of_house_rules(known, document.get("house_rules", {}), f"{CALLED}, house_rules")
    return game, faults


def shape_of_play_off(game: Game) -> Members:
    """What a file of a play-off of the game looks like."""
    scores: dict[str, Shape] = {"scores": PerName(Whole())}
    # Where the game has nothing of its own for a tie, nothing can be told of it.
    ties = {key: shape for key, shape in file_of(game).sheet_shapes().items() if key == "tie_breaks"}
    draws: dict[str, Shape] = {"draws": ListOf(PerName(Text()))} if game.play_off.losers_table else {}
    required: dict[str, Shape] = {
        "format": Among((PLAY_OFF_FORMAT,)), "game": Among((game.slug,)), "places": Whole(),
        "groups": ListOf(Members(scores, ties | draws)),
    }  # fmt: skip
    optional: dict[str, Shape] = {
        "house_rules": HouseRules((*HOUSE_RULES, *game.house_rules)), "winners_table": Members(scores, ties),
        "losers_table": Members(scores, {}), **draws,
    }  # fmt: skip
    return Members(required, optional)


@dataclass(frozen=True)
class Group:
    """A group: what its players, by number, have come to, and where they go on."""

    number: int
    scores: Mapping[int, int]
    cut: Cut = NOBODY


class PlayOffReader:
    """Walks a well-shaped file from the house rules to the finals, collecting what it says and every problem.

    People have numbers, in the order of the groups and of the seats in them. With ``carry_over`` the scores of the
    finals are what was made in the final itself, and what was made in the group is added to them.
    """

    def __init__(self, game: Game, document: dict[str, object]) -> None:
        self.game, self.document = game, document
        self.problems: list[tuple[Problem, str | None]] = []
        self.names: dict[int, str] = {}
        self.groups: list[Group] = []
        self.winners: Final | None = None
        self.losers: Final | None = None
        self.settlement: Settlement | None = None
        self.draws: list[Mapping[int, str]] = []
        #: Something is wrong with the groups or how many go on: where anybody goes cannot be told.
        self.is_in_doubt = False

    # -- reading ---------------------------------------------------------------------------------------

    def read(self) -> None:
        """Everything the file says, in its order."""
        self.read_house_rules()
        self.read_players()
        self.read_places()
        self.is_in_doubt = bool(self.problems)
        groups = cast("list[dict[str, object]]", self.document["groups"])
        self.groups = [self.read_group(group, groups[group.number]) for group in self.groups]
        self.is_in_doubt = bool(self.problems)
        self.read_finals()

    def refuse(self, code: str, message: str, field: str | None = None, player: str | None = None) -> None:
        """Note a problem."""
        self.problems.append((Problem(code, message, field), player))

    def read_house_rules(self) -> None:
        """Those of the play-off, and those of the game: a blind hand follows them."""
        values = cast("dict[str, Value]", self.document.get("house_rules", {}))
        wrong = set()
        for rule in (*HOUSE_RULES, *self.game.house_rules):
            problem = rule.problem(values.get(rule.key, rule.default))
            if problem:
                wrong.add(rule.key)
                self.problems.append((problem, None))
        self.rules = {rule.key: values.get(rule.key, rule.default) for rule in HOUSE_RULES}
        self.house_rules = {key: value for key, value in values.items() if key not in OWN | wrong}

    def read_players(self) -> None:
        """Who sits in the groups: everybody once; what the house rules want can be dealt there."""
        taken: set[str] = set()
        for number, data in enumerate(cast("list[dict[str, dict[str, int]]]", self.document["groups"])):
            scores = {}
            for name, score in data["scores"].items():
                if name in taken:
                    self.refuse("duplicate-player", "That name is in two groups.", where(number, "scores"), name)
                taken.add(name)
                scores[len(self.names) + 1] = score
                self.names[len(self.names) + 1] = name
            if not scores:
                self.refuse("bad-players", "Nobody is in that group.", where(number, "scores"))
            self.groups.append(Group(number, scores))
        if not self.problems:
            for size in sorted({len(group.scores) for group in self.groups}):
                self.check_house_rules(size)

    def check_house_rules(self, size: int) -> None:
        """What the house rules want at a table of that size, once for all of them."""
        for problem in self.game.setup_problems(range(1, size + 1), {}, self.house_rules):
            if problem.code == "bad-house-rule" and not any(noted.code == problem.code for noted, _ in self.problems):
                self.problems.append((problem, None))

    def read_places(self) -> None:
        """How many go on from each group: there must be so many in the smallest."""
        places, below = cast("int", self.document["places"]), self.rules["losers_count"]
        smallest = min(len(group.scores) for group in self.groups)
        if not smallest:
            return
        if not 1 <= places <= smallest:
            self.refuse("bad-places", f"From 1 to {smallest} can go on: so many are in the smallest group.", "places")
        elif isinstance(below, int) and not self.problems and places + below > smallest:
            self.refuse("bad-house-rule", f"The smallest group has only {smallest} players for both.", "losers_count")

    @property
    def places(self) -> int:
        """How many of each group go to the winners' table."""
        return cast("int", self.document["places"])

    @property
    def below(self) -> int | None:
        """How many of each group go to the losers' table; None: everybody else."""
        return cast("int | None", self.rules["losers_count"])

    def read_group(self, uncut: Group, data: dict[str, object]) -> Group:
        """Where the players of a group go on, with the blind hands or the cards that settled it."""
        settled: list[Mapping[int, int]] = []
        rest = {key: data[key] for key in ("tie_breaks", "draws") if data.get(key)}
        if rest and self.can_sit(uncut.scores, where(uncut.number, next(iter(rest)))):
            decides = group(self.places, self.below, high_card=self.rules["cut_by_high_card"] is True)
            settlement = self.at_table(uncut.scores, decides, rest, f"groups, number {uncut.number + 1}")
            settled = [row.points for row in settlement.ties]
            settled += [{seat: height(rank) for seat, rank in drawn.items()} for drawn in settlement.draws]
        return replace(uncut, cut=cut(uncut.scores, self.places, self.below, settled))

    def can_sit(self, players: Iterable[int], field: str) -> bool:
        """Whether so many can be dealt a blind hand at all."""
        if len(list(players)) in self.game.players:
            return True
        self.refuse("bad-players", self.game.players_sentence(), field)
        return False

    def at_table(self, totals: Mapping[int, int], decides: Decides, rest: dict[str, object], at: str) -> Settlement:
        """What the blind hands and draws of a table settle; where its problems stand is said with ``at``."""
        if any(problem.code == "bad-house-rule" and problem.field not in OWN for problem, _ in self.problems):
            rest = {key: value for key, value in rest.items() if key != "tie_breaks"}  # of how many cards?
        reader = TableReader(self.game, self.names, totals, self.house_rules, decides, rest, in_doubt=self.is_in_doubt)
        settlement = reader.settle()
        for problem, player in reader.problems:
            # The draws of the one final stand beside the tables, not within.
            outside = decides is ALL and problem.field == "draws"
            self.problems.append((replace(problem, field="draws" if outside else f"{at}, {problem.field}"), player))
        return settlement

    # -- the finals ------------------------------------------------------------------------------------

    def read_finals(self) -> None:
        """Both tables, or the one, once their players are those of the cut."""
        if "winners_table" not in self.document:
            if "losers_table" in self.document and not self.is_in_doubt:
                self.totals_of("losers_table", self.at_losers_table)
            if self.document.get("draws"):
                self.refuse("game-over", "A card for the loser’s trophy is drawn after the finals.", "draws")
            return
        if not self.is_in_doubt:
            winners = self.totals_of("winners_table", self.at_winners_table)
            losers = self.totals_of("losers_table", self.at_losers_table)
        if self.problems:
            self.judge_finals()
            return
        self.losers = Final(losers, lead=()) if losers else None
        self.read_lead(winners)
        if not self.is_alone:
            self.read_draws()

    def judge_finals(self) -> None:
        """The numbers of the blind hands and the cards of the draws, where who sits at the finals is in doubt."""
        self.is_in_doubt = True
        winners = cast("dict[str, dict[str, int]]", self.document["winners_table"])
        rest = {"tie_breaks": winners.get("tie_breaks", []), "draws": self.document.get("draws", [])}
        self.names = dict(enumerate(winners["scores"], 1))  # as they stand there, known in the groups or not
        if any(rest.values()) and self.can_sit(self.names, "winners_table, tie_breaks"):
            self.at_table(dict.fromkeys(self.names, 0), ALL, rest, "winners_table")

    def totals_of(self, key: str, expected: tuple[int, ...]) -> dict[int, int]:
        """The totals of a final; ``wrong-players`` for each who is not there by the cut, and where that is open."""
        scores = cast("dict[str, dict[str, int]]", self.document.get(key, {"scores": {}}))["scores"]
        field = f"{key}, scores"
        undecided = [group.number for group in self.groups if group.cut.ties]
        for number in undecided:
            self.refuse("wrong-players", f"Group {number + 1} has a tie across the cut.", field)
        names = {self.names[player] for player in expected}
        for player in expected:
            if self.names[player] not in scores:
                self.refuse("wrong-players", "Who goes on to that table is missing.", field, self.names[player])
        for name in scores:
            if name not in names:
                self.refuse("wrong-players", "Nobody of that name goes on to that table.", field, name)
        start = {} if not self.rules["carry_over"] else {p: s for group in self.groups for p, s in group.scores.items()}
        players = {self.names[player]: player for player in expected}
        return {players[name]: scores[name] + start.get(players[name], 0) for name in scores if name in players}

    @property
    def is_alone(self) -> bool:
        """Whether the one final is a table of its own, whose sheet settles its bottom as well as its lead."""
        return self.settlement is not None and self.losers is None

    def read_lead(self, totals: Mapping[int, int]) -> None:
        """Who leads the winners' table, with the blind hands for it."""
        data = cast("dict[str, object]", self.document["winners_table"])
        rest = {"tie_breaks": data.get("tie_breaks", [])} if self.game.play_off.losers_table else {}
        if self.losers is None and rest:
            rest["draws"] = self.document.get("draws", [])
        highest = max(totals.values())
        top = tuple(player for player, total in totals.items() if total == highest)
        if not rest or len(totals) not in self.game.players:
            if any(rest.values()):
                self.can_sit(totals, "winners_table, tie_breaks")
            self.winners = Final(totals, lead=top)
            return
        decides = ALL if self.losers is None else LEAD_ONLY
        self.settlement = settlement = self.at_table(totals, decides, rest, "winners_table")
        tied = next((waiting.seats for waiting in settlement.waiting if waiting.what == "tie-break"), top)
        self.winners = Final(totals, lead=tied if settlement.winner is None else (settlement.winner,))

    def read_draws(self) -> None:
        """The cards for the loser’s trophy, at the table that decides it; after a problem only the cards are judged."""
        for draw in cast("list[dict[str, str]]", self.document.get("draws", [])):
            in_doubt = bool(self.problems)
            for name, rank in draw.items():
                if Choice("rank", RANKS, "bad-rank").problem(rank):
                    self.refuse("bad-rank", "No card has that rank.", "draws", name)
            if max(Counter(draw.values()).values(), default=0) > OF_A_RANK:
                self.refuse("impossible-draw", "There are only four cards of one rank.", "draws")
            if in_doubt:
                continue
            due = outcome(cast("Final", self.winners), self.losers, self.draws).draw
            if not due:
                self.refuse("draw-not-needed", "No tie at the bottom waits for a draw.", "draws")
                continue
            names = {self.names[player]: player for player in due}
            for name in names:
                if name not in draw:
                    self.refuse("wrong-players", "Who has to draw is missing here.", "draws", name)
            for name in draw:
                if name not in names:
                    self.refuse("wrong-players", "Nobody of that name has to draw.", "draws", name)
            if not self.problems:
                self.draws.append({names[name]: rank for name, rank in draw.items()})

    @property
    def at_winners_table(self) -> tuple[int, ...]:
        """Who is certain of the winners' table, group by group in the order of the seats."""
        return in_order(player for group in self.groups for player in group.cut.through)

    @property
    def at_losers_table(self) -> tuple[int, ...]:
        """Who is certain of the losers' table."""
        return in_order(player for group in self.groups for player in group.cut.below)

    # -- the result ------------------------------------------------------------------------------------

    def result(self) -> dict[str, object]:
        """The answer ``play-off-result/1``: what is certain, by name."""
        document: dict[str, object] = {
            "format": RESULT_FORMAT,
            "winners_table": self.named(self.at_winners_table),
            "losers_table": self.named(self.at_losers_table),
            "winner": None,
            "loser": None,
            "waiting_for": [self.open_tie(group, tie) for group in self.groups for tie in group.cut.ties],
        }
        return document if self.winners is None else document | self.finals(self.winners)

    def open_tie(self, group: Group, tie: Tie) -> dict[str, object]:
        """A tie across the cut that waits for a blind hand or a card: how many of them go over that line."""
        edge = {"edge": tie.edge} if tie.edge == "below" else {}
        players = self.named(in_order(tie.players))
        return {"what": "cut-tie-break", "group": group.number, "players": players, "places": tie.places} | edge

    def finals(self, winners: Final) -> dict[str, object]:
        """Both trophies, what they wait for, and whether the loser's trophy goes to the winners' table."""
        say = Names(self.names)
        if self.settlement and self.is_alone:
            return {
                "winner": say.name(self.settlement.winner),
                "loser": say.name(self.settlement.loser),
                "waiting_for": [say.waiting(waiting) for waiting in self.settlement.waiting],
                "cross_rule": False,
            }
        if not self.game.play_off.losers_table:
            return {"winner": say.name(winners.winner), "cross_rule": False}
        trophies = outcome(winners, self.losers, self.draws)
        # A table too large for a blind hand waits for one all the same.
        open_lead = () if winners.winner else (Waiting("tie-break", seats=winners.lead),)
        waiting = [say.waiting(tie) for tie in (self.settlement.waiting if self.settlement else open_lead)]
        if trophies.draw:
            waiting.append({"what": "draw", "players": self.named(trophies.draw)})
        return {
            "winner": say.name(trophies.winner),
            "loser": say.name(trophies.loser),
            "waiting_for": waiting,
            "cross_rule": bool(trophies.crossed),
        }

    def named(self, players: Iterable[int]) -> list[str]:
        """The names of these people."""
        return [self.names[player] for player in players]


def in_order(players: Iterable[int]) -> tuple[int, ...]:
    """People in the order of the groups and of the seats in them."""
    return tuple(sorted(players))


def where(number: int, key: str) -> str:
    """Where something of a group stands in the file."""
    return f"groups, number {number + 1}, {key}"
