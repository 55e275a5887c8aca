"""The form for planning a night."""

from __future__ import annotations

import datetime
from typing import Any

from django import forms
from django.utils.dateparse import parse_time

from clubs.club.forms import Format, MainGame, Words, find_known
from clubs.models import Club, Night
from clubs.models.club import UsualTrophies
from clubs.nights.nights import MOST_AT_ONCE, next_date
from clubs.nights.repetition import RHYTHMS, take_days
from scoresheets.opening.game_cards import by_size

#: No card club is older than playing cards, and nobody plans for the grandchildren.
FIRST_DAY, YEARS_AHEAD = datetime.date(1370, 1, 1), 20
#: Letters of a day as browsers post it: 2026-11-26.
ISO_LENGTH = 10
NO_DAY = "On which day? A date like 2026-11-26."
#: What of a night is planned.
PLANNED = ("on", "begins", "title", "place", "for_fun", "game", "trophies")


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


def read_day(typed: str, club: Club) -> datetime.date | None:
    """The day that was typed, as browsers post it; None where it is none, or one that nobody plans a night for."""
    try:
        day = datetime.date.fromisoformat(typed) if len(typed) == ISO_LENGTH else None
    except ValueError:
        day = None
    return day if day and can_be_meant(day, club) else None


def can_be_meant(day: datetime.date, club: Club) -> bool:
    """Whether a night can be on that day: not before there were cards, and not too far ahead."""
    return FIRST_DAY <= day <= club.today() + datetime.timedelta(days=366 * YEARS_AHEAD)


class NightPlan(forms.Form):
    """When, where and what is played; of a series how often (`weeks`), and how many nights or until when."""

    on = forms.DateField(
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"), input_formats=["%Y-%m-%d"],
        error_messages={"required": NO_DAY, "invalid": NO_DAY},
    )  # fmt: skip
    begins = forms.TimeField(
        required=False, widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        error_messages={"invalid": "A time such as 19:30."},
    )  # fmt: skip
    title = Words(most=80, required=False)
    place = Words(most=120, required=False)
    for_fun = forms.BooleanField(required=False)
    game = MainGame()
    trophies = Format()
    times = forms.IntegerField(
        min_value=1, max_value=MOST_AT_ONCE, required=False,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"), f"How many nights: a number from 1 to {MOST_AT_ONCE}."
        ),
    )  # fmt: skip
    until = forms.DateField(
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"), input_formats=["%Y-%m-%d"], required=False,
        error_messages={"invalid": NO_DAY},
    )  # fmt: skip
    weeks = forms.ChoiceField(
        choices=list(RHYTHMS.items()), required=False, error_messages={"invalid_choice": "That is not offered here."}
    )

    def __init__(self, data: Any = None, *, club: Club, night: Night | None = None) -> None:
        self.club, self.night = club, night
        last = club.nights.standing().first()
        begins = club.usual_begins or (last.begins if last else None)
        proposed = {"on": next_date(club), "begins": begins, "trophies": club.usual_trophies, "weeks": "1"}
        if night:
            proposed = {name: getattr(night, name) for name in PLANNED}
        super().__init__(data, initial=proposed)
        main = find_known(club.main_game)
        first = f"the main game: {main.name}" if main else "the main game of the club"
        field = self.fields["game"]
        if isinstance(field, MainGame):
            field.choices = [("", first), *((game.slug, game.name) for game in by_size())]
        if night and night.trophies not in ("", *UsualTrophies.values):
            # One table is followed: that is answered where the tables are known.
            del self.fields["trophies"]

    def clean_on(self) -> datetime.date:
        """A day that can be meant."""
        on: datetime.date = self.cleaned_data["on"]
        if not can_be_meant(on, self.club):
            raise forms.ValidationError("Is that year right?", "bad-date")
        return on

    def planned(self) -> Night:
        """The night of the form, which must be valid: not saved."""
        kept = {name: getattr(self.night, name) for name in ("game", "trophies")} if self.night else {}
        posted = {name: self.cleaned_data[name] for name in PLANNED if name in self.fields}
        # What a page did not ask stays as it is.
        posted = {name: value for name, value in posted.items() if name not in kept or name in self.data}
        return Night(club=self.club, **kept | posted)

    @property
    def days(self) -> list[datetime.date]:
        """The days of the nights of the form, which must be valid."""
        cleaned = self.cleaned_data
        return take_days(
            cleaned["on"], cleaned["weeks"] or "1", times=cleaned["times"], until=cleaned["until"], most=MOST_AT_ONCE
        )

    @property
    def is_series(self) -> bool:
        """Whether more than one night is wanted, or a day on which they end."""
        return (self.cleaned_data["times"] or 1) > 1 or self.cleaned_data["until"] is not None

    def clean(self) -> dict[str, Any]:
        """A series ends after it begins."""
        cleaned = super().clean() or self.cleaned_data
        on, until = cleaned.get("on"), cleaned.get("until")
        if on and until and not self.errors and not self.days:
            self.add_error("until", "No such night before that day.")
        return cleaned
