"""What the scorekeeper reads out: "Seven cards, hearts. Ed 2, Flo 0, Ann 6: over by one. Ed leads."

`static/js/draw.js` says the same in the browser.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rules.core.cards import SUIT_NAMES
from rules.core.numbers import spelled

if TYPE_CHECKING:
    from collections.abc import Mapping


def parts(cards: int, trump: Mapping[str, Any] | None, said: int) -> dict[str, str]:
    """What is said before the bids and after them: so many cards each, the trump where it was noted, the bids' sum.

    >>> parts(7, {"suit": "H"}, 8)
    {'before': 'Seven cards, hearts', 'after': 'over by one'}
    >>> parts(1, None, 0)
    {'before': 'One card', 'after': 'under by one'}
    """
    over = said - cards
    after = f"{'over' if over > 0 else 'under'} by {spelled(abs(over))}" if over else "as many bid as there are"
    suit = f", {suit_aloud(trump)}" if trump else ""
    return {"before": f"{spelled(cards).capitalize()} card{'' if cards == 1 else 's'}{suit}", "after": after}


def suit_aloud(trump: Mapping[str, Any]) -> str:
    """A trump step as it is said; an ace that was turned makes no trump.

    >>> suit_aloud({"suit": "H"}), suit_aloud({"turned": "AS"}), suit_aloud({"turned": "7D"})
    ('hearts', 'no trump', 'diamonds')
    """
    rank, suit = trump.get("turned") or ("", trump["suit"])
    return SUIT_NAMES["NT" if rank == "A" else suit]
