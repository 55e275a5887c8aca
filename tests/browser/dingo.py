"""A finger that keeps Dingo: it taps what was played, and counts its taps."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from playwright.sync_api import Locator, Page

from tests.browser.pads import Pad
from tests.rules.hunting import play

Step = dict[str, Any]
SEATS = (1, 2, 3, 4)
#: Taps for a rank, for the aces with a rabbit that ran, and for the question what is still held, when nothing is.
MOST_FOR_A_RANK, MOST_FOR_THE_ACES, FOR_NOTHING_HELD = 3, 5, 1
#: A hand can take no more taps than these, held cards apart; the played hands of these tests take about half.
MOST_FOR_A_HAND = 12 * MOST_FOR_A_RANK + MOST_FOR_THE_ACES + FOR_NOTHING_HELD


def played(seed: int, **manner: float) -> dict[str, Step]:
    """The steps of a hand that was really dealt and played, nothing held in the end unless the manner says so."""
    return play(random.Random(seed), **({"missed": 0} | manner)).steps(SEATS)


def section(page: Page, ask: str) -> Locator:
    return page.locator(f"section[data-ask={ask}]")


def seat_in(part: Locator, field: str, seat: int) -> Locator:
    """Where a finger says that field of a hunt: a button that sends, or the label of a radio that leads on."""
    name = f"[name='f-{field}'][value='{seat}']"
    return part.locator(f"button{name}, label:has({name})")


def taps_for(page: Page, ask: str, step: Mapping[str, Any]) -> list[Locator]:
    """What is tapped, in order, to say that."""
    part = section(page, ask)
    if ask == "held":
        return [part.locator(".go")]
    if step.get("dingo") is None:
        return [part.locator(".nobody")]
    found = [seat_in(part, field, step[field]) for field in ("dingo", "holder") if field in step]
    if "wolf" in step:
        return [*found, seat_in(part, "wolf", step["wolf"])]
    if "second" not in step:
        return [*found, part.locator(".no-wolf")]
    found.append(seat_in(part, "second", step["second"]))
    if step.get("played"):
        found.append(part.locator(".ran"))
    return [*found, seat_in(part, "first", step["first"]) if "first" in step else part.locator(".not-noted")]


def answer(pad: Pad, ask: str, step: Mapping[str, Any]) -> int:
    """Tap one answer; how many taps it took. A red card that is held is chosen from its list."""
    before = pad.taps
    if ask == "held" and step:
        pad.tap(section(pad.page, ask).locator("summary"))
        for heart, seat in step.items():
            section(pad.page, ask).locator(f"select[name='f-{heart}']").select_option(str(seat))
    for what in taps_for(pad.page, ask, step):
        pad.tap(what)
    pad.rest()
    return pad.taps - before


def hand(pad: Pad, steps: Mapping[str, Mapping[str, Any]]) -> dict[str, int]:
    """A whole hand; the taps by ask."""
    return {ask: answer(pad, ask, step) for ask, step in steps.items()}
