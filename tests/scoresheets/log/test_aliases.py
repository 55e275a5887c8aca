"""A name that is hidden is on no page and in no file of a sheet, and comes back as it stood there."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
import resvg_py
from django.test import Client
from django.urls import URLPattern, reverse

from rules.core.files.sheet_file import read_document
from scoresheets import urls
from scoresheets.access.scorekeepers import BROWSER_COOKIE, hashed
from scoresheets.corrections.setup import SetupCorrection, correct_setup
from scoresheets.link_previews.image import pictures
from scoresheets.log import append
from scoresheets.log.aliases import hide_names, pick_as
from scoresheets.log.cache import ReadingCache
from scoresheets.log.occupants import sits
from scoresheets.log.state import read_sheet
from scoresheets.models import Entry, Seat, Sheet
from scoresheets.opening.open_sheet import Somebody, known_players, open_sheet
from scoresheets.sheet.occupancy import called_at
from tests.factories import Scorer, new_key, scorer, set_up, sure_of
from tests.scoresheets.conftest import Counts
from tests.scoresheets.people import arrive, leave, substitute

pytestmark = pytest.mark.django_db(transaction=True)

SECRET = "abcdefghijklmnopqrstuv"
HIDDEN = "Zebediah"


@pytest.fixture
def table() -> Scorer:
    """The second seat is somebody's who hides their name; then somebody takes it over who does so too."""
    return scorer(["Ann", HIDDEN, "Cy", "Di"], browser=hashed(SECRET))


@pytest.fixture
def phone(table: Scorer) -> Client:
    """The scorekeeper's."""
    client = Client()
    client.cookies[BROWSER_COOKIE] = SECRET
    return client


