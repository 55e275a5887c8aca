"""The result document of a sheet (``score-result/1``): everything that is certain, by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.core.engine.replay import Sheet
from rules.core.files.game_file import file_of
from rules.core.files.group_keys import going_on
from rules.core.files.schema import Among, Flag, ListOf, Members, Name, OneOf, OrNull, PerName, Shape, Text, Whole
from rules.core.game import Game
from rules.core.outcome import Waiting
from rules.core.placings import SeatList, SeatNumber
from rules.core.table import Row
from rules.core.texts import CallOut

RESULT_FORMAT = "score-result/1"
NAMES, NUMBERS = ListOf(Name()), PerName(Whole())
CALL_OUTS = ListOf(Members({"call": Text(), "players": NAMES}, {}))
#: What `Names.waiting` writes.
WAITING = OneOf({
    "number": Members({"what": Among(("hand",)), "number": Whole(1)}, {}),
    "edge": Members(
        {
            "what": Among(("cut-tie-break", "cut-draw", "cut-ruling")), "players": NAMES,
            "edge": Among(("through", "below")), "places": Whole(1),
        },
        {"cards": Whole(1)},
    ),
    "players": Members({"what": Among(("tie-break", "draw")), "players": NAMES}, {"cards": Whole(1)}),
})  # fmt: skip


def shape_of_result(game: Game) -> Members:
    """What :func:`result_document` writes of a sheet of the game."""
    own, own_of_row = file_of(game).result_shape(), file_of(game).row_shape()
    row: dict[str, Shape] = {
        "number": Whole(1), "dealer": Name(), "points": NUMBERS, "totals": NUMBERS, "boxed": NAMES, "circled": NAMES,
    }  # fmt: skip
    placing: dict[str, Shape] = {"place": Whole(1), "player": Name(), "score": Whole()}
    required: dict[str, Shape] = {
        "format": Among((RESULT_FORMAT,)), "game": Among((game.slug,)), "finished": Flag(), "totals": NUMBERS,
        "boxed": NAMES, "circled": NAMES, "winner": OrNull(Name()), "loser": OrNull(Name()),
        "placings": ListOf(Members(placing, {})), "callouts": CALL_OUTS, "waiting_for": ListOf(WAITING),
        "hands": ListOf(Members({**row, **own_of_row.required}, own_of_row.optional)),
    }  # fmt: skip
    return Members({**required, **own.required}, {"through": NAMES, "below": NAMES, **own.optional})


def result_document(
    sheet: Sheet, names: Mapping[int, str], names_at: Mapping[int, Mapping[int, str]] | None = None
) -> dict[str, object]:
    """The result of ``sheet`` as ``score-result/1``. ``names_at`` says who sat where when a hand was scored."""
    say = Names(names)
    return {
        "format": RESULT_FORMAT,
        "game": sheet.game.slug,
        "finished": sheet.finished,
        "totals": say.by_name(sheet.totals),
        "boxed": say.all(sheet.boxed),
        "circled": say.all(sheet.circled),
        "winner": say.name(sheet.winner),
        "loser": say.name(sheet.loser),
        **{key: say.all(seats) for key, seats in going_on(sheet.table, sheet.settlement).items()},
        "placings": [
            {"place": placing.place, "player": say.name(placing.seat), "score": placing.score}
            for placing in sheet.placings
        ],
        "callouts": [say.callout(call) for call in sheet.callouts],
        "waiting_for": [say.waiting(waiting) for waiting in sheet.waiting],
        **{key: say.value(value) for key, value in sheet.game.describe_sheet(sheet.table).items()},
        "hands": [row_document(sheet, row, Names((names_at or {}).get(row.hand.number, names))) for row in sheet.rows],
    }


def row_document(sheet: Sheet, row: Row, say: Names) -> dict[str, object]:
    """One scored hand."""
    own = sheet.game.describe_row(row)
    return {
        "number": row.hand.number,
        "dealer": say.name(row.hand.dealer),
        "points": say.by_name(row.points),
        "totals": say.by_name(row.totals),
        "boxed": say.all(row.boxed),
        "circled": say.all(row.circled),
        **{key: say.value(value) for key, value in own.items()},
    }


class Names:
    """Says seats by name."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self.names = names

    def name(self, seat: int | None) -> str | None:
        """The name on a seat."""
        return None if seat is None else self.names[seat]

    def all(self, seats: Iterable[int]) -> list[str]:
        """The names on several seats."""
        return [self.names[seat] for seat in seats]

    def by_name(self, values: Mapping[int, object]) -> dict[str, object]:
        """The values of seats by their names."""
        return {self.names[seat]: value for seat, value in values.items()}

    def callout(self, call: CallOut) -> dict[str, object]:
        """A call-out."""
        return {"call": call.call, "players": self.all(call.seats)}

    def waiting(self, waiting: Waiting) -> dict[str, object]:
        """What the sheet waits for."""
        if waiting.what == "hand":
            return {"what": "hand", "number": waiting.number}
        cards: dict[str, object] = {"cards": waiting.cards} if waiting.cards is not None else {}
        data: dict[str, object] = {"what": waiting.what, "players": self.all(waiting.seats)}
        if waiting.edge:
            data |= {"what": f"cut-{waiting.what}", "edge": waiting.edge, "places": waiting.places}
        return data | cards

    def value(self, value: object) -> object:
        """A game's own value: seats in it are said by name."""
        match value:
            case SeatNumber():
                return self.name(value)
            case SeatList():
                return self.all(value)
            case dict():
                return {self.names[k] if isinstance(k, int) else k: self.value(v) for k, v in value.items()}
            case list() | tuple():
                return [self.value(member) for member in value]
            case CallOut():
                return self.callout(value)
        return value
