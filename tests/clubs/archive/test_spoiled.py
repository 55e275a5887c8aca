"""A club file in which one thing is something else: it is refused with a sentence, or makes a club whose pages open."""

from __future__ import annotations

import copy
import json
import re
from functools import cache
from random import Random
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import NoReverseMatch, reverse

from clubs.archive.export import document_of, packed
from clubs.archive.parse import NotTaken, unpacked
from clubs.archive_import.apply import take_in
from clubs.archive_import.diff import differences
from clubs.archive_import.diff_text import changed_lines, kept_lines, new_headings
from clubs.models import Club, Member
from scoresheets.log.state import read_sheet
from scoresheets.models import Revision, Sheet
from tests.club_factories import UserFactory
from tests.clubs.archive.years import Years, forgotten
from tests.clubs.visitors import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(600)]

NASTY: list[Any] = [
    None, True, False, 0, 1, -1, 2, 7, 99, 2**31, -(2**31), 2**63, 10**30, "", " ", "0", "1", "\u0000", "\ud800",
    "\u202e",
    "n" * 41, "n" * 500, "<b>", "=1+1", "{{ 7 }}", [], [1], ["1"], [[]], {}, {"a": 1}, {"seat": 1}, "2026-02-30",
    "0001-01-01", "9999-12-31", "0001-01-01T00:00:00.000000Z", "9999-12-31T23:59:59.999999Z",
    "2026-03-05T20:00:00.000000Z", "2026-03-05T20:00:00Z", "25:00:00", "19:30:00", "organiser", "guest", "public",
    "dirty-dog", "dingo", "raw", "won", "Mars/Base", "x" * 22, "table", "bid-1", "arrive-1", "stop-1", "sits-1",
    "note-1",
    "play-off", "winner", "aGVsbG8=", 1.5,
]  # fmt: skip
PAGES = (
    "club",
    "members",
    "nights",
    "standings",
    "trophies",
    "records",
    "games",
    "honours",
    "seasons",
    "diary",
    "export_club",
)
WATCHED = ("watch", "watch_rows", "watch_table", "watch_history")


@cache
def of_a_club() -> str:
    """The document of a club that has something of everything, without its pages of names."""
    club = Years("spoiled").live(110).club
    said = json.dumps(document_of(club))
    forgotten(club)
    return said


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to everything in it."""
    found = [path] if path else []
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inside:
        found += leaves(one, (*path, key))
    return found


def spoil(document: dict[str, Any], dice: Random, paths: list[tuple[Any, ...]]) -> str:
    """Change one thing in it, and say what. Each part of the document is as likely as the others."""
    part = dice.choice(sorted({path[0] for path in paths}))
    path = dice.choice([path for path in paths if path[0] == part])
    holder: Any = document
    for key in path[:-1]:
        holder = holder[key]
    what = dice.choice(("value", "value", "value", "other", "drop", "twice", "key"))
    if what == "drop":
        del holder[path[-1]]
    elif what == "twice" and isinstance(holder, list):
        holder.append(copy.deepcopy(holder[path[-1]]))
    elif what == "key" and isinstance(holder, dict):
        holder[dice.choice(("user", "code", "browser", "uid", "nonsense", "\ud800"))] = dice.choice(NASTY)
    elif what == "other":
        source: Any = document
        for key in dice.choice(paths):
            source = source[key] if isinstance(source, dict | list) and key in dict_or_list(source) else source
        holder[path[-1]] = copy.deepcopy(source) if not isinstance(source, dict) else None
    else:
        holder[path[-1]] = dice.choice(NASTY)
    return f"{what} {path}"


def dict_or_list(value: Any) -> Any:
    return value if isinstance(value, dict) else range(len(value))


def look_at(club: Club, visitor: Client) -> None:
    """Every page of the club and of its sheets opens."""
    for name in PAGES:
        try:
            address = reverse(name, args=[club.slug])
        except NoReverseMatch:
            continue
        assert visitor.get(address).status_code < 500, name
    for member in club.members.all()[:2]:
        assert visitor.get(member.get_absolute_url()).status_code < 500
    for sheet in Sheet.objects.filter(table__night__club=club)[:4]:
        assert read_sheet(sheet).sheet
        for name in WATCHED:
            assert visitor.get(reverse(name, args=[sheet.watch])).status_code < 500, name


def tried(seed: int, times: int) -> int:
    """So many spoiled files are brought; how many were taken in."""
    document = json.loads(of_a_club())
    paths, dice, taken = leaves(document), Random(f"spoiled {seed}"), 0
    for _ in range(times):
        spoiled = copy.deepcopy(document)
        what = spoil(spoiled, dice, paths)
        before = transaction.savepoint()
        try:
            read = unpacked(json.dumps(spoiled).encode())
            club = take_in(read, None).club
            assert club
            taken += 1
            again = packed(club)
            assert differences(unpacked(again), club).changes_nothing
            user = UserFactory()
            here = {"approved_at": club.created, "left_at": None, "same_as": None}
            Member.objects.filter(pk=club.members.first().pk).update(user=user, role="organiser", **here)
            look_at(club, signed_in(user))
        except NotTaken as refused:
            said = [sentence for sentence in refused.sentences if not re.search(r"[.?!]$", sentence)]
            transaction.savepoint_rollback(before)
            assert not said, what
            assert not Club.objects.exists(), what
            assert not Revision.objects.exists(), what
        except BaseException as problem:
            problem.add_note(f"after {what}")
            raise
        finally:
            transaction.savepoint_rollback(before)
    return taken


@pytest.mark.databases_differ
@pytest.mark.thorough
@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.long) for n in range(1, 60))])
def test_spoiled_file_is_refused_or_makes_a_club_that_works(seed: int) -> None:
    assert tried(seed, 40) < 40


@pytest.mark.databases_differ
@pytest.mark.thorough
def test_spoiled_file_changes_a_club_or_is_refused() -> None:
    document = json.loads(of_a_club())
    club = take_in(unpacked(json.dumps(document).encode()), None).club
    paths, dice = leaves(document), Random("merged")
    for _ in range(40):
        spoiled = copy.deepcopy(document)
        what = spoil(spoiled, dice, paths)
        before, state = transaction.savepoint(), packed(club)
        try:
            found = differences(unpacked(json.dumps(spoiled).encode()), club, file_speaks=True)
            assert [*changed_lines(found), *kept_lines(found), *new_headings(found)] or found.changes_nothing
            take_in(unpacked(json.dumps(spoiled).encode()), club, file_speaks=True, saw=found.mark)
            assert unpacked(packed(club))
        except NotTaken:
            assert packed(club) == state
        except BaseException as problem:
            problem.add_note(f"after {what}")
            raise
        finally:
            transaction.savepoint_rollback(before)
            club.refresh_from_db()