def hide(players: list[int], shown_as: str) -> None:
    """As somebody does who has a right to all sheets here."""
    pick_as(players, shown_as)
    hide_names(players, shown_as, Sheet.objects.all())


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pictures answer with the SVG they are drawn from, so that what stands on them can be read."""
    monkeypatch.setattr(resvg_py, "svg_to_bytes", lambda *, svg_string, **_: svg_string.encode())
    pictures.clear()
    yield
    pictures.clear()


def player_of(table: Scorer, name: str) -> int:
    return next(player.pk for player in known_players(table.by.browser) if player.name == name)


def pages(sheet: Sheet) -> Iterator[str]:
    """Every address of the sheet that needs nothing but its code."""
    for pattern in urls.urlpatterns:
        assert isinstance(pattern, URLPattern)
        names = set(pattern.pattern.converters)
        if names == {"code"}:
            yield reverse(pattern.name, args=[sheet.code])
        elif names == {"watch"}:
            yield reverse(pattern.name, args=[sheet.watch])


def told(phone: Client, sheet: Sheet) -> dict[str, str]:
    """What every page says that can be looked at."""
    answers = {address: phone.get(address, follow=True) for address in [*pages(sheet), "/", "/open/"]}
    return {address: answer.content.decode() for address, answer in answers.items() if answer.status_code == 200}


@pytest.mark.thorough
@pytest.mark.usefixtures("drawn")
@pytest.mark.parametrize("finished", [False, True], ids=["running", "finished"])
def test_no_page_of_a_sheet_tells_a_hidden_name(table: Scorer, phone: Client, *, finished: bool) -> None:
    table.clear_hand()
    sure_of(substitute(table, 3, "Ebenezer"))
    sure_of(table.bid(3, 0))
    if finished:
        sure_of(table.undo())
        table.clear_game()
    before = told(phone, table.sheet)
    assert sum(HIDDEN in page for page in before.values()) > 10
    assert sum("Ebenezer" in page for page in before.values()) > 10
    taker = Entry.objects.get(ask__startswith="sits-").data["player"]
    hide([player_of(table, HIDDEN), taker], "Somebody")
    after = told(phone, table.sheet)
    assert len(after) == len(before) > 15
    assert [address for address, page in after.items() if HIDDEN in page or "Ebenezer" in page] == []
    assert sum("Somebody 2" in page for page in after.values()) > 10


def test_name_comes_back_as_it_stood_there(table: Scorer, phone: Client) -> None:
    table.clear_hand()
    before = table.reading
    player = player_of(table, HIDDEN)
    hide([player], "Somebody")
    assert table.reading.names[2] == "Somebody"
    assert called_at([table.sheet])[table.sheet.pk] == ["Ann", "Somebody", "Cy", "Di"]
    hide([player], "")
    assert table.reading.names == before.names
    assert Seat.objects.get(sheet=table.sheet, number=2).name == HIDDEN


def test_sheet_file_can_be_read_where_two_hide_their_names(table: Scorer, phone: Client) -> None:
    table.clear_game()
    hide([player_of(table, HIDDEN), player_of(table, "Cy")], "Somebody")
    file = phone.get(reverse("export_sheet", args=[table.sheet.code]))
    assert json.loads(file.content)["players"] == ["Ann", "Somebody", "Somebody 2", "Di"]
    assert read_document(file.content).names[3] == "Somebody 2"


def test_who_watches_sees_it_with_the_next_look(table: Scorer, client: Client) -> None:
    address = reverse("watch_rows", args=[table.sheet.watch])
    first = client.get(address)
    assert HIDDEN in first.content.decode()
    version = table.reading.version
    assert client.get(address, {"v": version}).status_code == 204
    hide([player_of(table, HIDDEN)], "Somebody")
    again = client.get(address, {"v": version})
    assert again.status_code == 200
    assert HIDDEN not in again.content.decode()
    assert client.get(address, {"v": f"{version}-1"}).status_code == 204


def test_next_post_answers_without_the_name(table: Scorer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(append, "written_readings", ReadingCache())
    sure_of(table.bid(2, 0))
    hide([player_of(table, HIDDEN)], "Somebody")
    assert sure_of(table.bid(3, 0)).reading.names[2] == "Somebody"


def test_sheets_where_nobody_hides_cost_nothing_more(table: Scorer, statements: Counts) -> None:
    with statements(exactly=2):
        read_sheet(table.sheet)
    hide([player_of(table, HIDDEN)], "Somebody")
    table.sheet.refresh_from_db()
    with statements(most=4):
        read_sheet(table.sheet)


def test_who_is_picked_again_keeps_their_own_name_on_the_sheet_and_is_hidden_on_it(table: Scorer) -> None:
    player, browser, key = player_of(table, HIDDEN), table.by.browser, new_key()
    hide([player], "Somebody")
    people = [Somebody("Somebody", player), *(Somebody(name) for name in ("Flo", "Gus", "Hal"))]
    chosen = replace(set_up(4), players=people)
    again = open_sheet(chosen, browser=browser, key=key, address=key, sure=True)
    record = Sheet.objects.get(pk=again.sheet.pk)  # type: ignore[union-attr]
    assert read_sheet(record).names[1] == "Somebody"
    assert record.seats.get(number=1).name == HIDDEN
    hide([player], "")
    assert read_sheet(Sheet.objects.get(pk=record.pk)).names[1] == HIDDEN


def test_who_comes_late_with_a_hidden_name_stays_hidden(table: Scorer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(append, "written_readings", ReadingCache())
    other = scorer(["Flo", "Gus", "Hal", "Ida"], browser=table.by.browser)
    player = player_of(table, HIDDEN)
    hide([player], "Somebody")
    other.clear_hand()
    done = sure_of(arrive(other, "Somebody", player=player))
    assert done.reading.names[5] == "Somebody"
    assert sure_of(other.bid(done.reading.sheet.open.hand.order[0], 0)).reading.names[5] == "Somebody"  # type: ignore[union-attr]
    assert other.reading.names[5] == "Somebody"
    assert other.sheet.seats.get(number=5).name == HIDDEN


def test_mistyped_name_is_corrected_behind_the_alias(table: Scorer) -> None:
    table.clear_hand()
    hide([player_of(table, HIDDEN)], "Somebody")
    mended = SetupCorrection({(0, sits(2)): "Zeb"})
    sure_of(correct_setup(table.sheet, mended, saw={}, digest=None, key=new_key(), by=table.by))
    assert table.reading.names[2] == "Somebody"
    sure_of(leave(table, 2))
    hide([player_of(table, HIDDEN)], "")
    assert table.reading.names_at(1)[2] == "Zeb"
