"""A sheet is opened on a phone that has no network, kept there, and sent when the network is back."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress

import pytest
from django.test import Client
from playwright.sync_api import Error, Page, Route, expect

from rules import find_game
from scoresheets.access.scorekeepers import hashed
from scoresheets.models import Sheet
from scoresheets.models.sheet import is_token
from scoresheets.views.public.sheet import sheet_file_of
from tests.browser.conftest import PHONE, Guard
from tests.browser.pads import Pad, hold, unplug
from tests.browser.test_unplugged import FINGER, play
from tests.browser.waits import wait_for, wait_until
from tests.factories import NAMES, Scorer, new_key, opened, thrown_hand

pytestmark = [pytest.mark.usefixtures("off_the_net")]

#: Whether the form and the pads of a game lie in the browser, and the worker holds the page.
AHEAD = """async (game) => {
  const places = ['/', '/open/', `/open/offline/${game}/`];
  const lie = await Promise.all(places.map((place) => caches.match(place)));
  return lie.every(Boolean) && Boolean(navigator.serviceWorker.controller);
}"""


class OfflinePad(Pad):
    """The pad of a sheet that the phone has opened itself."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps, self.tapped = page, 0, (-1, 0.0)
        page.wait_for_url("**/pad/")
        self.code = page.url.split("/")[-3]

    @property
    def sheet(self) -> Sheet:
        return Sheet.objects.get(code=self.code)

    def come_in(self) -> None:
        """The network is back: wait until the sheet and everything on it has been sent."""
        self.page.context.set_offline(False)
        self.page.evaluate("dispatchEvent(new Event('online'))")
        wait_for(self.page, lambda: not any("-" in name for name in self.waiting()))
        keeper = self.sheet.scorekeepers.get()
        self.scorer = Scorer(self.sheet, keeper)

    def waiting(self) -> list[str]:
        """What is kept to be sent, by its name."""
        names: list[str] = self.page.evaluate(
            """() => Object.entries(localStorage)
              .filter(([name]) => name.startsWith('opening-') || name.startsWith('outbox-'))
              .filter(([name, kept]) => name.startsWith('opening-') || JSON.parse(kept).posts.length)
              .map(([name]) => name)"""
        )
        return names


@pytest.fixture
def phone(open_page: Callable[..., Page]) -> Page:
    """A phone that has kept a sheet before, with ten people."""
    page = open_page(PHONE, service_workers="allow")
    secret = secrets.token_urlsafe(16)
    hold(page, secret)
    opened(10, browser=hashed(secret))
    return page


def keep_ahead(page: Page, game: str = "dirty-dog") -> None:
    page.goto("/open/")
    wait_until(page, AHEAD, game)


def choose_game(page: Page, game: str) -> None:
    cards = page.locator("#games")
    if cards.get_attribute("open") is None:
        cards.locator("summary").tap()
    cards.get_by_role("radio", name=find_game(game).name).check()


def choose(page: Page, game: str, names: int, dealer: str) -> None:
    """Fill in the form with people of before."""
    choose_game(page, game)
    for name in NAMES[:names]:
        page.get_by_role("button", name=name, exact=True).tap()
    page.get_by_role("radio", name=dealer, exact=True).check()


def opened_online(game: str, players: int, dealer: int) -> Scorer:
    """The same table, opened by a phone that has the network."""
    client = Client()
    names = list(NAMES[:players])
    post = {
        "game": game,
        "name": names,
        "pick": [""] * players,
        "dealer": dealer,
        "key": new_key(),
        "do": "open",
        "asked": "",
    }
    assert client.post("/open/", post).status_code == 303
    sheet = Sheet.objects.latest("pk")
    return Scorer(sheet, sheet.scorekeepers.get())


def start(page: Page) -> OfflinePad:
    """As with a finger that taps twice."""
    button = page.get_by_role("button", name="Start on this phone")
    button.evaluate("(button) => [1, 2].map(() => button.form.requestSubmit(button))")
    return OfflinePad(page)


