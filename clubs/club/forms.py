"""The forms for founding a club and for its settings."""

from __future__ import annotations

import re
import zoneinfo
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from clubs.club.founding import LONGEST_SLUG, TAKEN
from clubs.models import Club
from clubs.models.club import LONGEST_CLUB_NAME, ORIGIN, UsualTrophies, Weekday
from rules import all_games
from rules.core.game import Game
from rules.core.problems import Problem
from scoresheets.log.text import clean_name, clean_text
from scoresheets.models.sheet import LONGEST_NAME
from scoresheets.opening.game_cards import by_size

MOST_PLAYED = "The one it has played most"
NO_SUCH_GAME = "Choose one of the games here."
TAKEN_BY_ANOTHER = "Another club has this address."
NO_ORIGIN = "Type the address of the web site without a page: “https://www.example.org”, for example."
SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*", re.ASCII)


class Words(forms.CharField):
    """A line of text in any script, and nothing but text."""

    def __init__(self, *, most: int, **more: Any) -> None:
        # The site says how long, in its own words, and counts after it has cleaned.
        super().__init__(strip=False, **more)
        self.most = most
        self.widget.attrs |= {"maxlength": str(most), "dir": "auto"}

    def to_python(self, value: Any) -> str:
        return checked(clean_text(super().to_python(value), self.most))


class Name(Words):
    """What somebody or something is called; there must be one."""

    def to_python(self, value: Any) -> str:
        return checked(clean_name(super().to_python(value))) if self.most == LONGEST_NAME else super().to_python(value)


def checked(cleaned: str | Problem) -> str:
    """Raises `ValidationError` with the sentence of the problem, where it is one."""
    if isinstance(cleaned, Problem):
        raise ValidationError(cleaned.message, cleaned.code)
    return cleaned


class TimeZone(Words):
    """A zone as computers call it."""

    def __init__(self) -> None:
        super().__init__(most=60, error_messages={"required": "Which time zone is the club in?"})
        self.widget.attrs |= {"list": "zones", "autocomplete": "off", "spellcheck": "false", "dir": "ltr"}

    def to_python(self, value: Any) -> str:
        name = super().to_python(value)
        if name and name not in zones():
            raise ValidationError("There is no such time zone. Choose one from the list: “Europe/Berlin”, for example.")
        return name


def zones() -> set[str]:
    """The zones of this machine, by names that have a place in them, and UTC."""
    return {name for name in zoneinfo.available_timezones() if "/" in name and not name.startswith("Etc/")} | {"UTC"}


class MainGame(forms.ChoiceField):
    """The game a club plays where nobody says otherwise; the one for the most people comes first."""

    def __init__(self, *, or_most_played: bool = False) -> None:
        first = [("", MOST_PLAYED)] if or_most_played else []
        super().__init__(
            choices=lambda: [*first, *((game.slug, game.name) for game in by_size())], required=False,
            error_messages={"invalid_choice": NO_SUCH_GAME},
        )  # fmt: skip


class Format(forms.ChoiceField):
    """What the trophies of a night follow, as far as that is known before its tables are drawn."""

    def __init__(self) -> None:
        super().__init__(
            choices=[("", "decide on the night"), *UsualTrophies.choices], required=False,
            error_messages={"invalid_choice": "Choose one of the formats here."},
        )  # fmt: skip


class FrameOrigin(Words):
    """The origin of a web site: what stands before the first single slash of its address."""

    def __init__(self) -> None:
        super().__init__(most=200, required=False)
        self.widget.attrs |= {"inputmode": "url", "autocomplete": "off", "spellcheck": "false", "dir": "ltr"}

    def to_python(self, value: Any) -> str:
        origin = super().to_python(value).rstrip("/").lower()
        if origin and not ORIGIN.fullmatch(origin):
            raise ValidationError(NO_ORIGIN)
        return origin


class Founding(forms.Form):
    """A new club, and who founds it."""

    code = Words(most=60, error_messages={"required": "You need the code to start a club."})
    name = Words(most=LONGEST_CLUB_NAME, error_messages={"required": "What is the club called?"})
    called = Name(most=LONGEST_NAME)
    place = Words(most=120, required=False)
    main_game = MainGame()
    time_zone = TimeZone()

    def __init__(self, data: Any = None, *, needs_code: bool, **more: Any) -> None:
        super().__init__(data, **more)
        self.fields["code"].required = needs_code

    def clean_main_game(self) -> str:
        """The game for the most people, unless another one was chosen."""
        return self.cleaned_data["main_game"] or by_size()[0].slug


class Particulars(forms.Form):
    """What can be settled about a club."""

    name = Words(most=LONGEST_CLUB_NAME, error_messages={"required": "What is the club called?"})
    slug = Words(most=LONGEST_SLUG, error_messages={"required": "The club needs an address."})
    place = Words(most=120, required=False)
    main_game = MainGame(or_most_played=True)
    usual_day = forms.TypedChoiceField(
        choices=[("", "no weekday in particular"), *Weekday.choices], coerce=int, empty_value=None, required=False,
        error_messages={"invalid_choice": "Choose one of the days here."},
    )  # fmt: skip
    usual_begins = forms.TimeField(
        required=False, widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        error_messages={"invalid": "A time such as 19:30."},
    )  # fmt: skip
    usual_trophies = Format()
    about = Words(most=400, required=False, widget=forms.Textarea(attrs={"rows": 3}))
    time_zone = TimeZone()
    visibility = forms.ChoiceField(
        choices=Club.Visibility.choices,
        widget=forms.RadioSelect,
        error_messages={"required": "Who sees the club?", "invalid_choice": "That is not one of the choices here."},
    )
    awards_at_once = forms.BooleanField(required=False)
    frame_origin = FrameOrigin()

    def __init__(self, data: Any = None, *, club: Club) -> None:
        self.club = club
        super().__init__(data, initial={name: getattr(club, name) for name in self.base_fields})

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"].lower()
        if not SLUG.fullmatch(slug):
            raise ValidationError("Use small letters, digits and single hyphens.")
        if slug in TAKEN or Club.objects.filter(slug=slug).exclude(pk=self.club.pk).exists():
            raise ValidationError(TAKEN_BY_ANOTHER)
        return slug


def find_known(slug: str) -> Game | None:
    """The game; None where none is chosen, or a file has brought one that nobody here knows."""
    return next((game for game in all_games() if game.slug == slug), None)
