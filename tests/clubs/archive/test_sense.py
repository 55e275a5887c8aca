"""A club file of the right shape in which something cannot be so: it is refused, and the sentence says what."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import models

from clubs.archive.codec import bare_shape_of
from clubs.archive.export import document_of
from clubs.archive.parse import NotTaken, unpacked
from clubs.members.people import new_member
from clubs.models import Award, Chair, KeptApart, Night
from rules.core.files.schema import fits
from tests.club_factories import ClubFactory, NightFactory, SeasonFactory, TrophyFactory, played, scored

pytestmark = pytest.mark.django_db

Document = dict[str, Any]


def document() -> Document:
    """A club with two results of the past and a sheet, a trophy that was won, a season, and two who are kept apart."""
    club = ClubFactory(time_zone="Europe/Berlin")
    ann, bo, cy, di = (new_member(club, name) for name in ("Ann", "Bo", "Cy", "Di"))
    night: Night = NightFactory(club=club)
    table, _ = (scored(night, [(ann, 2), (bo, 1)]) for _ in range(2))
    played(night, [ann, bo, cy, di], hands=1)
    Chair.objects.create(table=table, place=1, member=ann)
    Award.objects.create(trophy=TrophyFactory(club=club), member=ann, on=night.on, source="typed", table=table)
    SeasonFactory(club=club)
    KeptApart.objects.create(club=club, one=ann, other=bo)
    return json.loads(json.dumps(document_of(club)))


def again(key: str, **other: object) -> Callable[[Document], None]:
    """The first row of that kind stands there once more, with these other values."""
    return lambda d: d[key].append(d[key][0] | other)


def says(key: str, **other: object) -> Callable[[Document], None]:
    """The first row of that kind says this instead; of the club there is one."""
    return lambda d: (d[key] if key == "club" else d[key][0]).update(other)


def chain(d: Document) -> None:
    """Ann counts as Bo, who counts as Cy."""
    for one, other in ((0, 1), (1, 2)):
        d["members"][one]["same_as"] = d["members"][other]["uid"]


def of_the_sheet(d: Document) -> Document:
    """The row of the table that has the sheet."""
    return next(row for row in d["tables"] if row.get("source") != "past")


WRONG: dict[str, tuple[Callable[[Document], Any], str]] = {
    "the clock": (says("club", time_zone="Mars/Base"), "club, time_zone: there is no such time zone"),
    "the address": (says("club", slug="Nine_Clubs"), "club, slug: small letters, digits and hyphens"),
    "the club's name": (says("club", name="\u200b"), "club, name: that is no name"),
    "a member's name": (says("members", name="\u200b"), "members, number 1, name: that is no name"),
    "a player's name": (says("players", name="\u200b"), "players, number 1, name: that is no name"),
    "one player of two": (
        lambda d: d["members"][1].update(player=d["members"][0]["player"]),
        "members, number 2, player: somebody else is that player already",
    ),
    "a chain": (chain, "members, number 1, same_as: it points to a record that is somebody else’s too"),
    "a quarrel": (
        lambda d: d["apart"][0].update(other=d["apart"][0]["one"]),
        "apart, number 1: nobody is kept apart from themselves",
    ),
    "a game": (says("tables", game="whist"), "game: nobody here knows that game"),
    "a game of a season": (says("seasons", games=["whist"]), "seasons, number 1, games: nobody here knows one of"),
    "two tables of one number": (
        lambda d: [row.update(number=1) for row in d["tables"]],
        "number: another table of that night has this number",
    ),
    "two chairs": (again("chairs", place=2), "chairs, number 2: that cannot be there twice"),
    "two winners": (again("awards", uid="n" * 22), "awards, number 2: that cannot be there twice"),
    "a picture": (says("trophies", picture="aGVsbG8="), "trophies, number 1, picture: it is no small picture"),
    "its mark": (says("trophies", picture_key="0" * 16), "trophies, number 1, picture_key: it belongs to another"),
    "a row twice": (again("members"), "members, number 5: it is there twice"),
    "a player nobody has": (says("members", player=99), "members, number 1, player: nobody in this file has that"),
    "a pointer": (says("apart", one="n" * 22), "apart, number 1, one: it points to nothing in this file"),
    "a number": (says("members", uid="x"), "members, number 1, uid: 22 letters and digits belong here"),
    "an hour": (says("nights", begins="25:00:00"), "nights, number 1, begins: a time such as 19:30:00 belongs here"),
    "another game on the sheet": (
        lambda d: of_the_sheet(d).update(game="dingo"),
        "at its table another game is played",
    ),
    "places beside a sheet": (
        lambda d: d["placings"].append(d["placings"][0] | {"table": of_the_sheet(d)["uid"]}),
        "its table has a sheet, which tells the places",
    ),
}


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_is_refused_with_a_sentence(name: str) -> None:
    change, sentence = WRONG[name]
    spoiled = document()
    assert unpacked(json.dumps(spoiled).encode())
    change(spoiled)
    with pytest.raises(NotTaken) as refused:
        unpacked(json.dumps(spoiled).encode())
    assert any(sentence in said for said in refused.value.sentences), refused.value.sentences


@pytest.mark.parametrize(
    ("field", "fitting", "wrong"),
    [
        (models.PositiveSmallIntegerField(), (0, 32767), (-1, 32768)),
        (models.SmallIntegerField(), (-32767, 32767), (-32768, 32768)),
        (models.PositiveIntegerField(), (0, 32768, 2**31 - 1), (-1, 2**31)),
        (models.IntegerField(), (1 - 2**31, 2**31 - 1), (-(2**31), 2**31)),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, models.Field) else "",
)
def test_number_fits_where_every_database_has_room_for_it(
    field: models.Field[Any, Any], fitting: tuple[int, ...], wrong: tuple[int, ...]
) -> None:
    shape = bare_shape_of(field)
    assert [fits(shape, number) for number in (*fitting, *wrong)] == [True] * len(fitting) + [False] * len(wrong)