def test_whole_game_from_the_front_page_to_the_end_without_network(phone: Page, open_page: Callable[..., Page]) -> None:
    online = opened_online("dirty-dog", 10, 2)
    keep_ahead(phone)
    unplug(phone)
    phone.goto("/")
    expect(phone.locator("main")).to_contain_text("No connection. This page is as it was")
    phone.get_by_role("link", name="Keep score now").tap()
    expect(phone.locator("#offline")).to_contain_text("this sheet starts on this phone and is sent later")
    phone.get_by_role("button", name="Same as last time").tap()
    phone.get_by_role("radio", name="Bo", exact=True).check()
    pad = start(phone)
    planned = online.reading.game.planned_hands(online.reading.sheet.table)
    expect(phone.locator("h1")).to_have_text(f"Hand 1 of {planned}")
    expect(pad.sent).to_have_text("1 to send")
    assert is_token(pad.code)
    assert phone.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('opening-')).length") == 1
    initials = [badge.get_attribute("data-initial") for badge in phone.locator(".badge").all()]
    assert set(initials) == {name[0] for name in NAMES}
    for number in range(1, planned + 1):
        first, second = play(online, number)
        phone.evaluate(FINGER, first)
        if number == planned // 2:
            # In the same tab: Chromium gives a new one a network all the same, one time in four (November 2026).
            phone.goto("about:blank")
            phone.goto(f"/sheets/{pad.code}/pad/")
        phone.evaluate(FINGER, second)
    expect(phone.locator("h1")).to_have_text("The end")
    assert not Sheet.objects.filter(code=pad.code).exists()
    front = phone.context.new_page()
    front.goto("/")
    expect(front.locator("#unsent-sheets a")).to_contain_text("Ann, Bo, Cy")
    expect(front.locator("#unsent-sheets a")).to_contain_text("Dirty Dog")
    front.close()
    totals = pad.totals()
    pad.come_in()
    assert sheet_file_of(pad.scorer.reading) == sheet_file_of(online.reading)
    names = pad.scorer.reading.names
    assert {names[seat]: total for seat, total in pad.scorer.reading.sheet.totals.items()} == totals
    assert pad.scorer.reading.finished == online.reading.finished
    second_phone = open_page(PHONE)
    second_phone.goto(f"/sheets/{pad.code}/")
    expect(second_phone.locator("main")).to_contain_text("Ida")


def counted(page: Page) -> int:
    """How many entries wait on the phone."""
    number: int = page.evaluate(
        """() => Object.entries(localStorage).filter(([name]) => name.startsWith('outbox-'))
          .flatMap(([, kept]) => JSON.parse(kept).posts).length"""
    )
    return number


def begin(phone: Page, game: str, players: int, dealer: str) -> OfflinePad:
    keep_ahead(phone, game)
    unplug(phone)
    phone.goto("/open/")
    choose(phone, game, players, dealer)
    return start(phone)


#: What the pad keeps of a tap.
PUT = """([code, post]) => {
  const place = `outbox-${code}`;
  const kept = JSON.parse(localStorage.getItem(place)) ?? { posts: [], known: {} };
  localStorage.setItem(place, JSON.stringify({ ...kept, posts: [...kept.posts, post] }));
}"""


