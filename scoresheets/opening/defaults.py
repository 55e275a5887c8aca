"""Defaults from the last sheets of this browser: players, who sat with whom, the winner, the choices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rules import all_games
from rules.core.fields import Value
from rules.core.game import Game
from scoresheets.access.scorekeepers import SECRET
from scoresheets.log.state import SheetReading, read_sheet
from scoresheets.models import FinalPlacing, Player, Sheet
from scoresheets.opening.open_sheet import Somebody


@dataclass(frozen=True)
class Past:
    """What this browser remembers: its people by id, the last table in the order they sat, and its `game`.

    `champions` are the ids of those who won last, by the game in which the champion deals first; `rule_answers`
    what was answered the last time about a game's doubtful house rules, by the game.
    """

    people: Mapping[int, str] = field(default_factory=dict)
    last: Sequence[Somebody] = ()
    game: str = ""
    champions: Mapping[str, int] = field(default_factory=dict)
    rule_answers: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)


def past_of(browser: str, people: Sequence[Player], again: str = "", *, game: str = "") -> Past:
    """What this browser remembers. `again` is the code of one of its sheets, to play with the same people once more.

    Of what was said about house rules only that about `game`, where it is known already.
    """
    kept = Sheet.objects.kept_by(browser)
    if again:
        kept = kept.filter(code=again) if SECRET.fullmatch(again) else kept.none()
    sheet = kept.first()
    names = {player.pk: player.called for player in people}
    champions = champions_of(browser, sheet if again else None)
    answers = last_rule_answers(browser, game)
    if sheet is None:
        return Past(names, champions=champions, rule_answers=answers)
    last = who_sat(read_sheet(sheet))
    names |= {person.player: person.name for person in last if person.player}
    return Past(names, last, sheet.game, champions, answers)


def who_sat(reading: SheetReading) -> list[Somebody]:
    """Who sat at a table at its end, clockwise, each as the player they are."""
    chairs = [reading.sitting.now[seat] for seat in reading.sheet.table.seats]
    return [Somebody(chair.name, chair.player) for chair in chairs]


def champions_of(browser: str, sheet: Sheet | None = None) -> dict[str, int]:
    """The players who won the last game that was finished on this browser, or the given one, where they deal first."""
    games = [game for game in all_games() if game.play_off.champion_deals]
    champions = {game.slug: champion_of(browser, game, sheet) for game in games} if browser else {}
    return {slug: player for slug, player in champions.items() if player is not None}


def champion_of(browser: str, game: Game, sheet: Sheet | None = None) -> int | None:
    """The player who won the last game of that kind that was finished on this browser, or the given one."""
    placings = FinalPlacing.objects.filter(sheet__finished_at__isnull=False, sheet__game=game.slug)
    if sheet:
        placings = placings.filter(sheet=sheet)
    else:
        placings = placings.filter(sheet__scorekeepers__browser=browser, sheet__scorekeepers__revoked_at__isnull=True)
    first = placings.order_by("-sheet__finished_at", "-winner").values("player", "winner").first()
    return first["player"] if first and first["winner"] else None


def last_rule_answers(browser: str, only: str = "") -> dict[str, Mapping[str, Value]]:
    """What this browser said the last time about house rules that are in doubt, by the games that have some.

    Only games it has kept before are in it. One query for each game with doubts, or for that alone.
    """
    doubtful = [game.slug for game in all_games() if any(rule.doubt for rule in game.house_rules)]
    slugs = [slug for slug in doubtful if browser and only in ("", slug)]
    latest = {slug: Sheet.objects.kept_by(browser).filter(game=slug).first() for slug in slugs}
    return {slug: read_sheet(sheet).setup.house_rules for slug, sheet in latest.items() if sheet}
