"""The file of the demo: its rows are those that playing the demo writes, and fit any day and any database."""

import datetime
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.apps import apps
from django.urls import reverse
from django.utils import timezone

from clubs.demo import club as demo_club
from clubs.demo import sheets as demo_sheets
from clubs.demo.rows import LOOKUP, insert, read_file, tables_of
from clubs.models import Award, Club, Event, Night, Table
from clubs.projections.rebuild import made_anew
from scoresheets.models import Player, Sheet
from tests.club_factories import NightFactory
from tests.demo.record import played
from tests.factories import scorer

pytestmark = pytest.mark.django_db

#: Another day, another hour, and in the other half of the year.
LATER = datetime.datetime(2027, 6, 19, 18, 2, 33, 987654, tzinfo=datetime.UTC)
MAKE = "The demo comes out differently now. Make its file again: make demo-file"


def load():
    demo_sheets.load()
    demo_club.load()
    own = demo_sheets.demo_sheets().values_list("pk", flat=True)
    others = Sheet.objects.filter(table__night__club__is_demo=True).values_list("pk", flat=True)
    return {"sheets": tables_of(own), "club": tables_of(others, Club.objects.get(is_demo=True))}


@pytest.mark.thorough
@pytest.mark.timeout(600)
def test_playing_the_demo_writes_what_is_in_the_file():
    with time_machine.travel(LATER, tick=False):
        written = played()
    in_file = read_file()
    for part in in_file:
        assert written[part].keys() == in_file[part].keys(), MAKE
        for model, columns in in_file[part].items():
            differing = [name for name in written[part][model] if written[part][model][name] != columns.get(name)]
            assert not differing, f"{MAKE} ({model}: {', '.join(differing)})"
    in_the_file = sum(len(next(iter(columns.values()))) for part in in_file.values() for columns in part.values())
    # What was announced meanwhile is for those who listen then.
    ours = [
        model
        for model in apps.get_models()
        if model._meta.app_label in ("clubs", "scoresheets") and not model._meta.proxy and model is not Event
    ]
    assert sum(model._base_manager.count() for model in ours) == in_the_file, "a table is missing in clubs/demo/rows.py"


@pytest.mark.thorough
def test_loading_the_file_gives_its_rows_again():
    with time_machine.travel(LATER, tick=False):
        assert load() == read_file()


@pytest.mark.thorough
def test_rows_fit_a_database_with_rows_of_others():
    for _ in range(3):
        scorer(5)
        NightFactory()
    with time_machine.travel(LATER, tick=False):
        assert load() == read_file()
    for sheet in Sheet.objects.exclude(home=""):
        assert sheet.home in (sheet.table.night.get_absolute_url(), play_off_path(sheet.table))
    assert Night.objects.filter(trophies_table__isnull=False).exists()
    coloured = Sheet.objects.exclude(badges={})
    assert coloured.exists()
    for sheet in coloured:
        assert set(map(int, sheet.badges)) <= set(sheet.seats.values_list("player", flat=True))


def play_off_path(table):
    return table.stage.play_off.get_absolute_url() if table.stage else None


@pytest.mark.thorough
def test_what_follows_from_the_sheets_is_what_a_recount_makes():
    load()
    assert made_anew(Club.objects.get(is_demo=True)) == (Table.objects.count(), [])


@pytest.mark.thorough
def test_two_sites_have_no_token_in_common():
    def tokens():
        load()
        found = {*Sheet.objects.values_list("code", flat=True), *Sheet.objects.values_list("watch", flat=True)}
        found |= {*Club.objects.values_list("key", flat=True), *Award.objects.values_list("uid", flat=True)}
        found |= {
            hashed for sheet in Sheet.objects.all() for hashed in sheet.links.values_list("token_hash", flat=True)
        }
        demo_club.remove()
        demo_sheets.remove()
        return found

    first, second = tokens(), tokens()
    assert len(first) > 200
    assert not first & second


@pytest.mark.thorough
def test_nights_begin_by_the_clock_of_the_place_and_the_last_is_running_now(settings):
    settings.TIME_ZONE = "Europe/Berlin"
    moment = datetime.datetime(2026, 11, 24, 23, 30, 5, 1, tzinfo=datetime.UTC)
    with timezone.override(ZoneInfo("Europe/Berlin")), time_machine.travel(moment, tick=False):
        load()
        tonight, *past = Night.objects.order_by("-on")
        assert tonight.on == datetime.date(2026, 11, 25)
        assert tonight.begun_at == moment - datetime.timedelta(minutes=70)
        assert {f"{timezone.localtime(night.begun_at):%H:%M}" for night in past} == {"19:30"}
        assert {timezone.localdate(night.begun_at) - night.on for night in past} == {datetime.timedelta()}


@pytest.mark.thorough
def test_half_a_demo_is_not_kept(monkeypatch):
    part = read_file()["club"]
    monkeypatch.setitem(part["clubs.Standing"], "member", [10_000])
    with pytest.raises((IndexError, ValueError)):
        insert(part)
    assert (Club.objects.count(), Player.objects.count()) == (0, 0)


def test_each_table_comes_after_those_that_its_rows_need():
    order = list(LOOKUP)
    for model in LOOKUP:
        for field in model._meta.concrete_fields:
            if field.related_model in LOOKUP and not field.null:
                assert order.index(field.related_model) < order.index(model), f"{model.__name__}.{field.name}"


@pytest.mark.thorough
def test_pages_of_the_demo_open(client):
    load()
    for table in Table.objects.select_related("sheet")[:5]:
        assert client.get(reverse("watch", args=[table.sheet.watch])).status_code == 200
