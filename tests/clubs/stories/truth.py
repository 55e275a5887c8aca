"""What is true of a night, computed from its sheet files and their scores alone: a second opinion on every sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import groupby

from rules.core.numbers import WORDS
from tests.clubs.stories.nights import Paper

ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]


def number(text: str) -> int:
    """A number in words or figures."""
    text = text.lower()
    if text in ("no", "nobody"):
        return 0
    return WORDS.index(text) if text in WORDS else int(text.replace("−", "-"))


class TrueGame:
    """One table."""

    def __init__(self, paper: Paper) -> None:
        self.paper, self.result = paper, paper.result
        self.hands = self.result["hands"]
        self.totals = [hand["totals"] for hand in self.hands]
        self.last = self.totals[-1]
        self.is_race = not self.result.get("legs")
        self.winner, self.placings = self.result["winner"], self.result["placings"]
        self.leg = {"hotdog": "game", "dirty-deals": "rubber"}.get(self.result["game"], "")

    @cached_property
    def bids(self) -> list[dict[str, tuple[int, int]]]:
        both = [hand for hand in self.paper.file["hands"] if "bids" in hand and "tricks" in hand]
        return [{name: (hand["bids"][name], hand["tricks"][name]) for name in hand["bids"]} for hand in both]

    @property
    def names(self) -> list[str]:
        return self.paper.file["players"]

    def top(self, totals: dict[str, int]) -> list[str]:
        return [name for name in totals if totals[name] == max(totals.values())]

    @cached_property
    def leaders(self) -> list[str]:
        """Who led alone after each hand; "" where several were level."""
        return [top[0] if len(top) == 1 else "" for top in map(self.top, self.totals)]

    @property
    def changes(self) -> int:
        return len(list(groupby(filter(None, self.leaders)))) - 1

    def place(self, name: str, hand: int) -> int:
        totals = self.totals[hand - self.hands[0]["number"]]
        return sorted(totals.values(), reverse=True).index(totals[name]) + 1

    def final(self, name: str) -> dict:
        return next(placing for placing in self.placings if placing["player"] == name)

    @property
    def margin(self) -> int:
        first, second, *_ = sorted(self.last.values(), reverse=True)
        return first - second

    def runs(self) -> Iterator[tuple[str, int]]:
        for name in self.names:
            made = "".join("x" if hand[name][0] == hand[name][1] else " " for hand in self.bids)
            yield name, max(map(len, made.split()), default=0)

    def missed(self) -> Iterator[tuple[str, int]]:
        for name in self.names:
            yield name, sum(abs(hand[name][0] - hand[name][1]) == 1 for hand in self.bids)

    @property
    def best(self) -> list[tuple[int, str, int]]:
        return [(points, name, hand["number"]) for hand in self.hands for name, points in hand["points"].items()]


class TrueNight:
    """All tables of a night."""

    def __init__(self, papers: Sequence[Paper]) -> None:
        self.games = {paper.within: TrueGame(paper) for paper in papers}
        self.people = {name for game in self.games.values() for name in game.names}
        name = "|".join(sorted(map(re.escape, self.people), key=len, reverse=True))
        self.parts = {
            "NAME": f"(?:{name})", "LIST": f"(?:{name})(?:(?:, (?:{name}))* and (?:{name}))?",
            "AT": r"(?: at (table \d+))?",
            "N": r"(\w+|−?\d+)",
        }  # fmt: skip

    def check(self, sentence: str) -> str:
        """The kind of the sentence. Fails where it is of none, or not true."""
        for kind, pattern, is_true in KINDS:
            for part, stands in self.parts.items():
                pattern = pattern.replace(f"<{part}>", stands)
            if found := re.fullmatch(pattern, sentence):
                assert is_true(self, found), f"not true: {sentence}"
                return kind
        raise AssertionError(f"a sentence of no kind: {sentence}")

    def game(self, at: str | None) -> TrueGame:
        return self.games[at or ""]

    @property
    def races(self) -> list[TrueGame]:
        return [game for game in self.games.values() if game.is_race]

    def listed(self, text: str) -> list[str]:
        return re.findall(self.parts["NAME"], text)

    # Sentence by sentence

    def attended(self, found: re.Match[str]) -> bool:
        said = {key: number(value) for key, value in found.groupdict().items()}
        hands = sum(len(game.hands) for game in self.games.values())
        return said == {"p": len(self.people), "h": hands, "t": len(self.games)}

    def won(self, found: re.Match[str]) -> bool:
        game = self.game(found[2])
        return game.winner == found[1] and self.scored(game, found[1], found[3])

    def won_several(self, found: re.Match[str]) -> bool:
        wins = re.findall(rf"({self.parts['NAME']})(?: won)? at (table \d+)(?: \((.+?)\))?", found[0])
        assert [at for _, at, _ in wins] == list(self.games)
        return all(self.games[at].winner == name and self.scored(self.games[at], name, s) for name, at, s in wins)

    def scored(self, game: TrueGame, name: str, text: str | None) -> bool:
        score = game.final(name)["score"]
        if game.leg and "legs" in game.result:
            words = WORDS[score] if score < len(WORDS) else score
            return (text or "") == (f"{words} {game.leg}{'' if score == 1 else 's'}" if score else "")
        return text == f"{score} point{'' if abs(score) == 1 else 's'}".replace("-", "−")

    def first(self, found: re.Match[str]) -> bool:
        game, names = self.game(found[3]), self.listed(found[1])
        return (
            [placing["player"] for placing in game.placings if placing["place"] == 1] == names
            and (found[2] == "shared first place") == (len(names) > 1) == bool(found[5] or not found[4])
            and self.scored(game, names[0], found[4]) and game.winner is None
        )  # fmt: skip

    def level(self, found: re.Match[str]) -> bool:
        game = self.game(found[3])
        top, tie = game.top(game.last), found[4]
        is_right = tie == game.winner if tie else game.winner not in top
        return sorted(self.listed(found[1])) == sorted(top) and game.last[top[0]] == number(found[2]) and is_right

    def narrow(self, found: re.Match[str]) -> bool:
        game = self.game(found[1])
        second = [name for name in game.last if game.last[name] == sorted(game.last.values())[-2]]
        margins = [race.margin for race in self.races if race.leaders[-1]]
        is_right = game.leaders[-1] == found[2] and sorted(self.listed(found[4])) == sorted(second)
        return is_right and game.margin == number(found[3]) == min(margins)

    def spread(self, found: re.Match[str]) -> bool:
        values = self.game(found[1]).last.values()
        return max(values) - min(values) == (number(found[2]) if found[2] else 0)

    def changed(self, found: re.Match[str]) -> bool:
        many = 2 if found["n"].lower() == "twice" else number(found["n"].removesuffix(" times"))
        return self.game(found["at"]).changes == many == max(race.changes for race in self.races)

    def throughout(self, found: re.Match[str]) -> bool:
        game = self.game(found[2])
        return set(game.leaders) == {found[1]} and game.winner == found[1]

    def decided(self, found: re.Match[str]) -> bool:
        game, at = self.game(found[2]), int(found[1]) - 1
        return set(game.leaders[at:]) == {found[3]} == {game.winner} and game.leaders[at - 1] != found[3] and at > 0

    def open_to_the_end(self, found: re.Match[str]) -> bool:
        game = self.game(found[1])
        return game.leaders[-1] == found[2] == game.winner and game.leaders[-2] != found[2]

    def led_alone(self, found: re.Match[str]) -> bool:
        many = number(found[1].removeprefix("Only ").removesuffix(" players").removesuffix(" player"))
        return len(set(filter(None, self.game(found[2]).leaders))) == many

    def led_longest(self, found: re.Match[str]) -> bool:
        game, many = self.game(found[2]), number(found[3])
        is_most = game.leaders.count(found[1]) == many and 2 * many > len(game.hands) == int(found[4])
        return is_most and game.winner == found[5] != found[1]

    def came_back(self, found: re.Match[str]) -> bool:
        game, hand = self.game(found[4]), int(found[5])
        then, now = ORDINALS.index(found[2]) + 1, ORDINALS.index(found[6]) + 1
        is_true = game.place(found[1], hand) == then and game.final(found[1])["place"] == now
        gains = [
            race.place(name, row["number"]) - race.final(name)["place"]
            for race in self.races for row in race.hands[1:-1] for name in race.names
        ]  # fmt: skip
        return is_true and len(game.last) == number(found[3]) and then - now == max(gains) >= 2

    def legs(self, found: re.Match[str]) -> bool:
        return len(self.game(found[2]).result["legs"]) == number(found[1])

    def leg_lengths(self, game: TrueGame) -> list[int]:
        """A rubber ends with the hand after which everybody begins again at nothing: totals say so."""
        ends, start = [], 0
        for at, (hand, after) in enumerate(zip(game.hands, [*game.hands[1:], None], strict=True), 1):
            fresh = after and all(after["totals"][name] == after["points"][name] for name in after["points"])
            is_leg = any(leg["totals"] == hand["totals"] for leg in game.result["legs"])
            won_at_once = after and after.get("wins_game")
            if is_leg and (after is None or fresh or won_at_once) and len(ends) < len(game.result["legs"]):
                ends.append(at - start)
                start = at
        return ends

    def longest_leg(self, found: re.Match[str]) -> bool:
        return number(found[3]) in self.leg_lengths(self.game(found[2]))

    def closest_leg(self, found: re.Match[str]) -> bool:
        legs = self.game(found[2]).result["legs"]
        gaps = [(leg["totals"][leg["winner"]] - sorted(leg["totals"].values())[-2], leg["winner"]) for leg in legs]
        gaps = [pair for pair in gaps if pair[0] > 0]
        return (number(found[4]), found[3]) in gaps and number(found[4]) == min(gap for gap, _ in gaps)

    def in_a_row(self, found: re.Match[str]) -> bool:
        runs = [(name, run, at) for at, game in self.games.items() for name, run in game.runs()]
        most = max(run for _, run, _ in runs)
        best = {(name, at) for name, run, at in runs if run == most}
        names = {name for name, at in best if not found[4] or at == found[4]}
        return names == set(self.listed(found[1])) and most == number(found[3]) and bool(found[2]) == (len(names) > 1)

    def best_hand(self, found: re.Match[str]) -> bool:
        everything = [(*hand, at) for at, game in self.games.items() for hand in game.best]
        most = max(everything)[0]
        best = [hand for hand in everything if hand[0] == most]
        return best == [(number(found[2]), found[1], int(found[3]), found[4] or "")]

    def best_hands(self, found: re.Match[str]) -> bool:
        everything = [hand for game in self.games.values() for hand in game.best]
        best = [hand for hand in everything if hand[0] == number(found[2]) == max(everything)[0]]
        return {name for _, name, _ in best} == set(self.listed(found[1])) and len(best) > 1

    def unlucky(self, found: re.Match[str]) -> bool:
        missed = [(many, name, at) for at, game in self.games.items() for name, many in game.missed()]
        ours = (number(found["n"]), found["name"], found["at"] or "")
        return [each for each in missed if each[0] == max(missed)[0]] == [ours]

    def bids_made(self, found: re.Match[str]) -> bool:
        pairs = [pair for game in self.games.values() for hand in game.bids for pair in hand.values()]
        return (number(found[1]), number(found[2])) == (len(pairs), sum(bid == tricks for bid, tricks in pairs))


KINDS: list[tuple[str, str, Callable[[TrueNight, re.Match[str]], bool]]] = [
    ("attended", r"(?P<p>\w+) (?:person|people) played (?P<h>\w+) hands? at (?P<t>\w+) tables?\.", TrueNight.attended),
    (
        "attended",
        r"(?P<t>\w+) tables?, (?P<p>\w+) (?:person|people) and (?P<h>\w+) hands?: that was the night\.",
        TrueNight.attended,
    ),
    ("won", r"(<NAME>) won<AT>(?: with (.+))?\.", TrueNight.won),
    ("won", r"(?:<NAME>)(?: won)? at table \d+(?: \(.+?\))?.* and <NAME> at table \d+.*\.", TrueNight.won_several),
    ("first", r"(<LIST>) (shared first place|came first)<AT>(?: with (.+?)( each)?)?\.", TrueNight.first),
    (
        "level",
        r"(<LIST>) were tied at <N> after the last hand<AT>(?:, and the tie went to (<NAME>))?\.",
        TrueNight.level,
    ),
    ("narrow", r"After the last hand<AT> (<NAME>) was <N> points? ahead of (<LIST>)\.", TrueNight.narrow),
    ("spread", r"Everybody<AT> finished (?:level|within <N> points? of each other)\.", TrueNight.spread),
    ("lead", r"The lead(?: at (?P<at>table \d+))? changed (?P<n>.+)\.", TrueNight.changed),
    (
        "lead",
        r"(?P<n>.+) the lead(?: at (?P<at>table \d+))? went from one player to another\.",
        TrueNight.changed,
    ),
    ("throughout", r"(<NAME>) led<AT> from the first hand to the last\.", TrueNight.throughout),
    ("decided", r"Hand (\d+) decided it<AT>: from then on (<NAME>) led alone\.", TrueNight.decided),
    ("decided", r"It was open<AT> until the last hand, which put (<NAME>) ahead\.", TrueNight.open_to_the_end),
    (
        "led alone",
        r"(Nobody|Only one player|\w+ players) led alone<AT> (?:after any hand|at some time)\.",
        TrueNight.led_alone,
    ),
    (
        "longest",
        r"(<NAME>) led alone<AT> after <N> of (\d+) hands, and the win went to (<NAME>)\.",
        TrueNight.led_longest,
    ),
    ("back", r"(<NAME>) was (\w+) of (\w+)<AT> after hand (\d+), and came back to finish (\w+)\.", TrueNight.came_back),
    ("legs", r"<N> (?:games?|rubbers?) (?:was|were) played to the end<AT>\.", TrueNight.legs),
    ("leg", r"The (longest )?(?:game|rubber)<AT> took <N> hands?\.", TrueNight.longest_leg),
    ("close leg", r"The (closest )?(?:game|rubber)<AT> went to (<NAME>) by <N> points?\.", TrueNight.closest_leg),
    ("row", r"(<LIST>)( each)? made <N> bids in a row<AT>\.", TrueNight.in_a_row),
    ("best", r"The best hand of the night was (<NAME>)’s: <N> points? in hand (\d+)<AT>\.", TrueNight.best_hand),
    ("best", r"Nobody scored more in one hand than (<LIST>): <N> points?\.", TrueNight.best_hands),
    (
        "unlucky",
        r"Luck was elsewhere(?: at (?P<at>table \d+))?: (?P<n>\w+) bids of (?P<name><NAME>) missed by one trick each\.",
        TrueNight.unlucky,
    ),
    (
        "unlucky",
        r"The cards were not kind to (?P<name><NAME>)(?: at (?P<at>table \d+))?: (?P<n>\w+) bids missed by one trick\.",
        TrueNight.unlucky,
    ),
    ("bids", r"Of <N> bids, <N> (?:was|were) made\.", TrueNight.bids_made),
]
