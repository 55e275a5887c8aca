"""Tables at every moment of a game, the addresses of the site, the forms its pages show, and what the database has."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

from django.apps import apps
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve

from clubs.models import BrowserSession
from rules import all_games
from rules.core.fields import Ask
from rules.core.game import Game
from scoresheets.access.scorekeepers import BROWSER_COOKIE, hashed, make_link
from scoresheets.commands import enter
from scoresheets.corrections.setup import SetupCorrection, correct_setup
from scoresheets.models import Sheet
from scoresheets.paper.carry_over import carry
from tests.factories import ScorekeeperFactory, Scorer, new_key, scorer, sure_of
from tests.rules.dice import whole_hand
from tests.scoresheets.people import arrive, leave, substitute

#: The secrets in the cookies of three phones; the fourth has none.
HELD, CUT_OFF, NEIGHBOUR = "the-phone-at-the-table", "cut-off-from-the-table", "phone-at-another-table"

# The moments of a game


def before_the_first_hand(**more: Any) -> Scorer:
    return scorer(4, **more)


def in_bidding(**more: Any) -> Scorer:
    p = scorer(4, **more)
    p.any_hand()
    sure_of(p.bid(3, 1))
    return p


def in_tricks(**more: Any) -> Scorer:
    p = scorer(["<b>Zoë</b>", "Bo " + "M" * 37, "شيماء", "Di"], **more)
    p.clear_hand()
    p.bids(dict.fromkeys(range(1, 5), 0))
    return p


def in_a_blind_hand(**more: Any) -> Scorer:
    p = scorer(5, **more, plan={"hands": 1})
    p.hand({2: 1, 3: 1, 4: 0, 5: 0, 1: 0}, {2: 1, 3: 0, 4: 0, 5: 0, 1: 0})
    return p


def at_a_draw(**more: Any) -> Scorer:
    p = scorer(5, **more, plan={"hands": 1})
    p.hand({2: 1, 3: 1, 4: 1, 5: 0, 1: 0}, {2: 1, 3: 0, 4: 0, 5: 0, 1: 0})
    return p


def finished(**more: Any) -> Scorer:
    p = scorer(3, **more)
    p.clear_game()
    return p


def stopped(**more: Any) -> Scorer:
    p = scorer(4, **more)
    p.clear_hand()
    sure_of(enter.stop(p.sheet, 2, key=new_key(), by=p.by))
    return p


def after_a_misdeal(**more: Any) -> Scorer:
    p = scorer(10, **more)
    sure_of(p.bid(2, 0))
    sure_of(enter.misdeal(p.sheet, 1, 1, key=new_key(), by=p.by))
    sure_of(enter.note(p.sheet, 1, text="Gus sat on the cards", key=new_key(), by=p.by))
    return p


def people_come_and_go(**more: Any) -> Scorer:
    p = scorer(["Ann", "Bo", "Cy", "<i>Di</i>"], **more)
    p.clear_hand()
    sure_of(substitute(p, 2, "Gil"))
    sure_of(arrive(p, "Joe " + "W" * 36))
    sure_of(p.bid(p.reading.sheet.open.missing.seat, 0))
    sure_of(leave(p, 3, after=True))
    return p


def something_lost_its_place(**more: Any) -> Scorer:
    p = scorer(4, **more)
    for _ in range(3):
        p.clear_hand()
    mended = SetupCorrection({(0, "sits-1"): "Anna"}, plan={"peak": 1})
    sure_of(correct_setup(p.sheet, mended, saw={}, digest=None, key=new_key(), by=p.by))
    return p


def totals_brought_along(**more: Any) -> Scorer:
    p = scorer(3, **more)
    step = {"hands": 1, "last_dealer": 1, "total-1": -7, "total-2": 3, "total-3": 3}
    sure_of(carry(p.sheet, step, saw=None, key=new_key(), by=p.by))
    p.any_hand()
    return p


def begun(game: Game) -> Callable[..., Scorer]:
    """The moment of any game in which a hand is behind the table and half of what the next one asks is written."""

    def moment(**more: Any) -> Scorer:
        p = scorer(game=game.slug, **more)
        p.any_hand()
        hand = p.reading.sheet.open.hand
        steps = whole_hand(random.Random(2), game, p.reading.sheet.table, hand)
        for ask, step in list(steps.items())[: len(steps) // 2]:
            p.enter_step(hand.number, ask, step)
        return p

    moment.__name__ = f"begun_{game.slug}"
    return moment


def over(game: Game) -> Callable[..., Scorer]:
    """The moment in which any game has come to its end."""

    def moment(**more: Any) -> Scorer:
        p = scorer(game=game.slug, **more)
        for seed in range(60):
            if p.reading.sheet.open is None:
                break
            p.any_hand(seed)
        p.settle()
        return p

    moment.__name__ = f"over_{game.slug}"
    return moment


MOMENTS: list[Callable[..., Scorer]] = [
    before_the_first_hand, in_bidding, in_tricks, in_a_blind_hand, at_a_draw, finished, stopped, after_a_misdeal,
    people_come_and_go, something_lost_its_place, totals_brought_along,
    *(moment(game) for game in all_games() for moment in (begun, over)),
]  # fmt: skip


# The evening


def phone(secret: str = HELD, **more: Any) -> Client:
    """A phone with this secret in its cookie; with none where it is empty."""
    client = Client(**more)
    if secret:
        client.cookies[BROWSER_COOKIE] = secret
    return client


@dataclass
class Form:
    """A form as a page shows it, with one of its buttons pressed."""

    action: str
    method: str
    fields: list[tuple[str, str]]

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.fields]

    @property
    def kind(self) -> tuple[object, ...]:
        """What it has in common with the same form on another page."""
        new = ("key", "csrfmiddlewaretoken")
        return self.action, *((name, "" if name in new else value) for name, value in self.fields)


class Evening:
    """One table somebody throws things at, and another one beside it that they must not reach."""

    def __init__(self, moment: Callable[..., Scorer]) -> None:
        self.scorer = moment(browser=hashed(HELD))
        self.other = in_bidding(browser=hashed(NEIGHBOUR))
        ScorekeeperFactory(
            sheet=self.scorer.sheet, name="Marge", browser=hashed(CUT_OFF), revoked_at=self.other.by.created
        )
        good, used_up = make_link(self.scorer.sheet, by=self.scorer.by), make_link(self.other.sheet, by=None)
        self.other.sheet.links.update(revoked_at=self.other.by.created)
        self.links = [good, used_up]
        self.forms: list[Form] = []
        self.pages: list[str] = []

    @property
    def sheet(self) -> Sheet:
        return self.scorer.sheet

    @property
    def asked(self) -> list[Ask]:
        """What the game asks for in a hand like the one that is open, or was the first."""
        sheet = self.scorer.reading.sheet
        if sheet.open:
            return list(sheet.game.asks(sheet.table, sheet.open.hand))
        row = sheet.rows[0]
        return list(sheet.game.asks(row.table, row.hand))

    def right(self, name: str, kind: str) -> list[str]:
        """What can stand at this place of an address and lead somewhere: an unknown place may be any of it."""
        known = {
            "code": [self.sheet.code, self.sheet.code, self.sheet.code, self.other.sheet.code, self.sheet.watch],
            "watch": [self.sheet.watch, self.sheet.watch, self.other.sheet.watch, self.sheet.code],
            "token": self.links,
            "slug": [self.sheet.game, "dirty-dog", "table", "1"],
            "hand": ["1", "2", "0", "3", "tie-1", "draw-1"],
            "part": ["open", "1", "2", "3", "carried", "tie-1", "draw-1"],
            "version": ["3", "2", "1", "4", "12", "99"],
            "kind": ["arrive", "leave", "substitute", "reseat"],
        }
        if name in known and (kind != "int" or name in ("hand", "version")):
            return [value for value in known[name] if kind != "int" or value.isdecimal()]
        return ["1", "2", "3", "4", "0", "99"] if kind == "int" else [*known["code"], *self.links, *known["hand"]]

    def look_round(self, *, everywhere: bool = False) -> None:
        """Open every page as the scorekeeper, and everything they lead to; keep the forms that are there.

        Pages of clubs and accounts say the same on every evening: they are opened only where it is `everywhere`.
        """
        self.forms, self.pages = [], []
        seen_routes = [route for route in routes() if everywhere or not route.startswith(OF_CLUBS)]
        to_see = [address_of(route, self.first) for route in seen_routes]
        for depth in range(2):
            found: list[str] = []
            for address in dict.fromkeys(to_see):
                if address in self.pages:
                    continue
                self.pages.append(address)
                seen = self.forms_at(address)
                found += seen.links if depth == 0 else []
            to_see = some_of_each(found)
        self.forms = list({form.kind: form for form in self.forms}.values())

    def forms_at(self, address: str) -> Seen:
        """What one page shows; its forms are kept."""
        response = phone().get(address, follow=True)
        here = response.request["PATH_INFO"]
        seen = Seen(response.content.decode(), here) if is_html(response) else Seen("", here)
        self.forms += [form for form in seen.forms if form.method == "post"]
        return seen

    def first(self, name: str, kind: str) -> str:
        return self.right(name, kind)[0]


def some_of_each(addresses: list[str]) -> list[str]:
    """The first and the last addresses that lead to each kind of page: every write of an evening has one of its own."""
    alike: dict[str, list[str]] = {}
    for address in dict.fromkeys(addresses):
        with suppress(Resolver404):
            alike.setdefault(resolve(address.partition("?")[0]).route, []).append(address)
    return [address for some in alike.values() for address in dict.fromkeys([*some[:4], *some[-4:]])]


#: How addresses begin that need a club or an account; there is none on these evenings.
OF_CLUBS = ("/account/", "/calendar/", "/clubs/", "/coming/", "/join/", "/notices/", "/owner/")
PLACE = re.compile(r"<(?:(?P<kind>\w+):)?(?P<name>\w+)>")


def routes(resolver: URLResolver | None = None, before: str = "/") -> list[str]:
    """Every address of the site as the resolver knows it, such as `/sheets/<str:code>/pad/`."""
    found: list[str] = []
    for pattern in (resolver or get_resolver()).url_patterns:
        here = before + str(pattern.pattern)
        found += routes(pattern, here) if isinstance(pattern, URLResolver) else [here]
        assert isinstance(pattern, URLPattern | URLResolver)
    return found


def address_of(route: str, fill: Callable[[str, str], str]) -> str:
    """The route with something at each of its places."""
    return PLACE.sub(lambda place: fill(place["name"], place["kind"] or "str"), route)


def is_html(response: HttpResponse) -> bool:
    return response.headers.get("Content-Type", "").startswith("text/html")


@dataclass
class Tag:
    """A form that is still being read."""

    action: str
    method: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    buttons: list[tuple[str, str, str]] = field(default_factory=list)


class Seen(HTMLParser):
    """The forms of a page, once for each button, and its links. `said` is the text a reader sees."""

    def __init__(self, page: str, here: str) -> None:
        super().__init__()
        self.here, self.links, self.said = here, [], []
        self.silent = ""
        self.open: Tag | None = None
        self.by_id: dict[str, Tag] = {}
        self.tags: list[Tag] = []
        self.select: tuple[str, Tag | None] = ("", None)
        self.feed(page)
        self.text = " ".join("".join(self.said).split())
        self.forms = [
            Form(button[0] or tag.action, tag.method, tag.fields + ([button[1:]] if button[1] else []))
            for tag in self.tags
            for button in (tag.buttons or [("", "", "")])
        ]

    def at(self, address: str) -> str:
        there = urlsplit(urljoin(self.here, address))
        return "" if there.netloc else there.path + (f"?{there.query}" if there.query else "")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        owner = self.by_id.get(said["form"]) if "form" in said else self.open
        if tag in ("script", "style", "template"):
            self.silent = tag
        elif tag == "a" and self.at(said.get("href", "")):
            self.links.append(self.at(said["href"]))
        elif tag == "form":
            self.open = Tag(self.at(said.get("action", "")), said.get("method", "get").lower())
            self.tags.append(self.open)
            self.by_id[said.get("id", "")] = self.open
        elif tag == "select":
            self.select = (said.get("name", ""), owner)
        elif owner is None and not self.select[1]:
            return
        elif tag == "button" and owner:
            action = self.at(said["formaction"]) if "formaction" in said else ""
            owner.buttons.append((action, said.get("name", ""), said.get("value", "")))
        elif tag in ("input", "textarea") and owner and said.get("name"):
            self.fill_in(owner, said)
        elif tag == "option" and self.select[1]:
            self.select[1].fields.append((self.select[0], said.get("value", "")))
            self.select = ("", None)

    @staticmethod
    def fill_in(owner: Tag, said: dict[str, str]) -> None:
        """What is in the field. Of radio buttons one is pressed; a box without a tick says nothing."""
        kind, name, value = said.get("type"), said["name"], said.get("value", "")
        others = [other for other, _ in owner.fields]
        if kind == "radio" and name in others:
            if "checked" in said:
                owner.fields[others.index(name)] = (name, value)
        elif kind != "checkbox" or "checked" in said:
            owner.fields.append((name, value))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.open = None
        if tag == self.silent:
            self.silent = ""

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.said.append(data)


# What the database has

Rows = dict[str, Counter]


def everything() -> Rows:
    """Every row of every table of the card table, and how many sessions there are."""
    tables = {model.__name__: Counter(map(repr, model._base_manager.values_list())) for model in models()}
    return tables | {"Session": Counter({"": BrowserSession.objects.count()})}


def models() -> Iterator[Any]:
    yield from apps.get_app_config("scoresheets").get_models()


#: Statements that write nothing, and the table of one that writes.
READS = re.compile(r"(?:SELECT|SAVEPOINT|RELEASE|ROLLBACK)\b")
WRITES = re.compile(r'(?:INSERT INTO|UPDATE|DELETE FROM) "(\w+)"')
#: What is remembered for a while only.
CACHE = "clubs_cache"


class Writes:
    """A wrapper of statements that notes whether one may have written what `everything` reads.

    To read all rows takes longer than most answers: where nothing was written they are as they were.
    """

    def __init__(self) -> None:
        self.any = False

    def __call__(self, execute: Callable[..., Any], sql: str, *more: Any) -> Any:
        self.any = self.any or may_write(sql)
        return execute(sql, *more)


def may_write(sql: str) -> bool:
    """Whether the statement may write into a table that counts; what is not understood may.

    >>> may_write('SELECT 1'), may_write('UPDATE "clubs_cache" SET'), may_write('UPDATE "clubs_club" SET')
    (False, False, True)
    """
    written = WRITES.match(sql)
    return not READS.match(sql) and not (written and written[1] == CACHE)


def take_back(savepoint: str) -> None:
    """Take back what was done since, and release it: PostgreSQL stops writing under some ten thousand open ones."""
    transaction.savepoint_rollback(savepoint)
    transaction.savepoint_commit(savepoint)


def versions() -> dict[int, int]:
    return dict(Sheet.objects.values_list("pk", "version"))


def difference(before: Rows, after: Rows) -> str:
    """Which rows went and came, for whoever reads a test that failed."""
    told = [
        f"{name}: {sign} {row[:300]}"
        for name in after
        for sign, rows in (("−", before[name] - after[name]), ("+", after[name] - before[name]))
        for row in rows
    ]
    return "\n".join(told)


def quoted(text: str | bytes) -> str:
    """Text or bytes as they stand in an address or a form, every sign that means something there in percents."""
    return quote(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text, safe="")
