"""The people of a table on the pages of a night: rendered once for all that say the same."""

import dataclasses

import pytest

from clubs.templatetags import tables
from scoresheets.sheet.summary import Standpoint

PEOPLE = [Standpoint(1, "Ann <b>", 12, boxed=True, circled=False), Standpoint(2, "Bo", -3, boxed=False, circled=True)]


@pytest.fixture(autouse=True)
def empty() -> None:
    tables.rendered.clear()


def test_people_stand_with_their_totals_box_and_circle() -> None:
    html = tables.people_of_table(PEOPLE, set())
    assert "<bdi>Ann &lt;b&gt;</bdi>" in html
    assert html.index("in the box") < html.index(">Bo<") < html.index("−3") < html.index("in the circle")
    assert 'class="mine"' not in html


def test_what_says_the_same_is_rendered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = tables.people_of_table(PEOPLE, {7})
    monkeypatch.delattr(tables, "render_to_string")
    assert tables.people_of_table(list(PEOPLE), {8}) is first


@pytest.mark.parametrize("change", [{"player": 3}, {"name": "Cy"}, {"total": 4}, {"boxed": True}, {"circled": False}])
def test_what_says_something_else_is_rendered_anew(change: dict[str, object]) -> None:
    tables.people_of_table(PEOPLE, set())
    other = [PEOPLE[0], dataclasses.replace(PEOPLE[1], **change)]
    tables.people_of_table(other, set())
    assert len(tables.rendered) == 2


def test_own_name_is_lit_for_its_owner_alone() -> None:
    everybody, bo = tables.people_of_table(PEOPLE, set()), tables.people_of_table(PEOPLE, {2})
    assert '<span class="mine"><bdi>Bo</bdi>' in bo
    assert tables.people_of_table(PEOPLE, set()) == everybody
