"""The form for a season: how it is counted."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from clubs.models import Club, Season
from clubs.standings.compute import words
from clubs.standings.schemes import MOST_POINTS, SCHEMES, TIE_BREAKS, USUAL, Terms
from rules import all_games
from rules.core.problems import Problem
from scoresheets.log.text import UNSEEN, clean_text

MOST_PLACES = 25
MOST_DROPS = 50
MOST_NIGHTS = 400
YEARS = range(1900, 2201)
TIES = ("tie_1", "tie_2", "tie_3")
WAYS = "Count one game only, or choose places or the share of the table beaten."
POINTS = re.compile(r"[0-9]{1,4}", re.ASCII)


def choice_name(name: str, *, needs_one_game: bool) -> str:
    return f"{name} (one game only)" if needs_one_game else name


class Counted(forms.Form):
    """A scheme with its points, its order of ties, and what is left out.

    `one_game`: whether all games that count are one game; None: that stands in the form itself.
    """

    scheme = forms.ChoiceField(
        choices=[(way.slug, choice_name(way.name, needs_one_game=way.needs_one_game)) for way in SCHEMES.values()],
        widget=forms.RadioSelect,
        error_messages={"required": "Choose what is counted.", "invalid_choice": "Choose what is counted."},
    )
    points = forms.CharField(required=False, max_length=200)
    drops = forms.IntegerField(required=False, min_value=0, max_value=MOST_DROPS)
    least_nights = forms.IntegerField(required=False, min_value=0, max_value=MOST_NIGHTS)

    def __init__(self, *given: Any, one_game: bool | None = None, **more: Any) -> None:
        super().__init__(*given, **more)
        self.one_game = one_game
        ties = [(tie.slug, choice_name(tie.name, needs_one_game=tie.needs_one_game)) for tie in TIE_BREAKS.values()]
        breaks = [("", "nothing more"), *ties]
        for name in TIES:
            self.fields[name] = forms.ChoiceField(
                choices=breaks, required=False, error_messages={"invalid_choice": "Choose one from the list."}
            )
        for name, most in (("drops", MOST_DROPS), ("least_nights", MOST_NIGHTS)):
            message = f"A whole number from 0 to {most}."
            self.fields[name].error_messages |= {"invalid": message}
            self.fields[name].validators = []
            self.fields[name].widget.attrs |= {"inputmode": "numeric"}

    def clean_points(self) -> list[int]:
        """The points of each place, from "10, 6, 3"; an empty list is none."""
        parts = [part for part in re.split(r"[\s,;]+", self.cleaned_data["points"]) if part]
        if not all(POINTS.fullmatch(part) for part in parts):
            raise ValidationError("Write whole numbers with commas between them: 10, 6, 3.")
        points = [int(part) for part in parts]
        if len(points) > MOST_PLACES or max(points, default=0) > MOST_POINTS:
            raise ValidationError(f"At most {MOST_PLACES} places, and {MOST_POINTS} points for one.")
        if points != sorted(points, reverse=True):
            raise ValidationError("A better place cannot be worth less than a worse one.")
        return points

    def whole(self, name: str, most: int) -> int:
        value: int = self.cleaned_data[name] or 0
        if not 0 <= value <= most:
            raise ValidationError(f"A whole number from 0 to {most}.")
        return value

    def clean_drops(self) -> int:
        return self.whole("drops", MOST_DROPS)

    def clean_least_nights(self) -> int:
        return self.whole("least_nights", MOST_NIGHTS)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if not self.is_of_one_game:
            scheme = SCHEMES.get(data.get("scheme") or "")
            if scheme and scheme.needs_one_game:
                no_sum = f"{scheme.name} cannot be added up over different games."
                self.add_error("scheme", f"{'A rating is for one game.' if scheme.is_rating else no_sum} {WAYS}")
            for name in TIES:
                if (tie := TIE_BREAKS.get(data.get(name) or "")) and tie.needs_one_game:
                    self.add_error(name, f"{tie.name.capitalize()} cannot be compared over different games. {WAYS}")
        return data

    @property
    def is_of_one_game(self) -> bool:
        return bool(self.one_game)

    @property
    def order(self) -> list[str]:
        """What breaks ties, first what is asked first; the same twice is once."""
        return list(dict.fromkeys(tie for name in TIES if (tie := self.cleaned_data.get(name))))

    @property
    def numbers(self) -> dict[str, list[int]]:
        return {"points": self.cleaned_data["points"]} if self.cleaned_data["points"] else {}

    def terms(self) -> Terms:
        """What was filled in, once it is valid."""
        data = self.cleaned_data
        scheme = SCHEMES[data["scheme"]]
        # A rating goes from game to game: no night can be left out of it.
        drops = 0 if scheme.is_rating else data["drops"]
        return Terms(
            scheme, tuple(self.order), self.numbers, drops, data["least_nights"], self.is_of_one_game
        )  # fmt: skip


class SeasonForm(Counted):
    """A season of a club: its name and its dates, and how it is counted."""

    name = forms.CharField(strip=False, error_messages={"required": "What is the season called?"})
    begins = forms.DateField(
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"required": "On which day does it begin?", "invalid": "That is no date."},
    )
    ends = forms.DateField(
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"required": "On which day does it end?", "invalid": "That is no date."},
    )

    def __init__(self, *given: Any, club: Club, season: Season | None = None, **more: Any) -> None:
        super().__init__(*given, **more)
        self.club, self.season = club, season
        self.twin: Season | None = None
        known = {game.slug: game.name for game in all_games()}
        kept = {slug: slug for slug in words(season.games if season else []) if slug not in known}
        self.fields["games"] = forms.MultipleChoiceField(
            choices=[*known.items(), *kept.items()], required=False, widget=forms.CheckboxSelectMultiple,
            error_messages={"invalid_choice": "That game is not played here."},
        )  # fmt: skip
        self.fields["name"].widget.attrs |= {"maxlength": "60", "dir": "auto", "autocomplete": "off"}

    def clean_name(self) -> str:
        name = clean_text(self.cleaned_data["name"], 60)
        if isinstance(name, Problem):
            raise ValidationError(name.message)
        if all(unicodedata.category(character) in UNSEEN for character in name):
            raise ValidationError("What is the season called?")
        return name

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        for name in ("begins", "ends"):
            if data.get(name) and data[name].year not in YEARS:
                self.add_error(name, "That year is too far away.")
        if data.get("begins") and data.get("ends") and data["ends"] < data["begins"]:
            self.add_error("ends", "It cannot end before it begins.")
        if "name" in data:
            self.look_for_another(data["name"])
        return data

    @property
    def is_of_one_game(self) -> bool:
        return len(set(self.cleaned_data.get("games") or [])) == 1

    def look_for_another(self, name: str) -> None:
        """No two seasons have one name; a new one that is there already in every word was sent twice (`twin`)."""
        others = self.club.seasons.standing().filter(name__iexact=name)
        other = others.exclude(pk=self.season.pk).first() if self.season else others.first()
        if other is None:
            return
        if self.season is None and not self.errors and all(getattr(other, k) == v for k, v in self.says().items()):
            self.twin = other
        else:
            self.add_error("name", "There is a season of that name. Give this one another.")

    def says(self) -> dict[str, Any]:
        """The columns of the season, once all is valid."""
        data = self.cleaned_data
        return {
            "name": data["name"], "begins": data["begins"], "ends": data["ends"], "games": data["games"],
            "scheme": data["scheme"], "order": self.order, "numbers": self.numbers, "drops": data["drops"],
            "least_nights": data["least_nights"],
        }  # fmt: skip


def filled_in(terms: Terms) -> dict[str, Any]:
    """A form as it is filled in for these terms."""
    ties = dict(zip(TIES, [*terms.order, "", "", ""], strict=False))
    points = ", ".join(str(points) for points in terms.numbers.get("points", []))
    return {
        "scheme": terms.scheme.slug, "points": points, "drops": terms.drops, "least_nights": terms.least_nights, **ties
    }  # fmt: skip


def season_filled_in(season: Season, terms: Terms) -> dict[str, Any]:
    """The form of a season as it stands."""
    return {
        "name": season.name,
        "begins": season.begins,
        "ends": season.ends,
        "games": words(season.games),
    } | filled_in(terms)


def new_filled_in() -> dict[str, Any]:
    """The form of a new season: counted as the standing nobody had to choose."""
    return filled_in(USUAL)
