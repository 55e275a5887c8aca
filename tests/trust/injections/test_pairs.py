"""Each text of a club becomes each injection once, and is looked at in every kind of page and file that shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pytest
from django.apps import apps
from django.http import HttpResponse
from django.urls import reverse

from clubs.api.rate import reading
from clubs.trophies.awards import award
from rules.core.fields import SHEET
from scoresheets.caches.versioned_cache import VersionedCache
from scoresheets.commands.enter import note
from scoresheets.log.text import clean_text
from scoresheets.models import Sheet
from tests.clubs.access.test_who_may import ROUTES
from tests.clubs.full_club import FullClub
from tests.factories import Scorer, new_key
from tests.scoresheets.people import arrive
from tests.trust.attempts import Attempt
from tests.trust.injections.outputs import with_single_spaces, words_in
from tests.trust.injections.test_pages import KINDS, Inspection, addresses_for_programs, drawings_of, program
from tests.trust.injections.texts import MARK, injections, is_text, write_everywhere
from tests.trust.pages.test_crawl import HANDS_OUT

PICTURE, DRAWING = "image/png", "image/svg+xml"
#: So many letters of a name are drawn in any case.
BEGINNING = 8
#: A text that says which one of all it is.
NUMBERED = re.compile(MARK + r"x(\d+)y")
#: What is often left empty. Other such texts stand only where they mean something: why a sheet is closed.
FILLED = {"place", "about", "nickname", "shown_as", "title", "label", "stakes", "club_name", "why", "reason", "caption"}
#: Read by the owner of the site alone: everybody else reads what a player is called at the table or in the club.
FOR_THE_OWNER = {"Player.name"}
#: More than a club has texts.
MOST_TEXTS = 1000
VISITORS = ("organiser", "phone", "superuser")


@dataclass
class Look(Inspection):
    """A crawl that remembers which of the numbered texts an address shows, by its kind and address."""

    shows: dict[tuple[str, str], set[int]] = field(default_factory=dict)
    #: Of the last answer: what it says, and what it is.
    said: str = ""
    content: bytes = b""

    def open(self, address: str, found_on: str) -> HttpResponse | None:
        answer = super().open(address, found_on)
        if answer is not None and not answer.streaming:
            self.said, self.content = words_in(answer), answer.content
            kind = answer["Content-Type"].partition(";")[0]
            self.shows[kind, address] = {int(number) for number in NUMBERED.findall(self.said)}
        return answer


def a_full_house() -> FullClub:
    """A club with something of everything, also with what lies in a JSON column: notes, latecomers, hidden names."""
    full_club = FullClub()
    scorer = Scorer(full_club.sheet, full_club.sheet.scorekeepers.first())
    for hand in (SHEET, 1):
        note(full_club.sheet, hand, text="“So…”, said he.", key=new_key(), by=scorer.by)
    arrive(scorer, "Flo")
    hidden = str(scorer.reading.sitting.now[2].player)
    Sheet.objects.filter(pk=full_club.sheet.pk).update(coming=["Gus"])
    Sheet.objects.filter(pk=full_club.brought.sheet_id).update(aliases={hidden: "Somebody"}, aliases_version=1)
    full_club.sheet.revisions.filter(version=full_club.sheet.version).update(why="The dealer said so.")
    award(
        full_club.trophy, None, on=full_club.night.on, source="typed", name="Old Joe", why="He said so.", confirmed=True
    )
    fill_in()
    return full_club


def fill_in() -> None:
    """What may be left empty is written in the first two rows of everything, so that it can become an injection."""
    for app in ("clubs", "scoresheets"):
        for model in apps.get_app_config(app).get_models():
            names = [one.name for one in model._meta.fields if is_text(one) and one.blank and one.name in FILLED]
            for row in model._base_manager.order_by("pk")[:2] if names else ():
                empty = [name for name in names if not getattr(row, name)]
                model._base_manager.filter(pk=row.pk).update(**dict.fromkeys(empty, "So"))


def looks(full_club: FullClub, visitors: Sequence[str]) -> Iterator[tuple[Look, tuple[str, ...]]]:
    """Everybody who looks, and what they open."""
    club = full_club.club
    standings = [reverse("standing_file", args=[club.slug, "all-time", ending]) for ending in ("xlsx", "csv", "json")]
    addresses = (
        "/", f"/calendar/{club.calendar_key}.ics", *drawings_of(club), *standings,
        *(full_club.address(route) for route, name in ROUTES if name and name not in HANDS_OUT),
    )  # fmt: skip
    yield from ((Look(full_club.browser(visitor), 0), addresses) for visitor in visitors)
    yield Look(program(club), 0), tuple(addresses_for_programs(club))


@dataclass
class Opened:
    """An address that one of those who look opens again and again. `texts`: the numbers of those it shows."""

    look: Look
    kind: str
    address: str
    texts: set[int]

    def unseen(self, begin: int, told: Sequence[str]) -> list[str]:
        """Which of its texts it does not say, where the first text of all is the one at `begin`."""
        assert self.look.open(self.address, "the list") is not None, self.look.broken
        expected = [told[(begin + number) % len(told)] for number in self.texts]
        if self.kind == DRAWING:
            # Where a name has little room it ends with dots.
            expected = [text[:BEGINNING] for text in expected]
        return [f"{self.address}: {text}" for text in expected if with_single_spaces(text) not in self.look.said]


def covering(found: Sequence[Opened]) -> Iterator[Opened]:
    """As few as show every text in every kind in which anybody sees it; of pictures, which say no text, all."""
    yield from {one.address: one for one in found if one.kind == PICTURE}.values()
    left = {(one.kind, number) for one in found for number in one.texts}
    while left:
        best = max(found, key=lambda one: len({(one.kind, number) for number in one.texts} & left))
        yield best
        left -= {(best.kind, number) for number in best.texts}


@pytest.mark.databases_differ
@pytest.mark.promise(7, minutes=12)
@pytest.mark.thorough
@pytest.mark.django_db
@pytest.mark.timeout(3600)
def test_each_text_becomes_each_injection(attempt: Attempt, monkeypatch: pytest.MonkeyPatch) -> None:
    # What a page keeps is made anew when somebody writes by the site, and here nobody does.
    monkeypatch.setattr(VersionedCache, "current", lambda *_: None)
    visitors = list(looks(a_full_house(), VISITORS if attempt.whole else VISITORS[:1]))
    written = write_everywhere(0, [f"{MARK}x{number}y" for number in range(MOST_TEXTS)])
    assert len(written) <= MOST_TEXTS
    crawls = [look.run(*addresses) for look, addresses in visitors]
    opened = list(covering([Opened(look, *key, look.shows[key]) for look in crawls for key in look.shows]))
    # As the site keeps what is typed: without spaces around it, so two of them are one.
    unseen, told = list[str](), list(dict.fromkeys(str(clean_text(text, 200)) for text in injections()))
    rounds, pictures = attempt.size(2, len(told)), dict[str, set[bytes]]()
    for begin in range(rounds):
        assert write_everywhere(begin, told) == written
        # A program may ask so often in a minute, and these rounds would be hours.
        reading.clear()
        for one in opened:
            unseen += one.unseen(begin, told)
            if one.kind == PICTURE:
                pictures.setdefault(one.address, set()).add(one.look.content)
    assert unseen == []
    assert [line for look in crawls for line in look.wrong] == []
    shown = {number for one in opened for number in one.texts}
    # Other texts make another picture.
    drawn = {PICTURE for different in pictures.values() if len(different) > 1}
    assert {one.kind for one in opened if one.texts} | drawn >= KINDS
    assert set(written) - {written[number] for number in shown} <= (set() if attempt.whole else FOR_THE_OWNER)
    attempt.saw(
        f"each of {len(shown)} texts of a club as each of {rounds} injections, {len(shown) * rounds:,} pairs, on"
        f" {len(opened)} pages and in files of every kind that shows it: all as it was typed, in drawings its beginning"
    )
