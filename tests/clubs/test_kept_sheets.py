"""What a club's table needs is not swept away."""

import datetime

import pytest
import time_machine
from django.utils import timezone

from clubs.models import Table
from scoresheets.models import Player, Sheet
from scoresheets.sweeping import sweep
from tests.club_factories import MemberFactory, NightFactory, played
from tests.factories import opened

pytestmark = pytest.mark.django_db


def test_blank_sheet_at_a_table_of_a_night_stays_and_stops_nobody_from_sweeping() -> None:
    night = NightFactory()
    table = played(night, MemberFactory.create_batch(4, club=night.club), hands=0)
    blank = opened(4).sheet
    with time_machine.travel(timezone.now() + datetime.timedelta(days=2)):
        assert sweep() == 1
    assert Sheet.objects.get() == Table.objects.get(pk=table.pk).sheet
    assert not Sheet.objects.filter(pk=blank.pk).exists()
    assert Player.objects.count() == 4
