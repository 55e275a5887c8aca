"""A play-off of thirteen on one phone: from the roll call over a tie and finals drawn twice to the awards."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from clubs.models import Award, Club, Member, Night, PlayOff, Stage, Table
from clubs.trophies import awards
from tests.browser.pads import Pad
from tests.browser.test_organisers_night import fits
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, TrophyFactory, UserFactory, played
from tests.clubs.evenings import A_WEEK
from tests.clubs.play_offs.evening import PEOPLE, PlayOffEvening, reading_of

#: What they come to in the groups, from the leader of the last hand on: in one two are level for the last place.
TIED, CLEAR = [21, 15, 9, 9, 4, 1, -3], [18, 12, 8, 3, -2, -6]
#: What they come to in the finals: the lowest of the winners' table is below everybody.
WINNERS, LOSERS = [12, 9, 6, 2, -1, -8], [14, 10, 5, 3, 1, -2, -4]


@pytest.fixture
def club(transactional_db: None) -> Club:
    """A club of thirteen who were all there last time; Bo holds the winner's trophy, Ann the loser's."""
    club = ClubFactory(slug="trumps", name="The Trumps")
    people = [
        MemberFactory(club=club, name=name, user=UserFactory() if name == "Ann" else None) for name in PEOPLE[:13]
    ]
    people[0].role = "organiser"
    people[0].save()
    last = NightFactory(club=club, on=club.today() - A_WEEK)
    played(last, people[:7], hands=1)
    played(last, people[7:], hands=1)
    for name, goes, holder in (("The Cup", "winner", people[1]), ("The Old Dog", "loser", people[0])):
        trophy = TrophyFactory(club=club, name=name, goes=goes)
        won = awards.award(trophy, holder, on=last.on - datetime.timedelta(days=7), source="typed", confirmed=True)
        awards.hand_over(won, by=None)
    return club


def sign_in(page: Page, club: Club) -> Member:
    """The page is Ann's from now on, who is an organiser."""
    ann, client = club.members.get(name="Ann"), Client()
    assert ann.user
    client.force_login(ann.user)
    key = client.cookies["sessionid"].value
    page.goto("/healthz")
    page.context.add_cookies([{"name": "sessionid", "value": key, "url": page.url}])
    return ann


