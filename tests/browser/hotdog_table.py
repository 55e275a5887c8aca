"""A phone that lies between the two at Hotdog: taps as they do, and counts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from playwright.sync_api import Locator, Page

from tests.browser.waits import rested

#: Rounds that are filled up to all the keys of a sheet file.
BARE = {"picker": None, "trump": None, "smothered": False, "footlong": False, "relish": None, "works_first": None}


def whole(hand: Mapping[str, Any]) -> dict[str, Any]:
    """A round of a sheet file with every key but its note."""
    return {key: value for key, value in {**BARE, **hand}.items() if key != "note"}


class Between:
    """The page on the phone. `taps` counts what the two fingers did."""

    def __init__(self, page: Page, players: Sequence[str] = ("Ann", "Bo")) -> None:
        self.page, self.players, self.taps = page, players, 0

    def tap(self, what: Locator) -> None:
        self.taps += 1
        what.tap()

    def rest(self) -> None:
        rested(self.page)

    # What is tapped

    def side(self, name: str) -> Locator:
        """The form of a player: the one who picks with it."""
        seat = self.players.index(name) + 1
        return self.page.locator(f".side:has([name=f-picker][value='{seat}'])")

    def bid(self, hand: Mapping[str, Any]) -> None:
        """The bid of a round as a sheet file has it."""
        if hand["picker"] is None:
            self.tap(self.page.get_by_role("button", name="Both pass"))
        else:
            side = self.side(hand["picker"])
            if hand["footlong"]:
                self.tap(side.locator(".footlong"))
            if hand["smothered"]:
                self.tap(side.get_by_role("button", name="Smother"))
            elif hand["topping"] == "works":
                self.tap(side.get_by_role("button", name="The Works"))
            else:
                self.tap(side.locator(f"label.{hand['topping']}"))
                self.rest()
                self.tap(side.locator(f"[name=f-trump][value={hand['trump']}]"))
        self.rest()

    def relish(self, rank: int | None) -> None:
        name = "No relish" if rank is None else str(rank)
        self.tap(self.page.locator("section[data-ask=relish]").get_by_role("button", name=name, exact=True))
        self.rest()

    def key(self, count: int) -> Locator:
        """The key for so many tricks."""
        return self.page.locator(f".pays button[value='{count}']").locator("visible=true")

    def took(self, hand: Mapping[str, Any]) -> None:
        if hand["works_first"]:
            self.tap(self.page.locator(f".turns fieldset label.{hand['works_first']}").locator("visible=true"))
        seat = int((self.key(0).get_attribute("name") or "").removeprefix("f-tricks-"))
        self.tap(self.key(hand["tricks"][self.players[seat - 1]]))
        self.rest()

    def round(self, hand: Mapping[str, Any]) -> int:
        """A whole round; how many taps it took."""
        before, hand = self.taps, whole(hand)
        self.bid(hand)
        self.relish(hand["relish"])
        self.took(hand)
        return self.taps - before

    # What is seen

    def shown(self) -> list[str]:
        """The asks in front of the two."""
        return self.page.eval_on_selector_all(
            "section[data-ask]", "all => all.filter(one => one.checkVisibility()).map(one => one.dataset.ask)"
        )

    def pays(self, count: int) -> str:
        """What stands beside a key."""
        return " ".join(self.key(count).locator("xpath=../p").inner_text().split())

    def pays_all(self) -> list[str]:
        """What stands beside the keys that can be seen, from no trick on."""
        said = self.page.eval_on_selector_all(
            ".pays button",
            """keys => keys.filter((key) => key.checkVisibility()).sort((one, other) => one.value - other.value)
              .map((key) => key.parentElement.querySelector(':scope > p').innerText)""",
        )
        return [" ".join(words.split()) for words in said]

    def order(self) -> str:
        """What is played, as it stands over the keys."""
        return " ".join(self.page.locator(".order").inner_text().split())

    def totals(self) -> dict[str, int]:
        found = self.page.locator(".scores li").evaluate_all(
            """rows => rows.map((row) => {
              const text = [...row.querySelector('.mark').childNodes].filter((part) => part.nodeType === 3);
              return [row.querySelector('bdi').textContent, text.map((node) => node.data).join('').trim()];
            })"""
        )
        return {name: int(total) for name, total in found}

    def overflowing(self) -> list[str]:
        """What is larger than its place, or outside of the window."""
        found: list[str] = self.page.evaluate(OVERFLOWING)
        return found

    def small(self) -> list[str]:
        """Controls that are smaller than a thumb, and letters smaller than 17 px, each with what it is."""
        found: list[str] = self.page.evaluate(SMALL)
        return [re.sub(r"\s+", " ", one) for one in found]


CONTROLS = "[...document.querySelectorAll('#pad button, #pad label, #pad a')].filter((part) => part.checkVisibility())"
OVERFLOWING = f"""() => {{
  const grew = (part) => part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1;
  const frames = [...document.querySelectorAll('html, body, .phone, .asks, .asks > section')];
  const out = (box) => box.left < 0 || box.top < 0 || box.right > innerWidth + .5 || box.bottom > innerHeight + .5;
  const found = [
    ...frames.filter((part) => part.checkVisibility() && grew(part)),
    ...{CONTROLS}.filter((part) => out(part.getBoundingClientRect())),
  ];
  return found.map((part) => part.className || part.tagName);
}}"""
SMALL = f"""() => {{
  const tiny = ({{ width, height }}) => width < 47.5 || height < 47.5;
  const says = (part) => [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const texts = [...document.querySelectorAll('#pad *')].filter((part) => part.checkVisibility() && says(part));
  const found = [
    ...{CONTROLS}.filter((part) => tiny(part.getBoundingClientRect())),
    ...texts.filter((part) => parseFloat(getComputedStyle(part).fontSize) < 17),
  ];
  const heard = found.filter((part) => !part.closest('.visually-hidden, h2'));
  return heard.map((part) => `${{part.tagName}} ${{part.className}} ${{part.textContent}}`);
}}"""
