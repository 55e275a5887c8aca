"""Validation of a club file beyond the types of single fields."""

from __future__ import annotations

import base64
import hashlib
import io
import re
import warnings
import zoneinfo
from collections.abc import Iterator

from django.db import models

from clubs.archive.export import Document
from clubs.archive.play_offs import faults_of_play_offs
from clubs.archive.schema import NOUNS
from rules import all_games
from rules.core.files.schema import fault
from rules.core.problems import Problem
from scoresheets.log.text import readable_name

#: A picture of a trophy is as the site has made it: no wider, no higher, no larger, and of a kind it makes.
MOST_PIXELS, MOST_PICTURE = 512, 600_000
KINDS = ("WEBP",)
#: No day of a club lies outside of these years: who looks a week further must not fall off the calendar.
FIRST_YEAR, LAST_YEAR = "1000", "2200"
#: Where in a second row (`Noun.single`) the fault is, and what it is.
SECOND = {
    "members": (", player", "somebody else is that player already"),
    "tables": (", number", "another table of that night has this number"),
    "play_offs": ("", "that night has another play-off"),
}
ADDRESS = re.compile(r"[a-z0-9][a-z0-9_-]*")


def faults_of_sense(document: Document) -> Iterator[Problem]:
    """Everything in a document of the right shape that cannot be so."""
    yield from faults_of_club(document)
    yield from faults_of_people(document)
    yield from faults_of_games(document)
    yield from faults_of_days(document)
    yield from faults_of_play_offs(document)
    yield from faults_of_second_rows(document)
    for place, trophy in enumerate(document["trophies"], 1):
        picture = base64.b64decode(trophy["picture"] or "")
        if picture and not is_picture(picture):
            yield fault(f"trophies, number {place}, picture", "it is no small picture")
        if trophy["picture_key"] != (hashlib.sha256(picture).hexdigest()[:16] if picture else ""):
            yield fault(f"trophies, number {place}, picture_key", "it belongs to another picture")


def faults_of_club(document: Document) -> Iterator[Problem]:
    """The club itself."""
    if document["club"]["time_zone"] not in zoneinfo.available_timezones():
        yield fault("club, time_zone", "there is no such time zone")
    if not ADDRESS.fullmatch(document["club"]["slug"]):
        yield fault("club, slug", "small letters, digits and hyphens make an address")
    if isinstance(readable_name(document["club"]["name"][:40]), Problem):
        yield fault("club, name", "that is no name")


def faults_of_people(document: Document) -> Iterator[Problem]:
    """Names that are none; a person who points to one who points on."""
    points = {row["uid"]: row["same_as"] for row in document["members"]}
    for place, row in enumerate(document["members"], 1):
        where = f"members, number {place}"
        if isinstance(readable_name(row["name"]), Problem):
            yield fault(f"{where}, name", "that is no name")
        if row["same_as"] is not None and points[row["same_as"]] is not None:
            yield fault(f"{where}, same_as", "it points to a record that is somebody else’s too")
    for place, row in enumerate(document["players"], 1):
        if isinstance(readable_name(row["name"]), Problem):
            yield fault(f"players, number {place}, name", "that is no name")
    for place, row in enumerate(document["apart"], 1):
        if row["one"] == row["other"]:
            yield fault(f"apart, number {place}", "nobody is kept apart from themselves")


def faults_of_days(document: Document) -> Iterator[Problem]:
    """Days and moments that nobody can mean."""
    for noun in NOUNS:
        days = [name for name, field in noun.fields.items() if isinstance(field, models.DateField)]
        for place, row in enumerate(document[noun.key] if days else (), 1):
            for name in days:
                if row[name] is not None and not FIRST_YEAR <= row[name][:4] <= LAST_YEAR:
                    yield fault(f"{noun.key}, number {place}, {name}", "that year is too far away")


def faults_of_games(document: Document) -> Iterator[Problem]:
    """Games nobody knows."""
    games = {game.slug for game in all_games()}
    for place, row in enumerate(document["tables"], 1):
        if row["game"] not in games:
            yield fault(f"tables, number {place}, game", "nobody here knows that game")
    for place, row in enumerate(document["seasons"], 1):
        if not all(isinstance(slug, str) and slug in games for slug in row["games"]):
            yield fault(f"seasons, number {place}, games", "nobody here knows one of these games")


def faults_of_second_rows(document: Document) -> Iterator[Problem]:
    """Rows of which there may be one: tables of one number, chairs of one person, play-offs of one night."""
    for noun in NOUNS:
        seen = set()
        for place, row in enumerate(document[noun.key] if noun.single else (), 1):
            key = noun.shared_key_of(row)
            if key in seen:
                where, problem = SECOND.get(noun.key, ("", "that cannot be there twice"))
                yield fault(f"{noun.key}, number {place}{where}", problem)
            elif key:
                seen.add(key)


def is_picture(content: bytes) -> bool:
    """Whether it is a picture such as the site keeps."""
    from PIL import Image, UnidentifiedImageError  # when it is needed: the site starts sooner without it

    if len(content) > MOST_PICTURE:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with Image.open(io.BytesIO(content), formats=KINDS) as picture:
                if max(picture.size) > MOST_PIXELS:
                    return False
                picture.load()
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Warning, Image.DecompressionBombError):
        return False
    return True
