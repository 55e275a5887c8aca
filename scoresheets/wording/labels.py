"""Labels of the asks, fields and values of a game: its own words (`Game.written`), else their names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rules.core.cards import DECK, RANK_NAMES, RANKS, SUIT_NAMES, card_in_words, rank_shown
from rules.core.fields import Ask, SeatChoice
from rules.core.game import Game
from rules.core.table import Table
from rules.core.texts import Written
from scoresheets.wording.markup import SUITS

#: `bid-3`, `tie-1-bid-3`, `sits-3-1`: a blind hand, what is asked, a seat or a number, and the number of an event.
ASK = re.compile(r"(?:tie-(?P<blind>\d+)-)?(?P<stem>[a-z]+(?:-[a-z]+)*)(?:-(?P<number>\d+))?(?:-(?P<event>\d+))?")
#: What every sheet may have, whatever its game.
OF_EVERY_SHEET = {
    "table": Written("the set-up"),
    "sits": Written("the name on {seat}’s seat"),
    "note": Written(""),
    "arrive": Written("{seat} came in"),
    "leave": Written("{seat} went home"),
    "substitute": Written("{seat} took over"),
    "reseat": Written("the order round the table"),
    "misdeal": Written("the misdeal"),
    "stop": Written("the early end"),
    "last-hand": Written("the table stops after hand"),
    "ruling": Written("the organiser’s ruling"),
}


class Declared(NamedTuple):
    """What the fields of a game are, by the name of the ask and the field without their numbers.

    `by_seat`: one for each seat; `seats`: they hold a seat. `spoken`: asks that somebody says in turn. `places`: which
    comes first. `alike`: asks whose fields are those of another ask too, by their whole names. `many`: asks that
    want more than one field.
    """

    by_seat: frozenset[tuple[str, str]]
    seats: frozenset[tuple[str, str]]
    spoken: frozenset[str]
    places: Mapping[tuple[str, str], int]
    alike: frozenset[str]
    many: frozenset[str]


def declared(game: Game, table: Table) -> Declared:
    """The fields as the game declares them at the table as it was opened."""
    asks: list[Ask] = [*game.asks(table, game.deal(table)), *(game.event_ask(table, kind, 1) for kind in game.events)]
    carried = game.carried_ask(table)
    fields = [(stem_of(ask.name), field) for ask in [*asks, *([carried] if carried else [])] for field in ask.fields]
    return Declared(
        frozenset(
            (ask, stem_of(field.name)) for ask, field in fields if field.seat and field.name != stem_of(field.name)
        ),
        frozenset((ask, stem_of(field.name)) for ask, field in fields if isinstance(field, SeatChoice)),
        frozenset(stem_of(ask.name) for ask in asks if ask.seat is not None),
        {(ask, stem_of(field.name)): place for place, (ask, field) in reversed(list(enumerate(fields)))},
        frozenset(repeated_asks([ask for ask in asks if ask.seat is None])),
        frozenset(stem_of(ask.name) for ask in asks if len(ask.fields) > 1 and not ask.optional),
    )


def repeated_asks(asks: Sequence[Ask]) -> Iterator[str]:
    """The names of the asks that have a field of a name that another one has too."""
    for ask in asks:
        own = {stem_of(field.name) for field in ask.fields}
        if any(own & {stem_of(field.name) for field in other.fields} for other in asks if other is not ask):
            yield ask.name


def stem_of(name: str) -> str:
    """The name of an ask or a field without numbers.

    >>> stem_of("bid-3"), stem_of("tie-1-tricks"), stem_of("rule-missed"), stem_of("left_of")
    ('bid', 'tricks', 'rule-missed', 'left_of')
    """
    match = ASK.fullmatch(name)
    return match["stem"] if match else name


def words_of(game: Game, name: str) -> Written:
    """The words for what stands at an ask: those of that very ask, else those of all of its kind."""
    own = game.written.get(name)
    if own and own.fields:
        return own
    stem = stem_of(name)
    kind = game.written.get(stem) or OF_EVERY_SHEET.get(stem)
    if own and kind:
        return own._replace(did=own.did or kind.did, fields=kind.fields)
    return own or kind or Written(in_words(name))


def in_words(name: str) -> str:
    """A name that has no words, as words; one that ends with a card, as that card.

    >>> in_words("held_hearts"), in_words("works-first"), in_words("card-9C")
    ('held hearts', 'works first', 'nine of clubs')
    """
    return card_words(name.rpartition("-")[2]) if ends_with_card(name) else name.replace("_", " ").replace("-", " ")


def own_name(ask: str) -> str:
    """The name of an ask without that of its blind hand: `tie-1-bid-3` is a bid like any other."""
    match = ASK.fullmatch(ask)
    return ask.removeprefix(f"tie-{match['blind']}-") if match and match["blind"] else ask


def ends_with_card(name: str) -> bool:
    """Whether a field is about a card: `card-9C`."""
    return name.rpartition("-")[2] in DECK


def corner_of(card: str) -> str:
    """A card as it stands in its corner, with no emoji of its suit."""
    return f"{rank_shown(card[0])}{SUITS[card[1]]}"


def card_words(value: str) -> str:
    """A suit, a rank or a card by its name; any other text as it stands.

    >>> card_words("H"), card_words("7D"), card_words("K"), card_words("champion")
    ('hearts', 'seven of diamonds', 'king', 'champion')
    """
    if value in DECK:
        return card_in_words(value)
    return SUIT_NAMES.get(value) or (RANK_NAMES[value] if value in RANKS else value)
