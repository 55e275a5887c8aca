"""What one of the two did not take the other did: a form that says one count has said both."""

import pytest

from scoresheets.commands import enter
from scoresheets.log.answers import Done, Refused
from scoresheets.models import Revision
from tests.factories import new_key, scorer

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    keeping = scorer(("Ann", "Bo"), game="hotdog")
    keeping.enter_step(1, "bid", {"picker": 1, "topping": "works"})
    keeping.enter_step(1, "relish", {})
    return keeping


def tap(table, step, saw=None, write=enter.enter):
    return write(table.sheet, (1, "tricks"), step, saw=saw, key=new_key(), by=table.by, typed=False)


def test_count_of_one_is_written_with_that_of_the_other(table):
    assert isinstance(tap(table, {"tricks-1": 12}), Done)
    assert table.reading.entries[1, "tricks"] == {"tricks-1": 12, "tricks-2": 5}


def test_other_count_says_the_same(table):
    tap(table, {"tricks-1": 12})
    assert tap(table, {"tricks-2": 5}).verb == Revision.Verb.AGREE


@pytest.mark.parametrize("step", [{}, {"tricks-1": 18}, {"tricks-1": -1}, {"tricks-1": 9, "tricks-2": 9}], ids=str)
def test_nothing_is_made_up(table, step):
    assert isinstance(tap(table, step), Refused)
