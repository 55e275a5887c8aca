"""A club with something of everything, and a browser for every kind of visitor."""

from __future__ import annotations

import re
from http.cookies import SimpleCookie

from django.test import Client

from clubs.access.visit import COOKIE
from clubs.archive.export import packed
from clubs.club import settings
from clubs.imports import spreadsheet as imports_spreadsheet
from clubs.imports.samples import spreadsheet
from clubs.members.personal_links import make_link as make_personal_link
from clubs.members.personal_links import token_of
from clubs.models import Award, Club, Dispute, Invitation, PlayOff, Ruling, Season, Stage, Table, Upload
from clubs.notices.links import stop_token
from scoresheets.access.scorekeepers import BROWSER_COOKIE, hashed, make_link
from scoresheets.models import GlossaryTerm
from tests.club_factories import (
    ClubFactory,
    MemberFactory,
    NightFactory,
    PhotoFactory,
    TrophyFactory,
    UserFactory,
    played,
)

PLACE = re.compile(r"(?:(?P<noun>[a-z-]+)(?P<sign>[/.]))?<(?:(?P<kind>\w+):)?(?P<name>\w+)>")
SECRET = "p" * 22
#: What stands at places that say by their names what belongs there.
ANYWHERE = {
    "hand": "1",
    "seat": "1",
    "part": "1",
    "kind": "arrive",
    "version": "2",
    "note": "1",
    "deed": "confirm",
    "which": "all-time",
    "figure": "games",
    "ending": "csv",
    "game": "dirty-dog",
    "tag": "sweep",
    "size": "small",
    "sample": "results",
}