class PadOf(Pad):
    """The pad that is on the page already."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps, self.tapped = page, 0, (-1, 0.0)


def go(page: Page, role: Any, name: str, *, exact: bool = False, at: str = "") -> None:
    """Tap what leads to another page, in the line `at` of a list if that is said, and see that the page fits."""
    where = page.locator("li", has_text=at) if at else page
    with page.expect_navigation():
        where.get_by_role(role, name=name, exact=exact).first.tap()
    assert fits(page), page.url


def from_the_leader(table: Table, hand: int) -> list[str]:
    """Who sits at the table, from whoever leads that hand on."""
    reading = reading_of(table)
    names = [reading.names[seat] for seat in reading.table.seats]
    at = (reading.table.seats.index(reading.table.first_dealer) + hand) % len(names)
    return names[at:] + names[:at]


def keep_score(page: Page, night: Night, label: str) -> None:
    """The phone starts scoring at a table, from the codes of the tables."""
    page.goto(f"/clubs/trumps/nights/{night.pk}/codes/")
    if page.get_by_role("link", name=label, exact=True).count():
        page.get_by_role("link", name=label, exact=True).first.tap()
    expect(page.get_by_role("heading", name=f"{label}: Dirty Dog")).to_be_visible()
    page.get_by_role("link", name="Keep score on this phone").tap()
    expect(page.locator("#pad")).to_be_visible()


def blind_hand(page: Page, table: Table) -> tuple[str, str]:
    """Tap the blind hand that is due on the pad; of the two who are tied the first makes it, the second is set."""
    pad, reading = PadOf(page), reading_of(table)
    settlement = reading.sheet.settlement
    assert settlement
    assert settlement.hand
    (first, second), order = settlement.waiting[0].seats, settlement.hand.order
    pad.bids(dict.fromkeys(order, 0) | {first: 1}, order)
    # With so many at the table there is room for every name all the same.
    assert min(box["width"] for name in page.locator(".took .name bdi").all() if (box := name.bounding_box())) > 10
    for _ in range(settlement.hand.cards - 1):
        pad.more(reading.names[second])
    pad.tap(pad.score)
    page.wait_for_url("**/result/")
    return reading.names[first], reading.names[second]


@pytest.mark.journey(seconds=20)
def test_play_off_of_thirteen_is_run_on_one_phone(phone: Page, club: Club, axe: Callable[[Page], None]) -> None:
    sign_in(phone, club)
    night: Any = NightFactory(club=club, on=club.today(), begun_at=None)
    play_off = f"/clubs/trumps/nights/{night.pk}/play-off/"

    # From the roll call: what is proposed is made shorter, looked at and opened.
    phone.goto("/clubs/trumps/nights/")
    go(phone, "link", "Roll call")
    expect(phone.locator("#instead")).to_contain_text(
        "13 players: 7 and 6, top three each, finals of 6 and 7, done about"
    )
    go(phone, "button", "Play-off")
    axe(phone)
    for _ in range(2):
        less = phone.get_by_role("button", name="Hands in the groups: less")
        lower = less.get_attribute("value")
        less.tap()
        expect(less).not_to_have_attribute("value", str(lower))
    assert fits(phone)
    expect(phone.locator("#hands b")).to_have_text("6")
    expect(phone.locator("#final_hands b")).to_have_text("6")
    go(phone, "button", "See the groups")
    expect(phone.locator(".drawn-table")).to_have_count(2)
    axe(phone)
    go(phone, "button", "Open 2 groups")
    people = {member.name: member for member in club.members.all()}
    evening = PlayOffEvening(club, night, PlayOff.objects.get(), people)
    first, second = evening.groups
    assert sorted(len(evening.names_at(table)) for table in evening.groups) == [6, 7]

    # All groups stop after the same hand.
    phone.goto(play_off)
    phone.locator("details.more summary").tap()
    phone.get_by_label("All groups stop after hand").select_option("5")
    go(phone, "button", "Announce")
    expect(phone.get_by_text("Stops after hand 5.")).to_have_count(2)
    evening.play(first, dict(zip(from_the_leader(first, 5), TIED, strict=True)), hands=5)
    in_second = from_the_leader(second, 5)
    evening.play(second, dict(zip(in_second, CLEAR, strict=True)), hands=5)
    for table in (second, first):
        keep_score(phone, night, str(table))
        phone.get_by_role("button", name="Stop here").tap()
        expect(phone.get_by_role("button", name="Stop here")).to_have_count(0)

    # Two are level for the last place: in red, and no final is drawn before that is settled.
    expect(phone.get_by_text("are tied for the last place through")).to_be_visible()
    in_first = from_the_leader(first, 5)
    phone.goto(play_off)
    tied = phone.locator(".is-tied")
    expect(tied.locator("li.tied .name")).to_have_count(2)
    for name in in_first[2:4]:
        expect(tied.locator(".tie")).to_contain_text(name)
    expect(phone.get_by_role("link", name="Draw the finals")).to_have_count(0)
    axe(phone)
    assert fits(phone)
    phone.goto(f"{play_off}next/")
    axe(phone)
    expect(phone.locator(".waits-for")).to_contain_text("tied for the last place through")
    expect(phone.get_by_role("button", name="Open")).to_have_count(0)
    keep_score(phone, night, str(first))
    made_it, _ = blind_hand(phone, first)
    axe(phone)

    # The finals, and who deals first at them.
    phone.goto(play_off)
    go(phone, "link", "Draw the finals")
    expect(phone.get_by_text("deals first")).to_have_count(2)
    axe(phone)
    through = {*in_first[:2], made_it, *in_second[:3]}
    assert set(phone.locator(".drawn-table").first.locator("li bdi").all_inner_texts()) == through
    go(phone, "button", "Open 2 tables")
    phone.goto(play_off)
    axe(phone)
    winners, losers = evening.final(), evening.final(Stage.Side.LOSERS)
    evening.play(winners, WINNERS, hands=2)
    evening.play(losers, LOSERS, hands=3)
    phone.goto(play_off)
    axe(phone)

    # The sheet of a group is corrected: a preview says what would change, and nothing changes by itself.
    out, comes = in_second[2:4]
    phone.goto(f"/clubs/trumps/nights/{night.pk}/control/")
    axe(phone)
    go(phone, "link", "Correct it", at=str(second))
    phone.locator("#hand-5 .mark a").first.tap()
    go(phone, "link", "Change", exact=True)
    for name, way in ((in_second[0], "fewer"), (out, "more")) * 2:
        phone.get_by_role("button", name=f"{name} took: one {way}", exact=True).tap()
    phone.get_by_role("button", name="See what changes").tap()
    expect(phone.locator(".preview")).to_contain_text(
        "change tables; the winners’ table has 2 hands played and the losers’"
    )
    for name in (out, comes):
        expect(phone.locator(".preview .consequences")).to_contain_text(name)
    axe(phone)
    assert fits(phone)
    go(phone, "button", "Confirm")
    phone.goto(play_off)
    axe(phone)
    go(phone, "link", "Decide what the correction changes")
    axe(phone)
    phone.get_by_label("Why?").fill("Two tricks stood in the wrong column.")
    go(phone, "button", "Draw again")
    axe(phone)
    phone.goto(play_off)
    axe(phone)
    expect(phone.get_by_role("heading", name="Closed: they do not count")).to_be_visible()
    assert winners.pk != evening.final().pk
    assert losers.pk != evening.final(Stage.Side.LOSERS).pk
    assert set(evening.names_at(evening.final())) == through - {out} | {comes}

    # The finals are played: the loser's trophy crosses over to the winners' table, and the page says why.
    bottom = evening.names_at(evening.final(Stage.Side.LOSERS))
    # Whoever holds a trophy would keep it: Ann and Bo end in between.
    at_the_top = evening.names_at(evening.final())
    ahead, *others = [name for name in at_the_top if name not in ("Ann", "Bo")]
    top = [ahead, *(name for name in at_the_top if name in ("Ann", "Bo")), *others]
    evening.finish(evening.final(), dict(zip(top, WINNERS, strict=True)))
    evening.finish(evening.final(Stage.Side.LOSERS), dict(zip(bottom, LOSERS, strict=True)))
    winner, crossed, spared = top[0], top[-1], bottom[-1]
    phone.goto(play_off)
    expect(phone.locator(".crossing.bites")).to_contain_text(f"{crossed}, lowest of the winners’ table with −8")
    aloud = phone.locator(".aloud")
    expect(aloud).to_contain_text(f"{winner} takes")
    expect(aloud).to_contain_text(f"{crossed}, lowest of the winners’ table with −8 and below {spared}’s −4, takes")
    axe(phone)
    assert fits(phone)
    for name in (winner, crossed):
        phone.get_by_role("button", name=f"Yes, it goes to {name}").tap()
        phone.get_by_role("button", name=f"{name} has it now").tap()
    expect(phone.get_by_role("heading", name="Trophies")).to_have_count(0)
    go(phone, "link", "Go and close the night")
    phone.get_by_role("button", name="Close the night").tap()
    expect(phone.get_by_role("button", name="Open the night again")).to_be_visible()

    # The page stays as the record of the evening.
    phone.goto(play_off)
    axe(phone)
    expect(phone.get_by_role("heading", name="Tie-breaks")).to_be_visible()
    expect(phone.get_by_text("Two tricks stood in the wrong column.")).to_be_visible()
    phone.set_viewport_size({"width": 360, "height": 640})
    assert fits(phone)
    phone.goto("/clubs/trumps/trophies/")
    axe(phone)
    taken = Award.objects.filter(source="play-off", confirmed_at__isnull=False, set_aside_at__isnull=True)
    assert list(taken.order_by("trophy").values_list("member__name", flat=True)) == [winner, crossed]

    # Whoever won deals first next time, where they sit.
    night = NightFactory(club=club, on=club.today() + A_WEEK, begun_at=None)
    phone.goto(f"/clubs/trumps/nights/{night.pk}/roll-call/")
    go(phone, "button", "Draw the tables")
    axe(phone)
    dealer = phone.locator(".drawn-table li", has_text="champion, deals first")
    expect(dealer).to_contain_text(winner)
