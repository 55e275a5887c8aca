"""The pages of a play-off ask the database as much with 200 people as with 12."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.models import Ruling
from clubs.play_off_page.cache import rendered_pages
from scoresheets.sheet.summary import shown_readings
from tests.clubs.play_offs.evening import play_off, reading_of
from tests.factories import new_key

pytestmark = pytest.mark.django_db


def asked(client: Client, address: str, data: dict[str, object] | None = None, *, status: int = 200) -> int:
    """How many queries the page asks in a process that has read nothing yet."""
    rendered_pages.clear()
    shown_readings.clear()
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(address) if data is None else client.post(address, data)
    assert answer.status_code == status
    return len(queries)


def costs(sizes: list[int]) -> dict[str, int]:
    """Of every page, in the course of an evening with a tie, a ruling, a correction after the draw and the end."""
    evening = play_off(sizes, places=2, losers_count=2)
    first, *others = evening.groups
    totals = [20, 9, 9, 5, 4, 3, 2, 1, 0, -1]
    evening.finish(first, totals[: sizes[0]])
    for table in others:
        evening.finish(table, [20, 15, 6, *totals[3 : sizes[0]]])
    olga = evening.organiser()
    found = {"tie": asked(olga, evening.url("rule_cut", first.pk)), "waits": asked(olga, evening.url("draw_next"))}
    found["tie in red"] = asked(olga, evening.url("play_off"))
    found["news"] = asked(olga, evening.url("play_off_now"))
    found["control"] = asked(olga, evening.url("control"))
    bo = next(seat for seat, name in reading_of(first).names.items() if name == "Bo")
    rule = {"goes": bo, "edge": "through", "reason": "So", "key": new_key()}
    found["no reason"] = asked(olga, evening.url("rule_cut", first.pk), rule | {"reason": ""}, status=422)
    olga.post(evening.url("rule_cut", first.pk), rule)
    found["ruling"] = asked(olga, evening.url("change_ruling", Ruling.objects.get(play_off=evening.play_off).pk))
    found["next"] = asked(olga, evening.url("draw_next"))
    evening.open_next()
    evening.correct(others[0], {evening.names_at(others[0])[2]: 40})
    found["moves"] = asked(olga, evening.url("play_off_moves"))
    found["moves on the page"] = asked(olga, evening.url("play_off"))
    found["no such stop"] = asked(
        olga, evening.url("stop_stage"), {"round": 2, "hand": 0, "key": new_key()}, status=422
    )
    found["cards"] = asked(olga, evening.url("draw_cards"))
    found["call off"] = asked(olga, evening.url("call_off"))
    evening.play_off.called_off_at = timezone.now()
    evening.play_off.save()
    found["called off"] = asked(olga, evening.url("play_off"))
    found["bring back"] = asked(olga, evening.url("call_off"))
    return found


def test_every_page_costs_the_same_with_200_people_as_with_12_and_is_cheap() -> None:
    few, many = costs([6, 6]), costs([10] * 20)
    assert few == many
    # Who is told that the tables cannot stop there has had every sheet read twice.
    assert few.pop("no such stop") <= 29
    assert {name: queries for name, queries in few.items() if queries > 20} == {}
