"""The form for planning a night."""

from __future__ import annotations

import datetime
from typing import Any

from django import forms
from django.utils.dateparse import parse_time

from clubs.club.forms import Words
from clubs.models import Club, Night
from clubs.nights.nights import MOST_AT_ONCE, next_date

#: No card club is older than playing cards, and nobody plans for the grandchildren.
FIRST_DAY, YEARS_AHEAD = datetime.date(1370, 1, 1), 20
NO_DAY = "On which day? A date like 2026-11-26."
EVERY = {"1": "every week", "2": "every other week", "4": "every four weeks"}


def read_hour(typed: str) -> datetime.time | None:
    """The hour that was typed, to the minute; None where it is none.

    >>> read_hour("20:30"), read_hour("25:00"), read_hour("half past eight")
    (datetime.time(20, 30), None, None)
    """
    try:
        hour = parse_time(typed[:20])
    except ValueError:
        hour = None
    return hour.replace(second=0, microsecond=0, tzinfo=None) if hour else None


class NightPlan(forms.Form):
    """When and where. With `series`: how many such nights, and how often."""

    on = forms.DateField(
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"), input_formats=["%Y-%m-%d"],
        error_messages={"required": NO_DAY, "invalid": NO_DAY},
    )  # fmt: skip
    begins = forms.TimeField(
        required=False, widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        error_messages={"invalid": "An hour like 19:30."},
    )  # fmt: skip
    title = Words(most=80, required=False)
    place = Words(most=120, required=False)
    for_fun = forms.BooleanField(required=False)
    times = forms.IntegerField(
        min_value=1, max_value=MOST_AT_ONCE, required=False,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"), f"How many nights: a number from 1 to {MOST_AT_ONCE}."
        ),
    )  # fmt: skip
    weeks = forms.ChoiceField(
        choices=list(EVERY.items()), required=False, error_messages={"invalid_choice": "That is not offered here."}
    )

    def __init__(self, data: Any = None, *, club: Club, night: Night | None = None) -> None:
        self.club, self.night = club, night
        last = club.nights.standing().first()
        proposed = {"on": next_date(club), "begins": last.begins if last else None, "times": 1, "weeks": "1"}
        if night:
            proposed = {name: getattr(night, name) for name in ("on", "begins", "title", "place", "for_fun")}
        super().__init__(data, initial=proposed)

    def clean_on(self) -> datetime.date:
        """A day that can be meant."""
        on: datetime.date = self.cleaned_data["on"]
        if not FIRST_DAY <= on <= self.club.today() + datetime.timedelta(days=366 * YEARS_AHEAD):
            raise forms.ValidationError("Is that year right?", "bad-date")
        return on

    def planned(self) -> Night:
        """The night of the form, which must be valid: not saved."""
        names = ("on", "begins", "title", "place", "for_fun")
        return Night(club=self.club, **{name: self.cleaned_data[name] for name in names})
