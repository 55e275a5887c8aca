"""A real browser in front of a real server, and a guard that lets nothing pass unseen."""

import fcntl
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.contrib.staticfiles.handlers import StaticFilesHandlerMixin
from django.core.management import call_command
from django.test import override_settings
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Response, WebError, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from tests.browser.waits import ask_with_styles
from tests.conftest import chromium
from tests.sixth.visit import HERE as MARBLES
from tests.sixth.visit import sixth_game

#: A name for this machine over which browsers allow no more than over any plain http.
PLAIN_HOST = "cards.test"
HASHED = {"staticfiles": {"BACKEND": "clubs.site.storage.HashedStaticFiles"}}
LAUNCH_ARGUMENTS = [
    f"--host-resolver-rules=MAP {PLAIN_HOST} 127.0.0.1",
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
DESK = {"viewport": {"width": 1280, "height": 800}}
# What is expected comes when it comes: a busy machine fails no test.
expect.set_options(timeout=60_000)


def in_sizes(page: Page, *devices: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The page in the window of one device after the other, laid out anew without being loaded again."""
    for device in devices or (PHONE, DESK):
        page.set_viewport_size(device["viewport"])
        yield device["viewport"]


def phone_by_day_desk_by_night(page: Page) -> Iterator[str]:
    """The page in two looks that have neither size nor colours in common, without being loaded again."""
    for device, hour in ((PHONE, "light"), (DESK, "dark")):
        page.set_viewport_size(device["viewport"])
        page.emulate_media(color_scheme=hour)
        yield hour


#: What a browser with windows gives to a page without asking: the headless shell has to be told.
GIVEN = ("screen-wake-lock", "clipboard-write")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests may take longer; without a browser they fail in CI and are left out elsewhere.

    The longest come first, so that at the end no process waits for another: `journey(seconds=20)`.
    """
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if item.get_closest_marker("timeout") is None:
                item.add_marker(pytest.mark.timeout(600))
            if chromium() is None and os.environ.get("CI") != "true":
                item.add_marker(pytest.mark.skip(reason="no browser on this machine"))
    items.sort(key=seconds_of, reverse=True)


def seconds_of(item: pytest.Item) -> float:
    """About how long it takes, as its mark says; 0 for the many that are short."""
    marker = item.get_closest_marker("journey")
    return marker.kwargs.get("seconds", 0) if marker else 0


@pytest.fixture(scope="session", autouse=True)
def database_beside_playwright() -> None:
    """Playwright keeps an event loop running in this thread, and Django would refuse the database there."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


@pytest.fixture(scope="session", autouse=True)
def pages_are_asked_with_their_styles() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        ask_with_styles(patch)
        yield


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    executable = chromium()
    assert executable, "There is no browser on this machine: apt install chromium"
    return {"executable_path": executable, "args": LAUNCH_ARGUMENTS}


#: htmx says so of a request that a newer one of the same form has replaced (`hx-sync`), and that is as it should be.
#: Of one that has failed it says `htmx:sendError` as well.
REPLACED = ("htmx:sendAbort,", "htmx:afterRequest,")


@dataclass
class Guard:
    """Everything a page complained about, unless a test said that it expects it.

    `allowed`: the statuses from 400 up that may be answered; `complaints`: one sentence each.
    """

    allowed: set[int] = field(default_factory=set)
    complaints: list[str] = field(default_factory=list)

    def watch(self, context: BrowserContext) -> None:
        context.on("console", self.hear)
        context.on("weberror", self.fault)
        context.on("response", self.answer)

    def hear(self, message: ConsoleMessage) -> None:
        if message.type not in ("error", "assert") or message.text.startswith(REPLACED):
            return
        status = re.search(r"responded with a status of (\d+)", message.text)
        if status is None or int(status[1]) not in self.allowed:
            self.complaints.append(f"console: {message.text} ({message.location.get('url', '')})")

    def fault(self, error: WebError) -> None:
        self.complaints.append(f"page error: {error.error}")

    def answer(self, response: Response) -> None:
        if response.status >= 400 and response.status not in self.allowed:
            self.complaints.append(f"{response.status}: {response.request.method} {response.url}")


@pytest.fixture
def guard(request: pytest.FixtureRequest) -> Iterator[Guard]:
    """Fails the test for any console error, page error, policy violation or unexpected status.

    Expected statuses: `@pytest.mark.allow_statuses(409, 422)`, or `guard.allowed.add(422)` on the way.
    """
    marker = request.node.get_closest_marker("allow_statuses")
    guard = Guard(allowed=set(marker.args) if marker else set())
    yield guard
    assert not guard.complaints, "The browser complained:\n" + "\n".join(guard.complaints)


class Patient(list[str]):
    """Complaints, but for those about a network that the test has cut itself."""

    def append(self, said: str) -> None:
        if "ERR_" not in said:
            super().append(said)


@pytest.fixture
def off_the_net(guard: Guard) -> None:
    """A browser without network says so on its console; that is no fault of the page."""
    guard.complaints = Patient()


@pytest.fixture
def open_page(
    browser: Browser, live_server: LiveServer, transactional_db: None, guard: Guard, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Page]]:
    """Opens a page in a browser of its own: `open_page(PHONE, dark=True, javascript=False, **options)`.

    Each call is another person: no cookie and no storage is shared. `page.goto("/open/")` finds the
    live server. `options` are those of Playwright's `new_context`. Pages load bundles, unless the test is marked
    `file_by_file`, or the tests look for faults in scripts (`make faults`).
    """
    if not request.node.get_closest_marker("file_by_file") and "FAULTS" not in os.environ:
        request.getfixturevalue("bundled")
    contexts = []

    def opened(device: dict[str, Any] = PHONE, *, dark: bool = False, javascript: bool = True, **options: Any) -> Page:
        context = browser.new_context(
            color_scheme="dark" if dark else "light",
            java_script_enabled=javascript,
            # Kept pages would come between a test and what it routes; tests of them say "allow".
            **({"base_url": live_server.url, "service_workers": "block", "permissions": GIVEN} | device | options),
        )
        context.set_default_timeout(60_000)
        guard.watch(context)
        contexts.append(context)
        return context.new_page()

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def collected(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The static files under the names of production, collected once for all processes of the tests."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "static"
    with folder.with_name("static.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            begun = folder.with_name("collecting")
            with override_settings(STATIC_ROOT=begun, STORAGES=settings.STORAGES | HASHED):
                call_command("collectstatic", verbosity=0, interactive=False, clear=begun.exists())
            begun.rename(folder)
    # The server of the tests may be there already, and looks for them where it did when it began.
    Path(settings.STATIC_ROOT).symlink_to(folder)


@pytest.fixture
def bundled(settings: Settings, collected: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages load their bundles, as in production."""
    # The server of the tests would look for every static file among those that are not collected.
    monkeypatch.setattr(StaticFilesHandlerMixin, "_should_handle", lambda self, path: False)
    settings.STORAGES = settings.STORAGES | HASHED


@pytest.fixture
def marbles(tmp_path: Path) -> Iterator[None]:
    """A sixth game is played. It is asked for before any page, so that every page has been closed when it goes."""
    with sixth_game(tmp_path):
        yield


@pytest.fixture
def sparrow(tmp_path: Path) -> Iterator[None]:
    """A sixth game that bids in turn, and the same holds."""
    with sixth_game(tmp_path, game="sparrow"):
        yield


@pytest.fixture
def marbles_page(tmp_path: Path) -> Iterator[None]:
    """A sixth game with a page of its own, and the same holds."""
    with sixth_game(tmp_path, (MARBLES / "marbles.html").read_text()):
        yield


@pytest.fixture
def phone(open_page: Callable[..., Page]) -> Page:
    """A phone as its browser leaves it: 390 x 664, touched with a finger."""
    return open_page(PHONE)


@pytest.fixture
def dark_phone(open_page: Callable[..., Page]) -> Page:
    return open_page(PHONE, dark=True)


@pytest.fixture
def plain_phone(open_page: Callable[..., Page]) -> Page:
    """A phone without JavaScript."""
    return open_page(PHONE, javascript=False)


@pytest.fixture
def desk(open_page: Callable[..., Page]) -> Page:
    """A window on a desk: 1280 x 800."""
    return open_page(DESK)


@pytest.fixture
def dark_desk(open_page: Callable[..., Page]) -> Page:
    return open_page(DESK, dark=True)


@pytest.fixture
def page(phone: Page) -> Page:
    """Playwright's own `page`, guarded like every other."""
    return phone


AXE = Axe()
#: What axe leaves out unless it is told: of everything that is tapped at least 24 pixels can be seen, beside any bar.
ONLY_TARGETS = {"runOnly": {"type": "rule", "values": ["target-size"]}, "resultTypes": ["violations"]}


def see_with_axe(page: Page, options: dict[str, Any], *, when: str = "") -> None:
    """Fail when the page as it stands has a violation; the script is half a megabyte, and is read once a page."""
    # A page that is on its way has no body yet.
    page.wait_for_load_state()
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.axe_script)
    results = AxeResults(page.evaluate("(options) => axe.run(document, options)", options))
    assert results.violations_count == 0, f"{page.url} {when}\n{results.generate_report()}"


@pytest.fixture
def axe() -> Callable[[Page], None]:
    """`axe(page)` fails when the page as it stands has an accessibility violation."""
    return lambda page: see_with_axe(page, {"resultTypes": ["violations"]})


#: The rules of accessibility for which it matters whether the page is light or dark.
OF_COLOURS = {
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
    "resultTypes": ["violations"],
}


@pytest.fixture
def axe_day_and_night(axe: Callable[[Page], None], pytestconfig: pytest.Config) -> Callable[[Page], None]:
    """`axe(page)` for a light page, and once more in the dark for what has to do with colours.

    `make test` looks by day alone.
    """

    def checked(page: Page) -> None:
        axe(page)
        if pytestconfig.getoption("--quick"):
            return
        page.emulate_media(color_scheme="dark")
        see_with_axe(page, OF_COLOURS, when="in the dark")
        page.emulate_media(color_scheme="light")

    return checked


@pytest.fixture
def score(project: Path) -> Callable[[Path], dict[str, Any]]:
    """What `manage.py score` says to a sheet file, in a process of its own that has no database."""

    def scored(file: Path) -> dict[str, Any]:
        run = subprocess.run(
            [sys.executable, "manage.py", "score", str(file)],
            cwd=project,
            capture_output=True,
            env=os.environ | {"DATABASE_URL": "sqlite:////nowhere/to/be.sqlite3"},
            check=False,
            timeout=60,
        )
        assert (run.returncode, run.stderr) == (0, b""), run
        return json.loads(run.stdout)

    return scored
