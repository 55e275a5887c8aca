"""`manage.py club …`: export and import a whole club, rebuild its copies, make a code for an organiser."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.urls import reverse

from clubs.archive.background import make
from clubs.archive.export import document_of, packed, text_of
from clubs.archive.parse import MOST_AT_THE_MACHINE, NotTaken, unpacked
from clubs.archive_import.apply import bring, in_short, take_in
from clubs.archive_import.changes import Differences
from clubs.archive_import.conflicts import WHAT_TO_DO
from clubs.archive_import.diff import differences
from clubs.archive_import.diff_text import changed_lines, kept_lines, new_headings
from clubs.club.organiser_codes import organiser_code
from clubs.members.roles import who_organise
from clubs.models import Club
from clubs.models.club import ORGANISER_CODE_LASTS
from clubs.outbox.addresses import site_address
from clubs.projections import worker
from clubs.projections.rebuild import made_anew
from scoresheets.management.site_command import SiteCommand

SPEAKERS = {"later": None, "file": True, "club": False}


class Command(SiteCommand):
    help = "Export a whole club to a file, import one, rebuild its standings, or make a code for an organiser."

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_subparsers(dest="what", required=True)
        out = what.add_parser("export", help="write a club into a file")
        out.add_argument("slug", help="the club's address on this site: thursday in /clubs/thursday/")
        out.add_argument("file", type=Path, nargs="?", help="compressed if it ends with .gz; default: the terminal")
        into = what.add_parser("import", help="say what a file would change; with --confirm, do it")
        into.add_argument("file", type=Path)
        into.add_argument("--confirm", action="store_true", help="import it")
        into.add_argument(
            "--speaks", choices=SPEAKERS, default="later",
            help="who is right where the file and the club here differ (default: whichever is later)",
        )  # fmt: skip
        again = what.add_parser("remake", help="rebuild standings, records and honours from the sheets")
        again.add_argument("slug", help="the club's address on this site")
        make_file = what.add_parser("make-file", help="make a file that was asked for on the site, which calls this")
        make_file.add_argument("key", help="names the file")
        code = what.add_parser("organiser", help="make a one-time code that makes somebody an organiser")
        code.add_argument("slug", help="the club's address on this site")

    def handle(self, *args: Any, what: str, **options: Any) -> None:
        deeds: dict[str, Callable[..., None]] = {
            "export": self.export, "import": self.take, "remake": self.remake, "organiser": self.organiser,
            "make-file": self.make_file,
        }  # fmt: skip
        deeds[what](**options)

    def export(self, slug: str, file: Path | None, **options: Any) -> None:
        """Write the club into the file."""
        club = club_at(slug)
        if file is None:
            sys.stdout.write(text_of(document_of(club)))
            return
        try:
            file.write_bytes(packed(club) if file.suffix == ".gz" else text_of(document_of(club)).encode())
        except OSError as problem:
            raise CommandError(f"{file} cannot be written: {problem.strerror}.") from problem
        self.stdout.write(f"Wrote {club.name} into {file}.")

    def make_file(self, key: str, **options: Any) -> None:
        """Make the file for the page that shows how far it is. Who plays meanwhile goes before."""
        os.nice(10)
        make(key)

    def remake(self, slug: str, **options: Any) -> None:
        """Make all copies anew, and say what was otherwise."""
        club = club_at(slug)
        tables, differences = made_anew(club)
        for line in differences:
            self.stdout.write(line)
        differed = f"{len(differences)} differed" if differences else "nothing differed"
        self.stdout.write(f"Rebuilt the results of {club.name} from {tables} sheet{'s'[: tables != 1]}: {differed}.")

    def take(self, file: Path, *, confirm: bool, speaks: str, **options: Any) -> None:
        """Say what it would change, or do it."""
        try:
            content = file.read_bytes()
        except OSError as problem:
            raise CommandError(f"{file} cannot be read: {problem.strerror}.") from problem
        try:
            document = unpacked(content, most=MOST_AT_THE_MACHINE)
            club = Club.objects.filter(uid=document["club"]["uid"]).first()
            changes = differences(document, club, file_speaks=SPEAKERS[speaks], names_others=True)
            for line in report_lines(changes):
                self.stdout.write(line)
            if changes.conflicts:
                raise NotTaken(*changes.conflicts, WHAT_TO_DO)
            if changes.changes_nothing:
                self.stdout.write("Nothing would change.")
                if confirm and club and not who_organise(club):
                    self.say_how_to_open(club)
            elif not confirm:
                self.stdout.write("Nothing is imported yet. Add --confirm to import it.")
            else:
                self.do(changes, club)
        except NotTaken as problem:
            raise CommandError("\n".join(problem.sentences)) from problem

    def do(self, changes: Differences, club: Club | None) -> None:
        """Take it in."""
        if club is None:
            done = take_in(changes.document, None, saw=changes.mark)
            assert done.club is not None, "a club that was taken in is there"  # noqa: S101
            club = done.club
            worker.catch_up()
            self.stdout.write(f"Imported: {club.name}, at {club.get_absolute_url()}")
        else:
            bring(changes.document, club, by=None, file_speaks=changes.file_speaks, saw=changes.mark)
            worker.catch_up()
            self.stdout.write(f"Imported: {in_short(changes)}.")
        if not who_organise(club):
            self.say_how_to_open(club)

    def organiser(self, slug: str, **options: Any) -> None:
        """A code for an organiser, whether or not the club has one."""
        self.say_how_to_open(club_at(slug))

    def say_how_to_open(self, club: Club) -> None:
        """The club's link, if it opens the club, and a code for an organiser with the page where it is entered."""
        address = site_address()
        code, path = organiser_code(club)
        if club.archived_at:
            self.stdout.write("It is archived: an organiser can read it, and bring it back in its settings.")
        elif club.visibility != Club.Visibility.MEMBERS:
            self.stdout.write(f"Its link: {address}{reverse('come_in', args=[club.slug, club.key])}")
        self.stdout.write(
            f"This code makes whoever enters it an organiser of {club.name}, once, within "
            f"{ORGANISER_CODE_LASTS.days} days: {code}\n{address}{path}"
        )


def club_at(slug: str) -> Club:
    """The club at that address. Raises `CommandError`."""
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        known = ", ".join(Club.objects.values_list("slug", flat=True)) or "none"
        raise CommandError(f"There is no club at {slug}. There are: {known}.")
    return club


def report_lines(changes: Differences) -> Iterator[str]:
    """The differences, for a terminal."""
    yield f"The club is {'here' if changes.club else 'new here'}: {changes.document['club']['name']}."
    for heading in new_headings(changes):
        yield f"+ {heading.what}"
        yield from (f"    {line}" for line in heading.lines)
        if heading.more:
            yield f"    and {heading.more} more"
    yield from (f"~ {line}" for line in changed_lines(changes))
    yield from (f"= {line}" for line in kept_lines(changes))
