"""Forms for a trophy and its winners."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.dateformat import format as date_format

from clubs.models import Club, Trophy
from clubs.models.trophy import DRAWINGS
from clubs.photos.pictures import made_small
from clubs.trophies.past_holders import TypedHolder, members_by_name, read_when
from clubs.trophies.season import SeasonEnd
from rules.core.problems import Problem
from scoresheets.log.text import UNSEEN, clean_name, clean_text

LONGEST_NAME = 60
LONGEST_ABOUT = 200


@dataclass
class TrophyForm:
    """A trophy as typed. `problems` are sentences by field."""

    name: str = ""
    about: str = ""
    goes: str = Trophy.Goes.WINNER
    drawing: str = "cup"
    #: A new picture made small; b"": no picture any more; None: as it was.
    picture: bytes | None = None
    problems: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, trophy: Trophy) -> TrophyForm:
        return cls(trophy.name, trophy.about, trophy.goes, trophy.drawing)

    @classmethod
    def posted(cls, request: HttpRequest) -> TrophyForm:
        data = request.POST
        form = cls(goes=data.get("goes", ""), drawing=data.get("drawing", ""))
        form.name = form.cleaned("name", data.get("name", ""), LONGEST_NAME)
        form.about = form.cleaned("about", data.get("about", ""), LONGEST_ABOUT)
        if "name" not in form.problems and all(unicodedata.category(letter) in UNSEEN for letter in form.name):
            form.problems["name"] = "A trophy needs a name."
        if form.goes not in Trophy.Goes.values:
            form.problems["goes"] = "Choose who gets it."
        if form.drawing not in DRAWINGS:
            form.problems["drawing"] = "Choose one of the drawings."
        form.take_picture(request.FILES.get("picture"), no_picture=bool(data.get("no-picture")))
        return form

    def cleaned(self, name: str, typed: str, longest: int) -> str:
        """The text as it is kept; as it was typed, with a problem, where it cannot be."""
        text = clean_text(typed, longest)
        if isinstance(text, Problem):
            self.problems[name] = text.message
            return typed[: 4 * longest]
        return text

    def take_picture(self, file: object, *, no_picture: bool) -> None:
        if isinstance(file, UploadedFile):
            picture = made_small(file)
            if isinstance(picture, Problem):
                self.problems["picture"] = picture.message
            else:
                self.picture = picture
        elif no_picture:
            self.picture = b""

    def twin(self, club: Club) -> Trophy | None:
        """The trophy that says all this already: the tap was sent twice."""
        fields = {"name": self.name, "about": self.about, "goes": self.goes, "drawing": self.drawing}
        alike = club.trophies.filter(archived_at__isnull=True, **fields)
        return next((trophy for trophy in alike if bytes(trophy.picture or b"") == (self.picture or b"")), None)

    def write(self, trophy: Trophy) -> None:
        """Put it into the trophy, and save it."""
        trophy.name, trophy.about, trophy.goes, trophy.drawing = self.name, self.about, self.goes, self.drawing
        if self.picture is not None:
            trophy.put_picture(self.picture or None)
        trophy.save()


@dataclass
class GivenForm:
    """Somebody who has won a trophy, as typed by an organiser.

    `stranger`: the name is nobody's in the club, and that is meant. `asks`: the page has to ask whether it is.
    """

    holder_name: str = ""
    when: str = ""
    why: str = ""
    stranger: bool = False
    handed: bool = True
    asks: bool = False
    holder: TypedHolder | None = None
    problems: dict[str, str] = field(default_factory=dict)

    @classmethod
    def today(cls, club: Club) -> GivenForm:
        return cls(when=date_format(club.today(), "j F Y"))

    @classmethod
    def of_a_season(cls, season_end: SeasonEnd) -> GivenForm:
        """Who was at an end of a season, on its last day."""
        last = min(season_end.season.ends, season_end.season.club.today())
        return cls(season_end.member.nickname or season_end.member.name, date_format(last, "j F Y"), season_end.why)

    @classmethod
    def posted(cls, request: HttpRequest, club: Club) -> GivenForm:
        data = request.POST
        form = cls(
            data.get("who", "")[:200], data.get("when", "")[:60], stranger=bool(data.get("stranger")),
            handed=bool(data.get("handed")),
        )  # fmt: skip
        name = clean_name(form.holder_name, field="who")
        day = read_when(" ".join(form.when.split()), club.today())
        why = clean_text(data.get("why", ""), LONGEST_ABOUT)
        form.why = why if isinstance(why, str) else data.get("why", "")[:400]
        for value, where in ((name, "who"), (day, "when"), (why, "why")):
            if isinstance(value, Problem):
                form.problems[where] = value.message
        if isinstance(day, tuple) and day[2].strip():
            form.problems["when"] = f"There is something after the day: {day[2].strip()[:40]}"
        member = members_by_name(club).find(name) if isinstance(name, str) else None
        if isinstance(member, Problem):
            form.problems["who"] = member.message
        elif member is None and isinstance(name, str) and not form.stranger:
            form.asks = True
            form.problems["who"] = f"Nobody in the club is called {name}. Is it somebody from before? Then tick that."
        if not form.problems and isinstance(name, str) and isinstance(day, tuple) and not isinstance(member, Problem):
            form.holder = TypedHolder(day[0], day[1], member, name)
        return form
