"""A phone on which Dirty Deals is kept: claims in taps, and what the clock says."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page

from tests.browser.pads import Pad

NAMES = ("Ann", "Bo", "Cy", "Di")


class Claims(Pad):
    """Ann to Di at Dirty Deals."""

    def __init__(self, page: Page, players: tuple[str, ...] = NAMES, **more: Any) -> None:
        self.players = players
        super().__init__(page, players, game="dirty-deals", **more)

    # Fingers

    def pick(self, field: str, value: object) -> Locator:
        """The button for a name or a suit."""
        return self.page.locator(f"label.pick:has(input[name='f-{field}'][value='{value}'])")

    def seat(self, name: str) -> int:
        return self.players.index(name) + 1

    def say(self, claimer: str, suit: str, bower: str) -> None:
        """Who claims which suit, and who holds the bower."""
        self.tap(self.pick("claimer", self.seat(claimer)))
        self.tap(self.pick("suit", suit))
        self.tap(self.pick("bower", self.seat(bower)))

    def number(self, surplus: int) -> Locator:
        return self.page.locator(f".besides .key[value='{surplus}']")

    def claim(self, claimer: str, suit: str, bower: str, surplus: int) -> None:
        """A whole deal, and what the pad rests after it."""
        self.say(claimer, suit, bower)
        self.tap(self.number(surplus))
        self.rest()

    @property
    def by_cards(self) -> Locator:
        """Cards are ticked instead of counted, or counted again."""
        return self.page.locator("label.how")

    def card(self, card: str) -> Locator:
        return self.page.locator(f"label.card-of:has(input[name='f-card-{card}'])").locator("visible=true")

    def give_up(self) -> None:
        self.tap(self.page.get_by_role("button", name="Nobody: the deal is given up"))
        self.rest()

    def negotiate(self) -> None:
        self.tap(self.page.get_by_role("button", name="Negotiate"))
        self.rest()

    # Eyes

    def numbers(self) -> dict[int, str]:
        """The numbers that can be tapped, with what each pays."""
        keys = self.page.eval_on_selector_all(
            ".besides .key",
            """keys => keys.filter((key) => key.checkVisibility()).map((key) => {
              const pays = [...key.querySelectorAll('.pays')].filter((one) => one.checkVisibility());
              return [Number(key.value), pays.map((one) => one.textContent.trim()).join()];
            })""",
        )
        return dict(keys)

    def cards(self) -> list[str]:
        """The cards that can be ticked."""
        boxes = self.page.locator("label.card-of").locator("visible=true").locator("input")
        return [name.removeprefix("f-card-") for name in boxes.evaluate_all("all => all.map((box) => box.name)")]

    @property
    def asked(self) -> str:
        """What is asked now: the one question that is not small."""
        return self.page.eval_on_selector_all(
            ".claim legend",
            """all => all.filter((one) => one.checkVisibility() && one.offsetHeight > 4)
              .map((one) => one.innerText.replace(/\\s+/g, ' ').trim()).join(' | ')""",
        )
