"""Text that is markup, formula, header or code elsewhere stays text, on every page and in every file."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from clubs.api.documents.nights import tables_of
from clubs.api.keys import make_key
from clubs.models import Club, PlayOff
from scoresheets.models import Sheet
from scoresheets.models.sheet import new_token
from tests.clubs.archive.years import Years
from tests.trust.attempts import Attempt
from tests.trust.injections.outputs import wrong_in
from tests.trust.injections.texts import MARK, injections, write_everywhere
from tests.trust.pages.test_crawl import ROLES, Crawl, browser


@dataclass
class Inspection(Crawl):
    """A crawl that looks at every answer. `kinds`: how many of each kind of content."""

    wrong: list[str] = field(default_factory=list)
    kinds: dict[str, int] = field(default_factory=dict)
    marked: int = 0

    def open(self, address: str, found_on: str) -> HttpResponse | None:
        answer = super().open(address, found_on)
        if answer is not None and not answer.streaming:
            kind = answer["Content-Type"].partition(";")[0]
            self.kinds[kind] = self.kinds.get(kind, 0) + 1
            self.marked += MARK.encode() in answer.content
            self.wrong += [f"{address}: {line}" for line in wrong_in(answer)]
        return answer


def drawings_of(club: Club) -> list[str]:
    """The drawings of some sheets, which a script asks for."""
    sheets = Sheet.objects.filter(table__night__club=club).order_by("-pk")[:20]
    return [reverse("watch_picture", args=[sheet.watch]) for sheet in sheets]


def addresses_for_programs(club: Club) -> list[str]:
    """What programs read of the club, with its first table and play-off if it has any."""
    of_club = ["api_club", "api_members", "api_nights", "api_standings", "api_results", "api_trophies", "api_records"]
    named: list[tuple[str, tuple[str, ...]]] = [(name, ()) for name in of_club]
    named += [(name, ("all-time",)) for name in ("api_standing", "api_standing_csv")]
    for table in tables_of(club).filter(sheet__isnull=False).select_related("night")[:1]:
        named += [("api_night", (table.night.uid,)), ("api_table", (table.uid,)), ("api_sheet", (table.uid,))]
    for play_off in PlayOff.objects.filter(night__club=club, night__archived_at=None, called_off_at=None)[:1]:
        named += [("api_play_off", (play_off.uid,))]
    return [reverse(name, args=[club.slug, *more]) for name, more in named]


def program(club: Club) -> Client:
    key = make_key(club, "A program", uid=new_token(), by=None)
    return Client(headers={"authorization": f"Bearer {key}"})


#: What at least is looked at, beside mails, notices on phones and messages to programs (`test_messages.py`).
KINDS = {
    "text/html", "text/csv", "text/calendar", "image/png", "image/svg+xml", "application/atom+xml", "application/json",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}  # fmt: skip


@pytest.mark.databases_differ
@pytest.mark.promise(7)
@pytest.mark.thorough
@pytest.mark.django_db
@pytest.mark.timeout(3600)
def test_injections_are_text_on_every_page_and_in_every_file(attempt: Attempt) -> None:
    club = Years("injected").live(attempt.size(12, 250)).club
    Club.objects.filter(pk=club.pk).update(visibility=Club.Visibility.LINK)
    written = len(write_everywhere())
    club.refresh_from_db()
    wrong, pages, marked, kinds = list[str](), 0, 0, set[str]()
    # No page leads to some of these.
    begin = ("/", club.get_absolute_url(), f"/calendar/{club.calendar_key}.ics", *drawings_of(club))
    visitors = [(browser(role, club), begin) for role in (ROLES if attempt.whole else ("organiser",))]
    crawls = [Inspection(client, attempt.size(1, 4)).run(*first) for client, first in visitors]
    programs = Inspection(program(club), 1).run(*addresses_for_programs(club))
    assert programs.broken == []
    for crawl in (*crawls, programs):
        wrong += [*crawl.wrong, *(line for line in crawl.broken if line.startswith("5"))]
        pages, marked, kinds = pages + crawl.pages, marked + crawl.marked, kinds | set(crawl.kinds)
    assert wrong == []
    assert marked > pages / 4
    assert KINDS <= kinds
    attempt.saw(
        f"{len(list(injections()))} injections in {written:,} texts, {pages:,} pages and files of {len(kinds)} kinds:"
        f" {marked:,} show some, all as text"
    )
