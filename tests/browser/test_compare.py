"""Two members compared on a phone: from a member's page by the chooser, without a script as well."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from clubs.models import Member
from clubs.projections.update import remake
from clubs.records.opponents import LEAST_TOGETHER
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, played, scored


def test_members_are_compared_from_a_member_page(
    phone: Page, plain_phone: Page, axe_day_and_night: Callable[[Page], None]
) -> None:
    club = ClubFactory(name="The Thursday Club", slug="thursday")
    names = ["Ann", "B" * 40, "Cy", "Di"]
    people: list[Member] = [MemberFactory(club=club, name=name) for name in names]
    played(NightFactory(club=club), people)
    for _ in range(LEAST_TOGETHER):
        scored(NightFactory(club=club, on=club.today()), [(people[1], 9), (people[0], 7), (people[2], 5)])
    remake(club)
    for page in (phone, plain_phone):
        page.goto(people[0].get_absolute_url())
        expect(page.get_by_text("Hardest to beat")).to_be_visible()
        page.get_by_label("Compare with").select_option(label=names[1])
        page.get_by_role("button", name="Compare").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text(names[1])
        expect(page.get_by_text(f"ahead in {LEAST_TOGETHER} of {LEAST_TOGETHER + 1} games")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    axe_day_and_night(phone)
