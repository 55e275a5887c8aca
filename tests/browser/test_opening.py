"""Opening a sheet with a finger, with keys alone, and without JavaScript."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from rules import all_games
from scoresheets.access.scorekeepers import hashed, make_link
from scoresheets.log.state import read_sheet
from scoresheets.models import Sheet
from tests.browser.conftest import in_sizes, phone_by_day_desk_by_night
from tests.browser.pads import hold
from tests.browser.waits import settled, wait_for
from tests.factories import opened, scorer

SECRET = "the-secret-of-a-phone1"
SIX = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"]


def type_names(page: Page, names: list[str]) -> None:
    for name in names:
        page.get_by_role("textbox", name=re.compile("^(Name|Somebody else)$")).fill(name)
        page.keyboard.press("Enter")


def round_the_table(page: Page) -> list[str]:
    return page.locator("#round input[name=name]").evaluate_all("fields => fields.map(field => field.value)")


def chip(page: Page, name: str) -> Locator:
    return page.locator("#people").get_by_role("button", name=name, exact=True)


def dealer(page: Page, name: str) -> Locator:
    return page.locator("#dealers label").filter(has_text=re.compile(rf"^\s*{name}\s*$"))


def goes_sideways(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


def line(page: Page) -> Locator:
    return page.locator("#short")


def setup_of(page: Page) -> Sheet:
    page.wait_for_url("**/pad/")
    return Sheet.objects.get(code=page.url.split("/")[-3])


@pytest.fixture
def taps(phone: Page) -> Callable[[Locator], None]:
    """Taps and counts: `taps.count`."""

    def tap(target: Locator) -> None:
        tap.count += 1  # type: ignore[attr-defined]
        target.tap()

    tap.count = 0  # type: ignore[attr-defined]
    return tap


@pytest.fixture
def known_phone(phone: Page, live_server: object) -> Page:
    """A phone on which eight people have played, none of them to the end."""
    opened(["Gus", "Hal", *SIX], browser=hashed(SECRET))
    hold(phone, SECRET)
    return phone


@pytest.mark.journey
def test_games_to_go_on_with_are_read_in_both_lights(phone, live_server, axe_day_and_night):
    for title in ("Friday", "Kitchen table"):
        scorer(SIX, title=title, browser=hashed(SECRET)).clear_hand()
    hold(phone, SECRET)
    phone.goto("/")
    expect(phone.get_by_role("link", name=re.compile("^Go on: "))).to_have_count(2)
    axe_day_and_night(phone)


@pytest.mark.journey
def test_six_known_people_bid_after_ten_taps(known_phone, taps):
    page = known_phone
    page.goto("/")
    taps(page.get_by_role("link", name="Keep score now"))
    for name in SIX:
        taps(chip(page, name))
    taps(dealer(page, "Di"))
    expect(line(page)).to_have_text(re.compile(r"Most cards 8.*18 hands.*about 1 h 50.*Cy deals.last"))
    taps(page.get_by_role("button", name="Start: Ed bids first"))
    reading = read_sheet(setup_of(page))
    assert [reading.names[seat] for seat in reading.setup.seats] == SIX
    assert reading.setup.first_dealer == 4
    expect(page.get_by_role("heading", name="Hand 1")).to_be_visible()
    assert taps.count == 9


def test_same_as_last_time_with_its_champion_takes_three_taps(phone, taps):
    table = scorer(SIX, browser=hashed(SECRET))
    table.any_game()
    hold(phone, SECRET)
    phone.goto("/")
    taps(phone.get_by_role("link", name="Keep score now"))
    taps(phone.get_by_role("button", name="Same as last time"))
    expect(phone.locator("#round > li")).to_have_count(6)
    assert round_the_table(phone) == SIX
    expect(phone.locator("#champion")).to_contain_text("won last time and deals first")
    taps(phone.get_by_role("button", name="Start"))
    setup = read_sheet(setup_of(phone)).setup
    assert setup.dealer_choice == "champion"
    assert taps.count == 3


def test_names_are_typed_at_a_stretch_and_somebody_still_coming_makes_the_cards_fit(phone, axe):
    phone.goto("/open/")
    type_names(phone, SIX)
    assert round_the_table(phone) == SIX
    expect(line(phone)).to_contain_text("18 hands")
    expect(phone.locator("#first")).to_contain_text("Who was dealt the first jack?")
    dealer(phone, "Di").tap()
    expect(line(phone)).to_contain_text("Cy deals")
    axe(phone)
    phone.get_by_text("Expecting someone?").tap()
    phone.get_by_role("combobox", name="Who is still coming").fill("Gus")
    phone.keyboard.press("Enter")
    expect(line(phone)).to_contain_text("Most cards 7")
    phone.get_by_role("button", name="Gus is not coming").tap()
    expect(line(phone)).to_contain_text("Most cards 8")


@pytest.mark.journey
def test_second_john_is_asked_for_an_initial_beside_the_field_and_where_a_name_is_changed(phone):
    phone.goto("/open/")
    type_names(phone, ["John", "Bo", "john"])
    expect(phone.locator("#typed-problem")).to_have_text("There is a second john here: add an initial.")
    expect(phone.locator("#typed")).to_have_value("john")
    type_names(phone, ["John B."])
    expect(phone.locator("#typed-problem")).to_be_hidden()
    assert round_the_table(phone) == ["John", "Bo", "John B."]
    phone.get_by_role("button", name="Bo: change the name", exact=True).tap()
    phone.get_by_role("textbox", name="Name at place 2").fill("John")
    phone.keyboard.press("Enter")
    expect(phone.locator("#round .problem").nth(1)).to_have_text("There is a second John here: add an initial.")
    phone.get_by_role("textbox", name="Name at place 2").fill("Joe")
    phone.keyboard.press("Enter")
    expect(phone.locator("#round .problem").nth(1)).to_be_hidden()
    expect(phone.locator("#dealers")).to_contain_text("Joe")


def test_typing_shows_the_people_who_have_that_in_their_names(known_phone):
    known_phone.goto("/open/")
    known_phone.locator("#typed").fill("fl")
    expect(chip(known_phone, "Flo")).to_be_visible()
    expect(chip(known_phone, "Ann")).to_be_hidden()
    chip(known_phone, "Flo").tap()
    expect(chip(known_phone, "Ann")).to_be_visible()
    expect(known_phone.locator("#typed")).to_have_value("")
    assert round_the_table(known_phone) == ["Flo"]


def test_arrows_move_a_name_and_the_focus_goes_with_it_and_a_mouse_drags_one_to_its_place(desk, axe):
    desk.goto("/open/")
    type_names(desk, list("ABCD"))
    dealer(desk, "A").click()
    desk.get_by_role("button", name="A down", exact=True).focus()
    for order in ("BACD", "BCAD", "BCDA"):
        desk.keyboard.press("Enter")
        assert "".join(round_the_table(desk)) == order
    expect(desk.get_by_role("button", name="A up", exact=True)).to_be_focused()
    expect(desk.locator("#announcement")).to_have_text("A sits at place 4")
    expect(dealer(desk, "A").locator("input")).to_be_checked()
    expect(desk.get_by_role("button", name="Start: B bids first")).to_be_visible()
    grips = desk.locator("#round .grip")
    grips.nth(2).scroll_into_view_if_needed()
    start, end = grips.nth(0).bounding_box(), grips.nth(2).bounding_box()
    assert start
    assert end
    desk.mouse.move(start["x"] + 8, start["y"] + 20)
    desk.mouse.down()
    desk.mouse.move(end["x"] + 8, end["y"] + end["height"] - 4, steps=12)
    desk.mouse.up()
    assert "".join(round_the_table(desk)) == "CDBA"
    desk.get_by_role("button", name="Remove C").click()
    assert "".join(round_the_table(desk)) == "DBA"
    axe(desk)


def test_whole_sheet_is_opened_with_keys_alone(desk):
    desk.goto("/open/")
    desk.locator("#typed").focus()
    for name in list("ABCD"):
        desk.keyboard.type(name)
        desk.keyboard.press("Enter")
    for _ in range(40):
        desk.keyboard.press("Tab")
        if desk.evaluate("document.activeElement.name") == "dealer":
            break
    desk.keyboard.press("Space")
    for _ in range(20):
        desk.keyboard.press("Tab")
        if desk.evaluate("document.activeElement.value") == "open":
            break
    desk.keyboard.press("Enter")
    assert read_sheet(setup_of(desk)).setup.first_dealer == 1


def test_hands_are_changed_and_the_stairs_follow(phone, axe):
    phone.goto("/open/")
    type_names(phone, SIX)
    phone.get_by_text("Change", exact=True).tap()
    phone.get_by_text("By number of hands").tap()
    phone.get_by_role("button", name="Less: hands").tap()
    expect(line(phone)).to_contain_text("12 hands")
    expect(phone.locator(".stairs rect")).to_have_count(12)
    phone.get_by_role("textbox", name="hands").fill("20")
    phone.keyboard.press("Enter")
    expect(phone.locator("#how")).to_contain_text("Rule 4")
    phone.get_by_text("By most cards").tap()
    for cards in (7, 6, 5):
        phone.get_by_role("button", name="Less: most cards").tap()
        expect(line(phone)).to_contain_text(f"Most cards {cards}")
    axe(phone)
    dealer(phone, "Ann").tap()
    phone.get_by_role("button", name="Start").tap()
    assert read_sheet(setup_of(phone)).setup.plan == {"peak": 5}


def test_quick_taps_on_plus_are_all_counted(phone):
    phone.goto("/open/")
    type_names(phone, list("ABCD"))
    phone.get_by_text("Change", exact=True).tap()
    phone.get_by_text("By most cards").tap()
    expect(phone.locator("#by-peak")).to_be_checked()
    for _ in range(7):
        # Every tap falls between what the page asks about the one before and its answer.
        with phone.expect_request("**/open/look/"):
            phone.get_by_role("button", name="Less: most cards").tap()
    expect(line(phone)).to_contain_text("Most cards 5")


def test_eleventh_player_is_warned_of_above_the_button_which_still_works(phone):
    phone.goto("/open/")
    type_names(phone, [f"P{number}" for number in range(1, 12)])
    expect(phone.locator(".start")).to_contain_text("11 players: two tables are better.")
    dealer(phone, "P1").tap()
    phone.get_by_role("button", name="Start").tap()
    assert setup_of(phone).seats.count() == 11


def test_full_table_with_everything_open_is_accessible_and_never_scrolls_sideways(phone, axe_day_and_night):
    opened(["W" * 40, "عبد الرحمن", "<b>Kay</b>", *SIX], browser=hashed(SECRET))
    hold(phone, SECRET)
    for address in ("/", "/open/"):
        phone.goto(address)
        for _ in in_sizes(phone):
            axe_day_and_night(phone)
    phone.get_by_role("button", name="Same as last time").click()
    type_names(phone, ["Last"])
    phone.locator("details").evaluate_all("all => all.forEach(one => { one.open = true })")
    expect(line(phone)).to_contain_text("10 hands")
    for size in in_sizes(phone):
        axe_day_and_night(phone)
        assert not goes_sideways(phone), size


def test_forgotten_dealer_is_asked_for_at_once_and_a_refused_form_keeps_everything_and_shows_where(phone, guard):
    guard.allowed.add(422)
    phone.goto("/open/")
    type_names(phone, list("ABCD"))
    phone.get_by_role("button", name="Start").tap()
    expect(dealer(phone, "A")).to_be_in_viewport()
    expect(phone.get_by_role("alert").filter(has_text="Who deals first? Tap a name.")).to_be_in_viewport()
    assert phone.url.endswith("/open/")
    assert not Sheet.objects.exists()
    dealer(phone, "B").tap()
    expect(phone.locator("#dealer-problem")).to_be_hidden()
    phone.locator("#typed").fill("Ed")
    phone.get_by_role("button", name="Start").tap()
    expect(phone.locator("#typed-problem")).to_contain_text("This name is not at the table yet")
    expect(phone.locator("#typed-problem")).to_be_in_viewport()
    assert round_the_table(phone) == list("ABCD")
    phone.get_by_role("button", name="Add", exact=True).first.tap()
    phone.get_by_role("button", name="Start").tap()
    assert setup_of(phone).seats.count() == 5


@pytest.mark.journey
def test_sheet_is_opened_without_javascript(plain_phone):
    page = plain_phone
    page.goto("/")
    page.get_by_role("link", name="Keep score now").tap()
    for seated, name in enumerate(SIX, 1):
        page.get_by_role("textbox", name="Name", exact=True).fill(name)
        page.keyboard.press("Enter")
        expect(page.locator("#round > li")).to_have_count(seated)
    assert round_the_table(page) == SIX
    page.get_by_role("button", name="Flo up").tap()
    expect(page.locator("#round > li").nth(4)).to_contain_text("Flo")
    page.get_by_role("button", name="Flo down").tap()
    expect(page.locator("#round > li").nth(5)).to_contain_text("Flo")
    dealer(page, "Di").tap()
    page.get_by_text("Change", exact=True).tap()
    page.get_by_text("By number of hands").tap()
    page.get_by_role("button", name="Less: hands").tap()
    expect(line(page)).to_contain_text("12 hands")
    page.get_by_role("button", name="Start: Ed bids first").tap()
    reading = read_sheet(setup_of(page))
    assert [reading.names[seat] for seat in reading.setup.seats] == SIX
    assert reading.setup.plan == {"hands": 12}


def game_card(page: Page, name: str) -> Locator:
    return page.locator(".game").filter(has=page.locator("b", has_text=name))


def test_all_games_lie_there_at_once_the_first_time(phone, axe):
    phone.goto("/open/")
    expect(phone.locator(".game")).to_have_count(len(all_games()))
    for game in all_games():
        expect(game_card(phone, game.name)).to_be_in_viewport(ratio=1)
    axe(phone)


def test_another_game_takes_one_tap_and_everything_follows(phone, axe):
    phone.goto("/open/")
    type_names(phone, SIX)
    dealer(phone, "Flo").tap()
    phone.get_by_text("Another game").tap()
    game_card(phone, "Dingo").tap()
    expect(phone.locator(".games")).not_to_have_attribute("open", "")
    expect(phone.locator("#game")).to_contain_text("Dingo")
    expect(line(phone)).to_have_text("4 hands")
    expect(phone.locator("#dealers label")).to_have_count(4)
    assert round_the_table(phone) == SIX
    expect(phone.locator("#round > li.out")).to_have_text([re.compile("Ed"), re.compile("Flo")])
    expect(phone.locator(".start")).to_contain_text("Without a seat this time: Ed and Flo.")
    expect(phone.locator("#dealers :checked")).to_have_count(0)
    expect(phone.locator("#first")).to_contain_text("Who drew the highest card?")
    expect(phone.get_by_text("Expecting someone?")).to_be_hidden()
    axe(phone)
    phone.get_by_text("Another game").tap()
    game_card(phone, "Dirty Dog").tap()
    expect(line(phone)).to_contain_text("18 hands")
    expect(phone.locator("#dealers label")).to_have_count(6)
    expect(phone.locator("#round > li.out")).to_have_count(0)
    expect(phone.get_by_text("Expecting someone?")).to_be_visible()


def test_doubtful_rules_are_answered_with_a_tap_and_asked_no_more(phone, axe):
    phone.goto("/open/?game=dingo")
    type_names(phone, SIX[:4])
    expect(phone.get_by_role("heading", name="Agree on this once")).to_be_visible()
    phone.locator(".doubts label", has_text="1 point").tap()
    phone.get_by_text("Change", exact=True).tap()
    for _ in range(2):
        phone.get_by_role("button", name="Less: Hands that are played").tap()
    expect(line(phone)).to_have_text("2 hands")
    axe(phone)
    dealer(phone, "Cy").tap()
    phone.get_by_role("button", name="Start: Cy deals").tap()
    assert read_sheet(setup_of(phone)).setup.house_rules == {"hands": 2, "ten_value": 1}
    phone.goto("/open/")
    expect(phone.locator("#game")).to_contain_text("Dingo")
    expect(phone.get_by_role("heading", name="Agree on this once")).to_have_count(0)
    phone.get_by_text("House rules").tap()
    expect(phone.get_by_role("combobox", name="What a ten is worth.")).to_have_value("1")


def test_games_are_gone_through_with_arrow_keys(desk):
    desk.goto("/open/")
    desk.locator("input[name=game]:checked").focus()
    names = []
    for _ in all_games():
        desk.keyboard.press("ArrowDown")
        expect(desk.locator("#game b")).to_have_text(desk.locator(".game:has(:checked) b").inner_text())
        names.append(desk.locator("#game b").text_content())
    assert sorted(names) == sorted(game.name for game in all_games())
    expect(desk.locator(".games")).to_have_attribute("open", "")


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_every_game_is_opened_without_javascript(plain_phone, game):
    page, seats = plain_phone, SIX[: game.made_for[0]]
    page.goto("/")
    page.get_by_role("link", name="Keep score now").tap()
    game_card(page, game.name).tap()
    page.get_by_role("button", name="This game").tap()
    expect(page.locator("#game")).to_contain_text(game.name)
    for seated, name in enumerate(seats, 1):
        page.get_by_role("textbox", name="Name", exact=True).fill(name)
        page.keyboard.press("Enter")
        expect(page.locator("#round > li")).to_have_count(seated)
    dealer(page, seats[1]).tap()
    page.get_by_role("button", name="Start").tap()
    sheet = setup_of(page)
    setup = read_sheet(sheet).setup
    assert (sheet.game, setup.first_dealer, setup.house_rules) == (game.slug, 2, {})


@pytest.mark.journey
@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_page_of_every_game_with_everything_open_is_accessible_and_never_scrolls_sideways(phone, axe, game):
    phone.goto(f"/open/?game={game.slug}")
    type_names(phone, ["W" * 40, "عبد الرحمن", "<b>Kay</b>", *SIX])
    phone.locator("details").evaluate_all("all => all.forEach(one => { one.open = true })")
    expect(phone.locator("#dealers label")).to_have_count(min(9, game.players[-1]))
    for hour in phone_by_day_desk_by_night(phone):
        axe(phone)
        assert not goes_sideways(phone), hour


def test_back_from_the_pad_is_a_new_sheet(phone):
    phone.goto("/open/")
    type_names(phone, list("ABCD"))
    dealer(phone, "A").tap()
    phone.get_by_role("button", name="Start").tap()
    first = setup_of(phone)
    phone.go_back()
    phone.wait_for_url("**/open/")
    expect(phone.get_by_role("button", name="Same as last time")).to_be_visible()
    phone.get_by_role("button", name="Same as last time").tap()
    dealer(phone, "B").tap()
    phone.get_by_role("button", name="Start").tap()
    assert setup_of(phone) != first


def test_keeper_link_opens_the_pad_at_once_and_back_does_not_trap(phone):
    table = scorer(4)
    # A link nobody in particular made, as in the terminal: nobody is asked what they are called.
    link = f"/keep/{make_link(table.sheet, by=None)}/"
    phone.goto("/")
    phone.goto(link)
    phone.wait_for_url("**/pad/")
    phone.go_back()
    expect(phone.get_by_role("link", name="Keep score now")).to_be_visible()


def test_keeper_link_has_a_button_without_javascript(plain_phone):
    table = scorer(4, title="Thursday, table 2")
    plain_phone.goto(f"/keep/{make_link(table.sheet, by=table.by)}/")
    expect(plain_phone.get_by_role("heading", name="Thursday, table 2")).to_be_visible()
    plain_phone.get_by_role("button", name="Start scoring").tap()
    plain_phone.wait_for_url("**/pad/")


def asked_last(page: Page, held: list[Route], name: str, value: str) -> Route:
    """What the page asks with that value in a field, as soon as its browser has sent it."""
    field = f'name="{name}"\r\n\r\n{value}\r\n'
    wait_for(page, lambda: held and field in (held[-1].request.post_data or ""))
    return held[-1]


def test_way_chosen_before_the_page_has_answered_starts_from_what_is_possible_now(phone):
    phone.goto("/open/")
    type_names(phone, ["Ann", "Bo"])
    expect(line(phone)).to_contain_text("Most cards 25")
    phone.get_by_text("Change", exact=True).tap()
    held: list[Route] = []
    phone.route("**/open/look/", lambda route: held.append(route))
    type_names(phone, ["Cy", "Di", "Ed", "Flo"])
    phone.get_by_text("By most cards").tap()
    phone.get_by_role("button", name="Less: most cards").tap()
    # The first answer says what is possible; then the tap on − is asked about too.
    asked_last(phone, held, "by", "peak").continue_()
    expect(phone.get_by_role("textbox", name="most cards")).to_have_value("7")
    asked_last(phone, held, "plan-peak", "7").continue_()
    expect(line(phone)).to_contain_text("Most cards 7")


def test_number_that_is_being_typed_is_not_replaced_by_an_answer_that_comes_late(phone):
    phone.goto("/open/")
    type_names(phone, ["Ann", "Bo", "Cy", "Di"])
    expect(line(phone)).to_contain_text("24 hands")
    phone.get_by_text("Change", exact=True).tap()
    held: list[Route] = []
    phone.route("**/open/look/", lambda route: held.append(route))
    phone.get_by_text("By number of hands").tap()
    late = asked_last(phone, held, "by", "hands")
    phone.get_by_role("textbox", name="hands", exact=True).fill("8")
    late.continue_()
    settled(phone)
    expect(phone.get_by_role("textbox", name="hands", exact=True)).to_have_value("8")
    phone.unroute("**/open/look/")
    phone.keyboard.press("Enter")
    expect(line(phone)).to_contain_text("8 hands")


def test_nothing_is_replaced_between_the_lifting_of_a_finger_and_its_tap(phone):
    phone.goto("/open/")
    type_names(phone, list("ABCD"))
    expect(line(phone)).to_contain_text("hands")
    held: list[Route] = []
    phone.route("**/open/look/", lambda route: held.append(route))
    chips = phone.locator("#dealers label")
    chips.nth(0).tap()
    late = asked_last(phone, held, "dealer", "1")
    chips.nth(2).evaluate("""chip => {
        window.chip = chip;
        chip.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
    }""")
    with phone.expect_response("**/open/look/") as answer:
        late.continue_()
    answer.value.finished()
    phone.unroute("**/open/look/")
    settled(phone)
    assert phone.evaluate("""async () => {
        chip.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }));
        await new Promise((later) => setTimeout(later, 50));
        const stays = chip.isConnected;
        chip.click();
        return stays;
    }""")
    expect(phone.get_by_role("button", name="Start: D bids first")).to_be_visible()


@pytest.mark.journey
def test_name_is_dragged_with_a_finger_that_may_leave_the_list(phone):
    phone.goto("/open/")
    type_names(phone, list("ABCD"))
    grips = phone.locator("#round .grip")
    start, end = grips.nth(3).bounding_box(), grips.nth(0).bounding_box()
    assert start
    assert end
    x, y, top = start["x"] + 8, start["y"] + 20, end["y"] + 4
    finger = phone.context.new_cdp_session(phone)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    touch("touchStart", (x, y))
    for part in range(1, 11):
        touch("touchMove", (x, y + (top - y) * part / 10))
    touch("touchMove", (x, top - 120))
    touch("touchEnd")
    assert "".join(round_the_table(phone)) == "DABC"
    expect(phone.locator("#round .held")).to_have_count(0)
    expect(phone.get_by_role("button", name="D up", exact=True)).to_be_disabled()


def test_answer_that_comes_while_a_number_is_typed_leaves_what_is_selected(phone):
    """Bad Wi-Fi: the answer to "By number of hands" comes when the number in the field is already selected."""
    phone.goto("/open/")
    type_names(phone, SIX)
    # The page has answered to the last name: until then it knows no number of hands.
    expect(line(phone)).to_contain_text("18 hands")
    phone.get_by_text("Change", exact=True).tap()
    held: list[Route] = []
    phone.route("**/open/look/", lambda route: held.append(route))
    phone.get_by_text("By number of hands").tap()
    late = asked_last(phone, held, "by", "hands")
    field = phone.get_by_role("textbox", name="hands", exact=True)
    field.evaluate("field => { field.focus(); field.select(); field.classList.add('before') }")
    late.continue_()
    expect(phone.locator("input.before")).to_have_count(0)
    phone.unroute("**/open/look/")
    phone.keyboard.type("8")
    expect(field).to_have_value("8")
