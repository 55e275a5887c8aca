"""Larger letters, the left thumb, a phone between two people: liked on one phone, remembered by it."""

import pytest
from playwright.sync_api import Page, expect

from scoresheets.wording.glossary import add_word
from tests.browser.conftest import in_sizes
from tests.browser.pads import hold
from tests.factories import hashed, scorer

SECRET = "a" * 22
BUTTONS = """
for (const name of ["size", "hand", "sides"]) {
  const button = document.createElement("button");
  button.dataset.pref = name;
  button.hidden = true;
  document.querySelector("main").prepend(button);
}
"""


@pytest.fixture
def p(transactional_db):
    return scorer(6, plan={"peak": 8}, browser=hashed(SECRET), house_rules={"dealer_bid_final": True})


def liked(page: Page) -> dict[str, str]:
    return page.evaluate("({...document.documentElement.dataset})")


def letters(page: Page) -> float:
    """Pixels of one rem."""
    return page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")


def with_buttons(page: Page, address: str = "/rules/dirty-dog/") -> Page:
    """A page with the three buttons, and the script that a pad loads for its own."""
    page.goto(address)
    page.evaluate(BUTTONS)
    page.evaluate("import('/static/js/widgets/prefs_buttons.js')")
    return page


@pytest.mark.journey
def test_letters_thumb_and_sides_go_through_their_choices(phone):
    with_buttons(phone)
    sizes = [letters(phone)]
    for said in ("Larger", "Larger still", "Normal size"):
        phone.get_by_role("button", name=said, exact=True).tap()
        sizes.append(letters(phone))
    assert sizes[0] < sizes[1] < sizes[2]
    assert sizes[3] == sizes[0]
    assert liked(phone) == {}
    phone.get_by_role("button", name="Left thumb").tap()
    phone.get_by_role("button", name="Side by side").tap()
    assert liked(phone) == {"hand": "left", "sides": "beside"}
    phone.get_by_role("button", name="Right thumb").tap()
    assert liked(phone) == {"sides": "beside"}
    phone.get_by_role("button", name="Face to face").tap()
    assert liked(phone) == {}


def test_phone_remembers_on_every_page_before_anything_is_painted_and_buttons_say_what_a_tap_brings(phone):
    with_buttons(phone)
    phone.get_by_role("button", name="Larger", exact=True).tap()
    phone.get_by_role("button", name="Left thumb").tap()
    phone.add_init_script(
        "new MutationObserver((_, watch) => {"
        " if (document.body) { window.first = {...document.documentElement.dataset}; watch.disconnect(); }"
        "}).observe(document, {childList: true, subtree: true})"
    )
    with_buttons(phone, "/words/dirty-dog/")
    assert phone.evaluate("window.first") == {"size": "2", "hand": "left"}
    expect(phone.get_by_role("button", name="Larger still")).to_be_visible()


def test_other_pages_of_the_same_phone_follow(phone):
    with_buttons(phone)
    other = phone.context.new_page()
    with_buttons(other)
    phone.get_by_role("button", name="Left thumb").tap()
    expect(other.get_by_role("button", name="Right thumb")).to_be_visible()
    assert liked(other) == {"hand": "left"}


def test_phone_without_storage_still_changes_the_page(phone):
    phone.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw new Error('switched off') }})")
    with_buttons(phone)
    phone.get_by_role("button", name="Larger", exact=True).tap()
    phone.get_by_role("button", name="Larger still").tap()
    assert liked(phone) == {"size": "3"}


def test_nonsense_in_storage_is_as_good_as_nothing(phone):
    phone.goto("/rules/dirty-dog/")
    phone.evaluate("localStorage.setItem('like-size', 'huge'); localStorage.setItem('like-hand', '')")
    phone.reload()
    assert liked(phone) == {}


def test_help_pages_are_accessible_and_nowhere_wider_than_the_window(phone, p, axe_day_and_night):
    add_word("The Wobble", "Somebody bids and looks again.", by=p.by)
    hold(phone, SECRET)
    phone.add_init_script("localStorage.setItem('like-size', '3')")
    code, watch = p.sheet.code, p.sheet.watch
    for path in [f"sheets/{code}/rules", f"sheets/{code}/words", f"sheets/{code}/note", f"watch/{watch}/words"]:
        phone.goto(f"/{path}/")
        assert liked(phone) == {"size": "3"}
        for size in in_sizes(phone):
            axe_day_and_night(phone)
            wide = phone.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
            assert not wide, (path, size)


def test_tap_on_a_word_opens_the_page_where_it_stands(phone, p):
    phone.goto(f"/watch/{p.sheet.watch}/words/#door-knob")
    expect(phone.locator("#door-knob")).to_be_in_viewport()


def test_something_is_said_and_taken_back_by_taps(phone, p):
    hold(phone, SECRET)
    phone.goto(f"/sheets/{p.sheet.code}/note/")
    phone.get_by_role("radio", name="Kobayashi Maru").tap()
    phone.get_by_role("radio", name="Flo").tap()
    phone.get_by_label("In words", exact=True).fill("three aces")
    phone.get_by_role("button", name="Add note").tap()
    expect(phone.get_by_text("Kobayashi Maru · Flo · three aces")).to_be_visible()
    phone.get_by_role("button", name="Take back").tap()
    expect(phone.get_by_text("three aces")).to_have_count(0)


@pytest.mark.parametrize(("players", "cards"), [(10, 5), (6, 8), (4, 12)])
def test_pad_in_the_largest_letters_keeps_keys_in_the_window_and_names_whole(phone, transactional_db, players, cards):
    p = scorer(players, plan={"peak": cards}, browser=hashed(SECRET))
    for _ in range(cards - 1):
        p.any_hand()
    order = p.reading.sheet.open.hand.order
    for seat in order[:-1]:
        p.bid(seat, 1)
    hold(phone, SECRET)
    phone.add_init_script("localStorage.setItem('like-size', '3')")
    phone.goto(f"/sheets/{p.sheet.code}/pad/")
    for buttons in (".keys button, .tools button, .tools a", ".go, .tools button, .tools a"):
        boxes = [box.bounding_box() for box in phone.locator(buttons).all() if box.is_visible()]
        assert boxes
        assert all(box["y"] + box["height"] <= 664 and box["x"] + box["width"] <= 390 for box in boxes)
        cut = "names => names.filter(name => name.scrollWidth > name.clientWidth + 1).map(name => name.textContent)"
        assert phone.locator(".seats .name bdi").evaluate_all(cut) == []
        p.bid(order[-1], 1)
        p.bid(order[-1], 2)
        phone.reload()


def test_tap_on_a_call_out_opens_its_word_over_the_page(phone, p):
    for _ in range(2):
        p.any_hand()
    phone.goto(f"/watch/{p.sheet.watch}/")
    link = phone.locator(".call-out a")
    term = link.inner_text()
    link.tap()
    panel = phone.get_by_role("dialog", name=term)
    expect(panel).to_be_visible()
    panel.get_by_role("button", name="Close").tap()
    expect(panel).to_be_hidden()
    assert phone.url.endswith(f"/watch/{p.sheet.watch}/")


def test_word_says_so_when_there_is_no_connection(phone, p, guard):
    p.any_hand()
    phone.goto(f"/watch/{p.sheet.watch}/")
    phone.route("**/words/?only=*", lambda route: route.abort())
    phone.locator(".call-out a").tap()
    expect(phone.get_by_role("dialog", name="No connection")).to_be_visible()
    guard.complaints[:] = [said for said in guard.complaints if "ERR_FAILED" not in said]