class FullClub:
    """The club, its people, and what stands at each place of an address."""

    def __init__(self) -> None:
        self.club: Club = ClubFactory(visibility="link", slug="ours", frame_origin="https://www.bakery.example")
        self.members = MemberFactory.create_batch(4, club=self.club)
        self.night = NightFactory(club=self.club)
        played(self.night, self.members)
        self.table = played(self.night, self.members, hands=2)
        self.sheet = self.table.sheet
        # The night has a play-off, of which this is a group.
        self.play_off = PlayOff.objects.create(night=self.night, game="dirty-dog", places=2)
        self.stage = Stage.objects.create(play_off=self.play_off, number=1, side="all", hands=4, places=2)
        self.ruling = Ruling.objects.create(play_off=self.play_off, kind="keep", says={"stages": []}, reason="So")
        self.table.stage = self.stage
        self.table.save()
        self.sheet.scorekeepers.update(browser=hashed(SECRET))
        self.brought = played(self.night, self.members, hands=1)
        self.brought.source = Table.Source.BROUGHT
        self.brought.save()
        self.trophy = TrophyFactory(club=self.club)
        self.trophy.put_picture(b"a picture")
        self.trophy.save()
        self.award = Award.objects.create(
            trophy=self.trophy, member=self.members[0], on=self.night.on, source="typed", table=self.table,
            confirmed_at=self.club.created, handed_at=self.club.created,
        )  # fmt: skip
        self.photo = PhotoFactory(club=self.club, night=self.night, by=self.members[0])
        self.doubt = Dispute.objects.create(award=self.award, says="The sheet says something else.", version=1)
        self.season = Season.objects.create(
            club=self.club, name="Spring", begins="2026-01-01", ends="2026-12-31", scheme="won"
        )
        self.invitation = Invitation.objects.create(club=self.club, token_hash=hashed("i" * 22))
        self.personal_link = make_personal_link(self.members[0], by=None)
        self.word = GlossaryTerm.objects.create(
            term="Ann’s rule", meaning="Ann deals again.", browser=hashed(SECRET), added_at=self.club.created
        )
        self.link = make_link(self.sheet, by=None)
        self.users = {role: UserFactory() for role in ("member", "scorekeeper", "organiser")}
        for role, user in self.users.items():
            MemberFactory(club=self.club, user=user, role=role)
        self.users["stranger"] = MemberFactory(user=UserFactory(), role="organiser").user
        self.users["superuser"] = UserFactory(is_superuser=True)
        file, by = packed(self.club), self.users["organiser"]
        sheet = imports_spreadsheet.packed(imports_spreadsheet.read_spreadsheet(spreadsheet("results", "csv")))
        self.uploads = [
            Upload.objects.create(kind=kind, club=club, by=by, called="a file", content=content)
            for kind, club, content in (("club", self.club, file), ("club", None, file), ("results", self.club, sheet))
        ]
        self.cookies: dict[str, SimpleCookie] = {}

    def show_to(self, visibility: str) -> None:
        settings.settle(self.club, {"visibility": visibility}, by=None)
        self.club.refresh_from_db()

    def browser(self, visitor: str) -> Client:
        """A browser of that visitor, as they come to the site with it: what it was told before is forgotten."""
        client = Client()
        if visitor not in self.cookies:
            self.cookies[visitor] = self.cookies_of(visitor)
        client.cookies.load(self.cookies[visitor])
        return client

    def cookies_of(self, visitor: str) -> SimpleCookie:
        client = Client()
        if visitor in self.users:
            client.force_login(self.users[visitor])
        elif visitor == "watcher":
            client.cookies[COOKIE.format(self.club.pk)] = f"{self.club.key}.{self.members[0].pk}"
        elif visitor == "phone":
            client.cookies[BROWSER_COOKIE] = SECRET
        return client.cookies

    def address(self, route: str) -> str:
        """The route with the right thing at each of its places."""
        return PLACE.sub(self.thing, route)

    def thing(self, place: re.Match[str]) -> str:
        noun = place["noun"] or ""
        return f"{noun}{place['sign'] or ''}{self.told(noun, place['name'])}"

    def told(self, noun: str, name: str) -> object:
        """What stands at the place `name` behind the word `noun`."""
        at: dict[tuple[str, str], object] = {
            ("clubs", "slug"): self.club.slug,
            ("in", "key"): self.club.key,
            ("calendar", "key"): self.club.calendar_key,
            ("rules", "slug"): self.sheet.game,
            ("words", "slug"): self.sheet.game,
            ("offline", "slug"): self.sheet.game,
            ("keep", "token"): self.link,
            ("sheets", "code"): self.sheet.code,
            ("watch", "watch"): self.sheet.watch,
            ("import", "pk"): self.uploads[0].pk,
            ("from-a-file", "pk"): self.uploads[1].pk,
            ("past", "pk"): self.uploads[2].pk,
            ("join", "token"): "i" * 22,
            ("coming", "token"): token_of(self.personal_link),
            ("mine", "token"): token_of(self.personal_link),
            ("stop", "token"): stop_token(self.members[0]),
            ("host", "token"): "0" * 32,
            ("standing", "kind"): "csv",
            ("nights", "pk"): self.night.pk,
            ("members", "pk"): self.members[0].pk,
            ("trophies", "pk"): self.trophy.pk,
            ("awards", "pk"): self.award.pk,
            ("doubts", "pk"): self.doubt.pk,
            ("seasons", "pk"): self.season.pk,
            ("tables", "pk"): self.table.pk,
            ("take-out", "table"): self.brought.pk,
            ("picture", "key"): self.trophy.picture_key,
            ("photos", "key"): self.photo.key,
            ("invitations", "pk"): self.invitation.pk,
            ("words", "word"): self.word.pk,
            ("accounts", "pk"): self.users["member"].pk,
            ("sign-in", "token"): "no link",
            ("nights", "uid"): self.night.uid,
            ("tables", "uid"): self.table.uid,
            ("sheets", "uid"): self.table.uid,
            ("play-offs", "uid"): self.play_off.uid,
        }
        if (noun, name) in at:
            return at[noun, name]
        own = {
            "member": self.members[0].pk, "table": self.table.pk, "season": self.season.pk, "ruling": self.ruling.pk,
        }  # fmt: skip
        assert name in ANYWHERE or name in own, f"Nobody told the full club what stands at <{name}> behind {noun}/."
        return own.get(name) or ANYWHERE[name]

    def more(self, name: str, method: str) -> dict[str, object]:
        """What is asked for or posted at the page of that name, where without it there is nothing to be found."""
        said: dict[tuple[str, str], dict[str, object]] = {
            ("hands", "GET"): {"game": self.sheet.game},
            ("answer_dispute", "POST"): {"answer": "keep"},
            ("members", "POST"): {"do": "add"},
            ("my_nights", "POST"): {"do": "revoke"},
        }
        return said.get((name, method), {})
