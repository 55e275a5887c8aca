"""Settings for the sheets of a play-off: number of hands, house rules, stakes, and seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from clubs.members.people import guests_of_players
from clubs.models import Member, PlayOff, Stage
from clubs.play_offs.table_state import Seated
from rules.core.fields import Value
from rules.core.game import Game
from rules.core.stakes import ALL, Decides, group

Side = Stage.Side
#: House rules that would give one table more hands than the others.
LENGTHENS = "replan"


def same_length(game: Game, rules: Mapping[str, Value]) -> dict[str, Value]:
    """The house rules without what would give one table more hands than the others."""
    known = {rule.key for rule in game.house_rules}
    return dict(rules) | ({LENGTHENS: False} if LENGTHENS in known else {})


def rules_for(game: Game, people: int, plan: Mapping[str, int], rules: Mapping[str, Value]) -> dict[str, Value]:
    """The house rules of the groups, without what so many players cannot keep: more cards than there are to deal."""
    problems = game.setup_problems(range(1, people + 1), plan, rules)
    wrong = {problem.field for problem in problems if problem.blocking}
    return {key: value for key, value in rules.items() if key not in wrong}


def decides_of(
    play_off: PlayOff, side: str, places: int | None, start: Mapping[int, int], *, has_losers: bool
) -> Decides:
    """What the end of a table on that side is for, from which so many go on; `places` None: it is a final."""
    if places is not None:
        goes = (places, 0) if side == Side.WINNERS else (0, places)
        decides = group(*goes, high_card=play_off.cut_by_high_card)
    elif side == Side.LOSERS:
        decides = Decides(lead=False, bottom=False)
    else:
        decides = Decides(lead=True, bottom=False) if has_losers else ALL
    return replace(decides, start=dict(start)) if start else decides


def members_for(play_off: PlayOff, people: Sequence[Seated]) -> dict[int, Member]:
    """Everybody's record in the club by their player (id); a stranger gets that of a guest of the night."""
    strangers = {person.player: person.name for person in people if person.member is None}
    guests = guests_of_players(play_off.night.club, strangers, play_off.night)
    return {person.player: person.member or guests[person.player] for person in people}
