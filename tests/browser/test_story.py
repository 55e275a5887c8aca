"""The story of a night on a phone: read, followed to a hand, shared; with many people and long names."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.club_factories import ClubFactory, MemberFactory, NightFactory, TrophyFactory, played
from tests.clubs.notices.hearing import trophy_of


def test_story_is_read_on_a_phone_and_leads_to_the_hand_that_proves_it(
    transactional_db: None, phone: Page, axe_day_and_night: Callable[[Page], None]
) -> None:
    club = ClubFactory(name="The Trumps")
    names = ("Maximiliane Featherstonehaugh-Wolseley", "Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "شيماء")
    members = [MemberFactory(club=club, name=name) for name in names]
    night = NightFactory(club=club)
    table = played(night, members)
    trophy_of(table, members[0], TrophyFactory(club=club, name="The Golden Bone", drawing="bone"))
    phone.goto(f"{night.get_absolute_url()}story/")
    expect(phone.get_by_role("heading", name="The story of the night")).to_be_visible()
    assert 5 <= phone.locator(".story > li").count() <= 8
    expect(phone.locator(".story > li").last).to_contain_text("The Golden Bone goes to Maximiliane")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(phone.get_by_role("button", name="Share")).to_be_visible()
    expect(phone.locator(".score-hand")).to_be_attached()
    axe_day_and_night(phone)
    phone.locator(".story .evidence a", has_text="Hand").first.click()
    expect(phone).to_have_url(re.compile(f"/watch/{table.sheet.watch}/.*#hand-"))
