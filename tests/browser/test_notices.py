"""Notices: switching them on after a tap and not before, what a phone shows of them, and calls on the control page."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone
from playwright.sync_api import Page, expect

from clubs.models import Club, Member, Night, NoticeSettings, PushSubscription, Table
from clubs.notices.links import stop_path
from scoresheets.models import Sheet
from tests.browser.conftest import PHONE, Guard, in_sizes, phone_by_day_desk_by_night
from tests.browser.test_organisers_night import fits, sign_in
from tests.browser.waits import wait_for
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, played
from tests.clubs.notices.hearing import Phone, has_phone
from tests.waiting import until

#: A browser with a push service: real keys, and no service behind them. It notes when it is asked.
PUSH_SERVICE = """
(({ endpoint, p256dh, auth }) => {
  window.asked = [];
  const kept = (name) => localStorage.getItem(name);
  Object.defineProperty(Notification, "permission", { get: () => kept("fake-permission") ?? "default" });
  Notification.requestPermission = async () => window.asked.push("permission");
  const made = () => kept("fake-key") && {
    endpoint,
    options: { applicationServerKey: Uint8Array.from(JSON.parse(kept("fake-key"))).buffer },
    toJSON: () => ({ endpoint, expirationTime: null, keys: { p256dh, auth } }),
    unsubscribe: async () => localStorage.removeItem("fake-key"),
  };
  PushManager.prototype.getSubscription = async () => made();
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    window.asked.push("subscribe");
    if (kept("fake-answer") === "no") {
      localStorage.setItem("fake-permission", "denied");
      throw new DOMException("Registration failed", "NotAllowedError");
    }
    if (kept("fake-answer")) throw new DOMException("Registration failed", kept("fake-answer"));
    localStorage.setItem("fake-permission", "granted");
    localStorage.setItem("fake-key", JSON.stringify([...applicationServerKey]));
    return made();
  };
})(KEYS);
"""


@pytest.fixture
def club(transactional_db: None) -> Club:
    club = ClubFactory(slug="trumps", name="The Trumps", visibility="link", place="The bakery")
    for name in ("Ann", "Bo", "Cy", "Di"):
        MemberFactory(club=club, name=name)
    return club


@pytest.fixture
def notified(open_page: Callable[..., Page]) -> Page:
    """A phone with a push service of its own."""
    page = open_page(PHONE, service_workers="allow")
    page.add_init_script(PUSH_SERVICE.replace("KEYS", json.dumps(Phone().fields)))
    return page


def came_as_ann(page: Page, club: Club) -> None:
    page.goto(f"/clubs/trumps/in/{club.key}/")
    page.goto("/clubs/trumps/me/")
    page.get_by_role("button", name="Ann", exact=True).tap()
    expect(page.get_by_role("heading", name="You are Ann")).to_be_visible()


@pytest.mark.journey
def test_browser_is_asked_after_a_tap_and_not_before(
    notified: Page, club: Club, axe_day_and_night: Callable[[Page], None]
) -> None:
    sign_in(notified, club)
    organiser = Member.objects.get(user__isnull=False)
    EmailAddress.objects.filter(user=organiser.user).delete()
    EmailAddress.objects.create(user=organiser.user, email="flo@mail.example", primary=True, verified=True)
    notified.goto("/clubs/trumps/me/notices/")
    button = notified.get_by_role("button", name="Tell me on this phone")
    expect(button).to_be_visible()
    assert notified.evaluate("asked") == []
    axe_day_and_night(notified)
    assert fits(notified)
    button.tap()
    expect(notified.get_by_text("It shows notices.")).to_be_visible()
    expect(notified.get_by_text("this one")).to_be_visible()
    assert PushSubscription.objects.get().member == organiser
    assert notified.evaluate("asked") == []  # nor on the page that comes back
    notified.get_by_role("button", name="Tell me by email").tap()
    mail = notified.get_by_label("The trophies moved, by email")
    expect(mail).not_to_be_checked()
    mail.check()
    notified.get_by_label("Your table is drawn, on phones").uncheck()
    notified.get_by_label("From").fill("22:00")
    notified.get_by_label("until").fill("08:00")
    for _ in in_sizes(notified):
        axe_day_and_night(notified)
        assert fits(notified)
    notified.set_viewport_size(PHONE["viewport"])
    notified.get_by_role("button", name="Save").tap()
    until(lambda: "trophies" in NoticeSettings.objects.get().mail)
    assert "drawn" not in NoticeSettings.objects.get().push
    expect(notified.get_by_label("From")).to_have_value("22:00")
    notified.get_by_role("button", name="Stop all notices").tap()
    expect(button).to_be_visible()
    expect(notified.get_by_role("button", name="Stop all notices")).to_have_count(0)
    assert not PushSubscription.objects.exists()


def test_phone_that_answers_for_its_member_switches_itself_on_and_off(notified: Page, club: Club) -> None:
    came_as_ann(notified, club)
    notified.goto("/clubs/trumps/me/")
    notified.get_by_role("link", name="Notices on this phone").tap()
    notified.get_by_role("button", name="Tell me on this phone").tap()
    expect(notified.get_by_text("It shows notices.")).to_be_visible()
    assert PushSubscription.objects.get().member.name == "Ann"
    notified.get_by_role("button", name="No notices on this phone").tap()
    expect(notified.get_by_role("button", name="Tell me on this phone")).to_be_visible()
    assert not PushSubscription.objects.exists()


def test_browser_that_says_no_is_not_asked_again(notified: Page, club: Club) -> None:
    came_as_ann(notified, club)
    notified.goto("/clubs/trumps/me/notices/")
    notified.evaluate("localStorage.setItem('fake-answer', 'no')")
    notified.get_by_role("button", name="Tell me on this phone").tap()
    expect(notified.get_by_text("This browser blocks notices of this site.")).to_be_visible()
    expect(notified.get_by_role("button", name="Tell me on this phone")).to_be_hidden()
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize(("answer", "said"), [
    ("NotAllowedError", "was not allowed to show notices. Tap again, and allow it."),
    ("AbortError", "cannot reach what brings its notices. Is it online?"),
    ("InvalidStateError", "did not switch notices on. Try again."),
    ("TypeError", "The site cannot be reached. Try again in a moment."),
])  # fmt: skip
def test_what_hinders_a_browser_is_said_beside_the_button_that_tries_again(
    notified: Page, club: Club, answer: str, said: str
) -> None:
    came_as_ann(notified, club)
    notified.goto("/clubs/trumps/me/notices/")
    button = notified.get_by_role("button", name="Tell me on this phone")
    if answer == "TypeError":  # the service worker is not to be had
        notified.evaluate("navigator.serviceWorker.register = async () => { throw new TypeError('no script') }; null")
    else:
        notified.evaluate("(name) => localStorage.setItem('fake-answer', name)", answer)
    button.tap()
    expect(notified.get_by_role("alert").filter(has_text=said)).to_be_visible()
    expect(button).to_be_enabled()
    notified.evaluate("localStorage.removeItem('fake-answer')")
    if answer == "TypeError":
        notified.evaluate("delete navigator.serviceWorker.register")
    button.tap()
    expect(notified.get_by_text("It shows notices.")).to_be_visible()
    expect(notified.get_by_role("alert")).to_have_count(0)


def test_site_that_cannot_be_reached_or_does_not_take_it_is_said_too(
    notified: Page, club: Club, off_the_net: None, guard: Guard
) -> None:
    came_as_ann(notified, club)
    notified.goto("/clubs/trumps/me/notices/")
    button, again = (
        notified.get_by_role("button", name=name) for name in ("Tell me on this phone", "Load this page again")
    )
    notified.route("**/me/notices/browser/", lambda route: route.abort())
    button.tap()
    expect(notified.get_by_role("alert").filter(has_text="The site cannot be reached.")).to_be_visible()
    notified.unroute("**/me/notices/browser/")
    guard.allowed.add(403)
    notified.context.clear_cookies()
    button.tap()
    expect(notified.get_by_role("alert").filter(has_text="Load this page again.")).to_be_visible()
    expect(again).to_be_visible()


def test_browser_that_was_allowed_for_another_club_is_switched_on_here_in_one_tap(notified: Page, club: Club) -> None:
    night = NightFactory(club=club, on=club.today(), begun_at=None)
    other = ClubFactory(slug="kings", name="The Kings", visibility="link")
    MemberFactory(club=other, name="Ann")
    came_as_ann(notified, club)
    notified.goto(f"/clubs/kings/in/{other.key}/")
    notified.goto("/clubs/kings/me/")
    notified.get_by_role("button", name="Ann", exact=True).tap()
    notified.get_by_role("link", name="Notices on this phone").tap()
    notified.get_by_role("button", name="Tell me on this phone").tap()
    expect(notified.get_by_text("It shows notices.")).to_be_visible()
    notified.goto(night.get_absolute_url())
    notified.get_by_role("button", name="Yes").tap()
    line = notified.get_by_role("link", name="Get a notice before each night")
    line.tap()
    expect(notified.get_by_role("heading", name="Notices", exact=True)).to_be_visible()
    expect(notified.get_by_text("It shows notices.")).to_be_visible()
    assert {row.member.club for row in PushSubscription.objects.all()} == {club, other}
    notified.goto(night.get_absolute_url())
    expect(notified.get_by_text("Ann, you said yes")).to_be_visible()
    expect(line).to_be_hidden()


def test_site_with_another_key_is_told_to_the_push_service_without_asking(notified: Page, club: Club) -> None:
    came_as_ann(notified, club)
    notified.goto("/clubs/trumps/me/notices/")
    notified.get_by_role("button", name="Tell me on this phone").tap()
    expect(notified.get_by_text("It shows notices.")).to_be_visible()
    notified.evaluate("localStorage.setItem('fake-key', JSON.stringify(Array(65).fill(4)))")
    notified.reload()
    expect(notified.get_by_text("It shows notices.")).to_be_visible()
    assert notified.evaluate("asked") == ["subscribe"]
    assert notified.evaluate("JSON.parse(localStorage.getItem('fake-key')).slice(1, 3)") != [4, 4]


def test_line_that_offers_notices_comes_after_an_answer(notified: Page, club: Club) -> None:
    night = NightFactory(club=club, on=club.today(), begun_at=None)
    came_as_ann(notified, club)
    notified.goto(night.get_absolute_url())
    line = notified.get_by_role("link", name="Get a notice before each night")
    expect(line).to_have_count(0)
    notified.get_by_role("button", name="Yes").tap()
    line.tap()
    expect(notified.get_by_role("heading", name="Notices", exact=True)).to_be_visible()
    notified.get_by_role("button", name="Tell me on this phone").tap()
    expect(notified.get_by_text("It shows notices.")).to_be_visible()
    notified.goto(night.get_absolute_url())
    expect(notified.get_by_text("Ann, you said yes")).to_be_visible()
    expect(line).to_be_hidden()


def test_browser_without_push_is_told_so_and_offered_nothing(
    open_page: Callable[..., Page], plain_phone: Page, club: Club
) -> None:
    plain = open_page(PHONE)
    plain.add_init_script("delete window.PushManager")
    for page in (plain, plain_phone):
        came_as_ann(page, club)
        page.goto("/clubs/trumps/me/notices/")
        expect(page.get_by_text("This browser shows no notices")).to_be_visible()
        expect(page.get_by_role("button", name="Tell me on this phone")).to_be_hidden()


@pytest.mark.journey
def test_phone_shows_what_is_pushed_and_one_tap_stops_it(open_page: Callable[..., Page], club: Club) -> None:
    phone = open_page(PHONE, service_workers="allow")
    came_as_ann(phone, club)
    browser = has_phone(Member.objects.get(name="Ann"))
    phone.evaluate("navigator.serviceWorker.register('/sw.js')")
    phone.evaluate("navigator.serviceWorker.ready.then(() => true)")
    wait_for(phone, lambda: phone.context.service_workers)
    (worker,) = phone.context.service_workers
    # A browser without windows shows none: what it is asked to show is noted.
    worker.evaluate("self.shown = []; registration.showNotification = async (...told) => void shown.push(told); null")
    stop, choices = stop_path(browser), "/clubs/trumps/me/notices/"
    notice = {"title": "The Trumps: Tables are drawn", "body": "Table 2, seat 3.", "tag": "drawn-1", "path": "/open/"}
    push(phone, notice | {"stop": stop, "choices": choices, "icon": "/static/icons/icon-192.png"})
    until(lambda: worker.evaluate("shown.length"))
    ((title, options),) = worker.evaluate("shown")
    assert (title, options["body"], options["tag"]) == (notice["title"], notice["body"], notice["tag"])
    assert [action["title"] for action in options["actions"]] == ["Stop", "Choices"]
    assert options["data"] == {"path": "/open/", "stop": stop, "choices": choices}
    # Its buttons lead where they say, and Stop needs no page.
    worker.evaluate("self.opened = []; clients.openWindow = async (path) => void opened.push(path); null")
    for action in ("", "choices", "stop"):
        worker.evaluate(CLICK, [options["data"], action])
    until(lambda: not PushSubscription.objects.exists())
    assert worker.evaluate("opened") == ["/open/", choices]


@pytest.mark.parametrize("brings", ["a new address with it", "nothing, and is subscribed again"])
def test_service_worker_tells_the_site_when_its_address_changes(
    open_page: Callable[..., Page], club: Club, brings: str
) -> None:
    phone = open_page(PHONE, service_workers="allow")
    came_as_ann(phone, club)
    former, fresh = Phone(), Phone("https://push.example/for/a-new-address")
    has_phone(Member.objects.get(name="Ann"), former)
    phone.evaluate("navigator.serviceWorker.register('/sw.js')")
    phone.evaluate("navigator.serviceWorker.ready.then(() => true)")
    wait_for(phone, lambda: phone.context.service_workers)
    (worker,) = phone.context.service_workers
    worker.evaluate(CHANGE, [former.endpoint, fresh.fields, brings.startswith("a new")])
    until(lambda: PushSubscription.objects.filter(endpoint=fresh.endpoint, p256dh=fresh.p256dh).exists())
    assert PushSubscription.objects.count() == 1
    assert worker.evaluate("self.options ?? null") == (None if brings.startswith("a new") else {"of": "the former"})
    # It is known by its new address, so that it shows Ann nothing more once somebody else uses it.
    phone.goto("/clubs/trumps/me/")
    phone.get_by_role("button", name="That is not me").tap()
    expect(phone.get_by_role("heading", name="Who are you?")).to_be_visible()
    assert not PushSubscription.objects.exists()


#: The push service gives the browser another address, in the event or when it is asked.
CHANGE = """
async ([former, { endpoint, p256dh, auth }, isInEvent]) => {
  const fresh = { toJSON: () => ({ endpoint, keys: { p256dh, auth } }) };
  PushManager.prototype.subscribe = async (options) => ((self.options = options), fresh);
  let done;
  const event = new Event("pushsubscriptionchange");
  dispatchEvent(Object.assign(event, {
    oldSubscription: { endpoint: former, options: { of: "the former" } },
    newSubscription: isInEvent ? fresh : null,
    waitUntil: (work) => (done = work),
  }));
  await done;
}
"""

#: A tap on a notice: the browser alone can make one that waits.
CLICK = """
([data, action]) => {
  const event = new Event("notificationclick");
  dispatchEvent(Object.assign(event, { action, notification: { data, close() {} }, waitUntil() {} }));
}
"""


def push(page: Page, notice: dict[str, Any]) -> None:
    """The push service brings it to the service worker."""
    session = page.context.new_cdp_session(page)
    registrations: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(row["registrationId"] for row in event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    until(lambda: page.evaluate("true") and registrations)  # an event is heard while the page is asked something
    origin = page.evaluate("location.origin")
    session.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": origin, "registrationId": registrations[0], "data": json.dumps(notice)},
    )
    session.detach()


#: A control page that counts what it does. Whatever a test asks the page counts as a tap to this browser: here only a
#: real one does.
COUNTING = """
window.buzzes = window.tones = 0;
window.contexts = [];
let isTapped = false;
addEventListener("pointerup", () => (isTapped = true), true);
Object.defineProperty(navigator, "userActivation", { value: { get hasBeenActive() { return isTapped; } } });
Object.defineProperty(navigator, "vibrate", { value: () => (window.buzzes += 1) });
window.AudioContext = class extends AudioContext {
  constructor() {
    super();
    contexts.push(this);
  }
  createOscillator() {
    window.tones += 1;
    return super.createOscillator();
  }
};
"""


LOOK = "document.dispatchEvent(new Event('visibilitychange')), document.title"


@dataclass(frozen=True)
class ControlPage:
    """The control page of tonight, with one table that can call."""

    page: Page
    night: Night
    table: Table

    def calls(self, *, now: bool = True) -> None:
        """The table calls, or somebody has gone there; the page shows it."""
        Sheet.objects.filter(pk=self.table.sheet_id).update(asks_since=timezone.now() if now else None)
        title = f"{'(1) ' if now else ''}Control page: {self.night} · The Trumps"
        # It looks when it comes into sight, but not while it is looking.
        until(lambda: self.page.evaluate(LOOK) == title)

    def did(self) -> list[int]:
        """How often it buzzed, and how many tones it made."""
        found: list[int] = self.page.evaluate("[buzzes, tones]")
        return found


@pytest.fixture
def control(phone: Page, club: Club) -> ControlPage:
    phone.add_init_script(COUNTING)
    night = NightFactory(club=club, on=club.today())
    table = played(night, list(club.members.all()), hands=1)
    sign_in(phone, club)
    phone.goto(f"{night.get_absolute_url()}control/")
    expect(phone).to_have_title(f"Control page: {night} · The Trumps")
    return ControlPage(phone, night, table)


@pytest.mark.journey
def test_call_buzzes_sounds_and_stands_in_the_title(control: ControlPage) -> None:
    # Without its sound a call is seen and felt alone.
    control.page.get_by_role("heading", name=f"{control.night}").tap()
    control.calls()
    assert control.did() == [1, 0]
    control.calls(now=False)
    control.page.get_by_role("button", name="Sound for calls", exact=True).tap()
    expect(control.page.get_by_role("button", name="No sound for calls")).to_be_visible()
    until(lambda: control.did() == [1, 2])  # so that one knows how it sounds
    control.calls()
    until(lambda: control.did() == [2, 4])


def test_page_that_was_loaded_again_is_silent_until_a_tap_and_says_so(control: ControlPage) -> None:
    page, silent = control.page, control.page.get_by_text("Silent until you tap")
    page.get_by_role("button", name="Sound for calls", exact=True).tap()
    expect(page.get_by_role("button", name="No sound for calls")).to_be_visible()
    expect(silent).to_be_hidden()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.reload()
    expect(page.get_by_role("button", name="No sound for calls")).to_be_visible()
    expect(silent).to_be_visible()
    control.calls()
    assert (control.did(), page.evaluate("contexts.length")) == ([0, 0], 0), "no browser is asked in vain"
    page.get_by_role("heading", name=f"{control.night}").tap()
    expect(silent).to_be_hidden()
    control.calls(now=False)
    control.calls()
    until(lambda: control.did() == [1, 2])
    # The browser takes the sound away, as for a telephone call.
    page.evaluate("contexts[0].suspend()")
    expect(silent).to_be_visible()
    page.get_by_role("heading", name=f"{control.night}").tap()
    expect(silent).to_be_hidden()
    page.get_by_role("button", name="No sound for calls").tap()
    page.reload()
    expect(page.get_by_role("button", name="Sound for calls", exact=True)).to_be_visible()
    expect(silent).to_be_hidden()
    assert said == []


def test_link_that_stops_is_one_button(phone: Page, club: Club, axe_day_and_night: Callable[[Page], None]) -> None:
    ann = Member.objects.get(name="Ann")
    has_phone(ann)
    phone.goto(stop_path(ann))
    for _ in phone_by_day_desk_by_night(phone):
        assert fits(phone)
    axe_day_and_night(phone)
    phone.get_by_role("button", name="Stop email").click()
    expect(phone.get_by_text("sends you no more email")).to_be_visible()
    assert PushSubscription.objects.exists()
    phone.get_by_role("button", name="Stop all notices, on phones too").click()
    expect(phone.get_by_text("sends you no more notices, by phone or email")).to_be_visible()
    expect(phone.get_by_role("heading", name="Stopped")).to_be_visible()
    axe_day_and_night(phone)
    assert not PushSubscription.objects.exists()
