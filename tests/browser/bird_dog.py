"""A scorekeeper of Bird Dog: taps the hands of a sheet file on a phone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.pads import Pad

NAMES = ("Ann", "Bo", "Cy")


class Birds(Pad):
    """The pad of Bird Dog. `taps` counts what the finger did."""

    def __init__(self, page: Page, players: Sequence[str] = NAMES, **more: Any) -> None:
        super().__init__(page, players, game="bird-dog", plan={}, **more)
        self.players = list(players)

    def part(self, ask: str) -> Locator:
        """The part of the page in which that is asked, once it is in front and the pad takes taps again."""
        section = self.page.locator(f"section[data-ask='{ask}']")
        expect(section).to_be_visible()
        self.rest()
        return section

    def seat(self, name: str) -> int:
        return self.players.index(name) + 1

    # Fingers

    def turn(self, *cards: str) -> None:
        """Cards that are turned, up to the one that is called; a third one goes on by itself."""
        deck = self.part("turned").locator(".deck")
        for card in cards:
            self.tap(deck.locator(f"button[value='{card}']"))

    def call(self, name: str) -> None:
        self.tap(self.page.locator(f"section[data-ask=turned] button[name=f-caller][value='{self.seat(name)}']"))

    def nil(self, name: str | None) -> None:
        section = self.part("nil")
        seat = f"button[value='{self.seat(name)}']" if name else ".go"
        self.tap(section.locator(seat))

    def number(self, ask: str, what: str, name: str) -> Locator:
        """The key of a ruler, as "3" of the pairs of Bo."""
        field, value = what.split()
        return self.page.locator(
            f"section[data-ask={ask}] label:has(input[name='f-{field}-{self.seat(name)}'][value='{value}'])"
        )

    def pairs(self, pairs: Mapping[str, int]) -> None:
        """Three taps, and the third goes on; where nothing else is left for the third, it follows from two."""
        section = self.part("faces")
        for name, count in pairs.items():
            if section.is_visible():
                self.tap(self.number("faces", f"pairs {count}", name))

    def count_faces(self) -> None:
        """Let the page make pairs of jacks, queens and kings."""
        self.tap(self.part("faces").get_by_text("Count face cards"))

    def more(self, rank: str, name: str) -> None:
        """One more of a face for somebody."""
        step = self.page.locator(f".step:has(input[name='f-{rank.lower()}-{self.seat(name)}'])")
        self.tap(step.locator("[data-more]"))

    def faces(self, captured: Mapping[str, Mapping[str, int]]) -> None:
        self.count_faces()
        for name, counts in captured.items():
            for rank, count in counts.items():
                for _ in range(count):
                    self.more(rank, name)
        self.tap(self.page.locator("section[data-ask=faces] .by-faces .go"))

    def tricks(self, tricks: Mapping[str, int]) -> None:
        """Two of them are tapped: the third follows."""
        section = self.part("tricks")
        for name, count in list(tricks.items())[:2]:
            self.tap(self.number("tricks", f"tricks {count}", name))
        self.score_it(section)

    def score_it(self, section: Locator) -> None:
        self.tap(section.get_by_role("button", name="Score it"))

    def leave_out(self) -> None:
        self.tap(self.part("tricks").get_by_role("button", name="Leave them out"))

    def play(self, hand: Mapping[str, Any]) -> int:
        """A whole hand of a sheet file. What it took in taps."""
        before = self.taps
        self.turn(*hand["turned"])
        if hand["caller"]:
            self.call(hand["caller"])
        self.nil(hand["nil"])
        if "captured" in hand and "pairs" not in hand:
            self.faces(hand["captured"])
        else:
            self.pairs(hand["pairs"])
        if "tricks" in hand:
            self.tricks(hand["tricks"])
        else:
            self.leave_out()
        return self.taps - before

    # Eyes

    def asked(self) -> list[str]:
        """What is in front."""
        return self.page.eval_on_selector_all(
            "section[data-ask]", "all => all.filter(one => one.checkVisibility()).map(one => one.dataset.ask)"
        )

    def shown(self, name: str) -> str:
        """A word of the game that is in sight."""
        return self.page.locator(f"[data-shows='{name}']").first.inner_text()

    def open_numbers(self, ask: str, field: str, name: str) -> str:
        """The numbers of somebody that can be tapped, as "0123"."""
        keys = self.page.locator(f"section[data-ask={ask}] input[name='f-{field}-{self.seat(name)}']:not(:disabled)")
        return "".join(keys.evaluate_all("all => all.map(one => one.value)"))