def post_of(code: str, hand: int, ask: str, step: Mapping[str, object]) -> dict[str, object]:
    """A tap as the pad keeps it."""
    given = {
        name: "true" if value is True else f"{value}"
        for name, value in step.items()
        if value is not None and value is not False
    }
    place = {"hand": hand, "ask": ask}
    fields = {"hand": f"{hand}", "ask": ask, "sure": "1", **{f"f-{name}": value for name, value in given.items()}}
    url = f"/sheets/{code}/enter/"
    return {"key": new_key(), "verb": "enter", "url": url, "fields": fields, "place": place, "step": given, "saw": ""}


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize(("game", "players"), [("hotdog", 2), ("dingo", 4), ("dirty-deals", 4), ("bird-dog", 3)])
def test_first_hands_of_every_other_game_come_in_as_they_were_entered(phone: Page, game: str, players: int) -> None:
    """Hotdog by its forms; the others by what their pads keep of a tap."""
    online = opened_online(game, players, 2)
    pad = begin(phone, game, players, "Bo")
    for number in (1, 2, 3):
        dealer = online.reading.names[online.reading.sheet.open.hand.dealer]
        expect(phone.locator("h1")).to_contain_text(f"Hand {number}")
        expect(phone.locator("#pad [data-seat]").filter(has_text=dealer).first).to_contain_text("deals")
        if number == 3:
            break
        for ask, step in thrown_hand(online.reading, None).items():
            online.enter_step(number, ask, step)
            if game == "hotdog":
                phone.evaluate(ENTER, [ask, dict(step)])
            else:
                phone.evaluate(PUT, [pad.code, post_of(pad.code, number, ask, step)])
        phone.reload()
    expect(phone.locator(".line")).to_have_text("no connection: points of 2 hands come later")
    expect(pad.sent).to_have_text(f"{counted(phone) + 1} to send")
    pad.come_in()
    assert pad.scorer.reading.entries == online.reading.entries
    assert sheet_file_of(pad.scorer.reading) == sheet_file_of(online.reading)


#: Fills in the form of an ask, and sends it as its button does: of several forms the one that says most of the step.
ENTER = """([ask, step]) => {
  const nameOf = ({ elements }) => elements.ask.dataset.event ?? elements.ask.dataset.name;
  const controls = (form) => [...form.elements].filter(({ name }) => name.startsWith('f-'));
  const means = ({ type, value }, given) => `${given}` === value || (type === 'checkbox' && given === true);
  const fixed = (form) => controls(form).filter(({ type }) => type === 'hidden');
  const fits = (form) => fixed(form).every((field) => means(field, step[field.name.slice(2)]));
  const all = [...document.querySelectorAll('#pad form:has([name=ask])')];
  const forms = all.filter((form) => nameOf(form) === ask && fits(form));
  const open = forms.filter((form) => !form.closest('[data-when][hidden], [data-unless][hidden]'));
  const [form] = open.sort((a, b) => fixed(b).length - fixed(a).length);
  if (!form) throw new Error(`${ask}: ${document.getElementById('pad').innerText}`);
  let button;
  for (const control of controls(form).filter(({ name, type }) => name.slice(2) in step && type !== 'hidden')) {
    const given = step[control.name.slice(2)];
    if (control.localName === 'button') button = means(control, given) ? control : button;
    else if (['radio', 'checkbox'].includes(control.type)) control.checked = means(control, given);
    else control.value = given ?? '';
    if (control.localName !== 'button') control.dispatchEvent(new Event('input', { bubbles: true }));
  }
  form.requestSubmit(button);
}"""


@pytest.mark.allow_statuses(409)
def test_lost_answer_makes_one_sheet_and_a_code_of_another_sheet_makes_a_new_one(phone: Page) -> None:
    pad = begin(phone, "dirty-dog", 4, "Bo")
    pad.bid(1, 0)
    expect(pad.sent).to_have_text("3 to send")
    lost: list[str] = []

    def lose(route: Route) -> None:
        lost.append(route.request.post_data or "")
        if len(lost) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    phone.route("**/open/offline/", lose)
    before = Sheet.objects.count()
    pad.come_in()
    assert len(lost) > 1
    assert len(set(lost)) == 1
    assert Sheet.objects.count() == before + 1
    assert pad.scorer.reading.entries == {(1, "bid-3"): {"bid": 1}, (1, "bid-4"): {"bid": 0}}
    expect(phone.locator(f"a[href='/watch/{pad.sheet.watch}/']")).to_have_count(1)
    # The next one has drawn a code that another sheet got meanwhile.
    unplug(phone)
    phone.goto("/open/")
    choose(phone, "dirty-dog", 4, "Bo")
    second = start(phone)
    second.bid(1)
    taken = opened(4).sheet
    Sheet.objects.filter(pk=taken.pk).update(code=second.code)
    phone.context.set_offline(False)
    # The browser may have said it by itself, and the page has gone on.
    with suppress(Error):
        phone.evaluate("dispatchEvent(new Event('online'))")
    phone.wait_for_url(lambda url: url.endswith("/pad/") and second.code not in url)
    expect(phone.locator("#pad")).to_contain_text(
        "Another sheet already had this address, so this sheet got a new one."
    )
    moved = OfflinePad(phone)
    moved.come_in()
    assert moved.scorer.reading.entries == {(1, "bid-3"): {"bid": 1}}
    assert len({pad.code, second.code, moved.code}) == 3


@pytest.mark.allow_statuses(429)
def test_refused_opening_is_said_on_the_pad_and_everything_stays_on_the_phone(
    phone: Page, open_page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch, guard: Guard
) -> None:
    pad = begin(phone, "dirty-dog", 4, "Bo")
    pad.bid(1)
    with monkeypatch.context() as many:
        many.setattr("scoresheets.opening.open_sheet.count_action", lambda *_: 600)
        phone.context.set_offline(False)
        phone.evaluate("dispatchEvent(new Event('online'))")
        expect(phone.locator("#pad")).to_contain_text("Many sheets have been opened from here in the last hour.")
        expect(pad.sent).to_have_text("2 to send")
    # Two phones that opened a sheet for the same table keep two; the front page sends what waits.
    phone.goto("/")
    wait_for(phone, lambda: not pad.waiting())
    assert pad.sheet.version == 2
    expect(phone.locator("#unsent-sheets")).to_be_hidden()
    phone.goto(f"/sheets/{pad.code}/pad/")
    expect(phone.locator(".sent")).to_have_attribute("data-state", "saved")
    assert phone.evaluate("caches.match(location.pathname).then((page) => page?.headers.has('X-Unsent'))") is False


def test_form_without_network_offers_what_a_phone_can_do_and_says_what_is_missing(
    phone: Page, axe: Callable[[Page], None]
) -> None:
    keep_ahead(phone)
    unplug(phone)
    phone.goto("/open/")
    choose(phone, "hotdog", 3, "Ann")
    expect(phone.locator("#game b")).to_have_text("Hotdog")
    phone.get_by_role("button", name="Start on this phone").tap()
    refusal = phone.get_by_role("alert").filter(has_text="Without a connection Hotdog is for 2 players.")
    expect(refusal).to_be_visible()
    axe(phone)
    # What the last tap asked the site fails only now. The sentence stays until something on the form is changed.
    phone.locator("#offline").evaluate("notice => notice.replaceChildren()")
    phone.locator("#opening").dispatch_event("looked")
    expect(phone.locator("#offline")).to_contain_text("No connection")
    expect(refusal).to_be_visible()
    choose_game(phone, "dingo")
    expect(phone.locator("#offline")).to_contain_text("Dingo")
    expect(phone.locator("#offline-problem")).to_be_hidden()
    expect(phone.locator(".hands")).to_be_hidden()
    # The network is back: the next tap says so, and the form is what it always was.
    phone.context.set_offline(False)
    choose_game(phone, "dirty-dog")
    expect(phone.locator("#offline")).to_be_hidden()
    # What was asked of the site about Dingo may be answered first.
    expect(phone.locator("#game[data-of='dirty-dog']")).to_have_count(1)
    expect(phone.locator("#start")).to_contain_text("Start:")
    phone.locator(".start .go").tap()
    expect(phone.locator("h1")).to_contain_text("Hand 1")
