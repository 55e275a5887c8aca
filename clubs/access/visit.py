"""Access to a club: whether a browser may see it, and as which member.

An evening without a club (`Club.is_evening`) is a club of one night, without accounts: the phone that opened it is its
host, by a cookie with the token of the host link, and may do there what an organiser may. It has the pages of a night
and of a play-off alone.

A club is usually open by link: a browser that opened the club's link or QR code keeps its key in a cookie. A public
club is open to everybody, a members' club to members who sign in. Everyone else is told to ask for the link or to sign
in (`NotShown`), at an unknown address too. "This is me" is remembered on the phone and gives no right: it highlights a
row. Of a phone that came by the club's link it says for whom the phone answers before a night, unless only members see
the club (`Visit.phone_counts`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db.models import F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from clubs.access.owner_changes import note_visit_of_owner
from clubs.models import Club, Member, PendingUpdate, User
from clubs.models.member import players_of_people
from scoresheets.access.last_opened import note_evening
from scoresheets.log.prepared import PreparedQuery
from scoresheets.models import Sheet

#: The cookie of a club: its key, then who is "me" on this phone (a member's id, or 0).
COOKIE = "club-{}"
#: The cookie of an evening's host: the token of its host link.
HOST_COOKIE = "host-{}"
#: The pages that an evening without a club has, by the names of their addresses.
EVENING_PAGES = frozenset((
    "club", "night", "night_preview", "night_tables", "change_night", "roll_call", "call", "draw_tables",
    "night_rules", "chair", "table_codes", "table_signs", "control", "control_tables", "announce_last", "answer_table",
    "close_night", "plan_play_off", "draw_next", "play_off", "play_off_preview", "play_off_now", "stop_stage",
    "rule_cut", "draw_cards", "rule_hands", "play_off_moves", "change_ruling", "call_off", "match_names",
    "being_counted", "count_again", "share_evening", "take_evening_in", "wall", "wall_now",
))  # fmt: skip
#: Those of them that show that somebody still looks at the evening.
OPENED_PAGES = frozenset(("night", "wall", "play_off", "share_evening"))
#: The pages on which something new of a club begins: an archived one has none of them.
BEGINNING_PAGES = frozenset((
    "plan_night", "draw_tables", "plan_play_off", "draw_next", "bring_in", "add_members", "invite", "join",
    "new_season", "new_trophy", "import_past", "answer_night", "door",
    "add_night_photo", "add_handover_photo",
))  # fmt: skip
#: A browser that says it knows more clubs than that is not believed.
MOST_CLUBS = 50
A_YEAR = 365 * 24 * 60 * 60
Role = Member.Role
#: What each role may do includes what the ones before it may.
RANKS = {Role.GUEST: 0, Role.MEMBER: 1, Role.SCOREKEEPER: 2, Role.ORGANISER: 3}


class NotShown(Http404):
    """The club is not shown to this browser, or there is none: nobody is told which of the two."""


class SignInFirst(PermissionDenied):
    """Somebody who may see the club asks for a page of those who run it, without an account."""


class ClubArchived(PermissionDenied):
    """Something new is to be begun in a club that was archived: it can only be read."""


class EveningMoved(Http404):
    """The evening at this address belongs to a club by now: `to` is the address of the same page there."""

    def __init__(self, to: str) -> None:
        super().__init__(to)
        self.to = to


@dataclass(frozen=True)
class Visit:
    """Somebody at a page of a club. `member` is who is signed in, None without an account or for a stranger."""

    club: Club
    member: Member | None = None
    #: Whether they are the superuser of the site.
    is_owner: bool = False
    #: Whether this phone runs the evening, which has no club.
    hosts: bool = False
    #: The member this phone calls "me", by its cookie: gives no right.
    marked: int = 0
    #: Whether this phone came by the club's link, which still opens it.
    has_key: bool = False
    #: The address of who is signed in, whether or not they belong to the club; "" for nobody.
    account: str = ""
    #: The record their account belongs to, where that was merged with another: `member` is the one that counts.
    record: Member | None = None

    def may(self, role: str) -> bool:
        """Whether they have that role, or one above it."""
        if self.is_owner or self.hosts:
            return True
        return any(RANKS[Role(member.role)] >= RANKS[Role(role)] for member in (self.member, self.record) if member)

    @property
    def organises(self) -> bool:
        return self.may(Role.ORGANISER)

    @property
    def as_owner(self) -> bool:
        """Whether they are here only because they own the site: they do not belong to the club."""
        return self.is_owner and self.member is None

    @property
    def me(self) -> int:
        """The id of the member whose rows are lit: who is signed in, else who this phone says it is; 0 for nobody."""
        return self.member.pk if self.member else self.marked

    @property
    def phone_counts(self) -> bool:
        """Whether this phone answers for whoever it says uses it: a stranger in a public club answers for nobody."""
        return self.has_key and self.club.visibility != Club.Visibility.MEMBERS

    @property
    def way_in(self) -> str:
        """The path that a QR code leads another phone to: with the key of the club for who has it already, else to the
        door, where who arrives for tonight's night checks in.
        """
        has_key = self.club.visibility != Club.Visibility.MEMBERS and (self.has_key or self.member or self.organises)
        return (
            reverse("come_in", args=[self.club.slug, self.club.key])
            if has_key
            else reverse("door", args=[self.club.slug])
        )

    @cached_property
    def players(self) -> set[int]:
        """As which players (ids) "me" sits at tables, so that the name is lit there. One query, or none."""
        return players_of_people([self.me]) if self.me else set()

    @cached_property
    def name(self) -> str:
        """How they are greeted; "" for nobody in particular."""
        if self.member:
            return self.member.name
        marked = Member.objects.current().filter(club=self.club, pk=self.marked).first() if self.marked else None
        return marked.shown if marked else ""


def enter(request: HttpRequest, slug: str, role: str = "") -> Visit:
    """The visit to the club of that address, for a page that asks for `role` (a `Member.Role`; "": a look).

    Raises `NotShown` where the club is not shown to this browser or there is none, `Http404` where it has no such page,
    `SignInFirst` where a page wants an account and there is none, `PermissionDenied` where the account is not enough,
    `ClubArchived` where something new would begin in an archived club. One query, two for who is signed in; and at an
    evening one more.
    """
    club, marked = club_at(request, slug)
    if club.moved_to and knows_evening(request, club):
        raise EveningMoved(request.path.replace(f"/{slug}/", f"/{club.moved_to.slug}/", 1))
    visit = visit_to(request, club, marked)
    if not is_shown(visit):
        raise NotShown
    if club.is_evening and not is_for_evenings(request):
        raise Http404
    if role and not visit.may(role):
        if not is_signed_in(request) and not club.is_evening:
            raise SignInFirst
        raise PermissionDenied
    if club.archived_at and begins_something(request):
        raise ClubArchived
    if visit.as_owner and request.method == "POST":
        note_visit_of_owner(request, club)
    if club.is_evening and request.resolver_match and request.resolver_match.url_name in OPENED_PAGES:
        note_evening(request, Sheet.objects.filter(table__night__club=club))
    return visit


@PreparedQuery
def clubs_at(slug: str, marked: list[int]) -> QuerySet[Club]:
    """The club of that address, with who of the `marked` members (ids) is one of it and how often counting failed."""
    members = Member.objects.filter(club=OuterRef("pk"), pk__in=marked, approved_at__isnull=False)
    person = Subquery(members.annotate(person=Coalesce("same_as", "pk")).values("person")[:1])
    waiting = PendingUpdate.objects.filter(club=OuterRef("pk")).order_by("-failures").values("failures")
    clubs = Club.objects.filter(slug=slug).select_related("moved_to").annotate(most_failures=Subquery(waiting[:1]))
    return clubs.annotate(marked=person) if marked else clubs


def club_at(request: HttpRequest, slug: str) -> tuple[Club, int]:
    """The club of that address, and who the browser's cookie says is "me" there: the record of them that counts.

    Where there is none it is a members' club without members (id 0): the same is asked of the database as for one that
    is not shown, so that the time an answer takes tells nobody which of the two it is. One query.
    """
    clubs = clubs_at(slug=slug, marked=marked_in(request))
    club = clubs[0] if clubs else Club(pk=0, visibility=Club.Visibility.MEMBERS)
    return club, (vars(club).get("marked") or 0) if cookie_of(request, club)[1] else 0


@PreparedQuery
def records_of_account(user: int, club: int) -> QuerySet[Member]:
    """The records by which the account belongs to the club, before all others the one that counts."""
    records = Member.objects.of_account(user).filter(club=club).select_related("same_as")
    return records.order_by(F("same_as").asc(nulls_first=True))


def visit_to(request: HttpRequest, club: Club, marked: int | None = None) -> Visit:
    """As whom this browser comes to the club, whether or not it is shown to it.

    `marked` is whom its cookie calls "me", where that was understood already.
    """
    key, number = cookie_of(request, club)
    marked = number if marked is None else marked
    user, hosts = account_of(request), is_host(request, club)
    if user is None:
        return Visit(club, hosts=hosts, marked=marked, has_key=key == club.key)
    record = next(iter(records_of_account(user=user.pk, club=club.pk)), None)
    member = record.main_record if record else None
    return Visit(
        club, member, is_owner=user.is_superuser, hosts=hosts, marked=marked, account=user.email or user.get_username(),
        record=record if record != member else None, has_key=key == club.key,
    )  # fmt: skip


def is_shown(visit: Visit) -> bool:
    """Whether the club lets this browser in."""
    club = visit.club
    if not club.pk:
        return False
    if visit.is_owner or visit.hosts or visit.member is not None:
        return True
    if club.archived_at is not None or club.visibility == Club.Visibility.MEMBERS:
        return False
    return club.visibility == Club.Visibility.PUBLIC or visit.has_key


def is_for_evenings(request: HttpRequest) -> bool:
    """Whether the page that is asked for is one that an evening without a club has."""
    return request.resolver_match is not None and request.resolver_match.url_name in EVENING_PAGES


def begins_something(request: HttpRequest) -> bool:
    """Whether something new of a club begins on the page that is asked for."""
    return request.resolver_match is not None and request.resolver_match.url_name in BEGINNING_PAGES


def account_of(request: HttpRequest) -> User | None:
    """Who is signed in; no session is touched where the browser has no cookie of one."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES or not hasattr(request, "user"):
        return None
    return request.user if request.user.is_authenticated else None


def require_account(request: HttpRequest) -> User:
    """Who is signed in. Raises `SignInFirst`."""
    user = account_of(request)
    if user is None:
        raise SignInFirst
    return user


def require_owner(request: HttpRequest) -> User:
    """The owner of the site who is signed in. Raises `SignInFirst`, and `Http404` for all others."""
    user = require_account(request)
    if not user.is_superuser:
        raise Http404
    return user


def is_signed_in(request: HttpRequest) -> bool:
    """Whether the browser has an account here."""
    return account_of(request) is not None


# What a phone remembers


def cookie_of(request: HttpRequest, club: Club) -> tuple[str, int]:
    """The key this browser came in by, and who it says is "me"; ("", 0) where it never came."""
    value = request.COOKIES.get(COOKIE.format(club.pk), "")
    return value.partition(".")[0], marked_by(value)


def marked_in(request: HttpRequest) -> list[int]:
    """Whom this browser calls "me" in any club: members (ids), as it says."""
    values = [value for name, value in request.COOKIES.items() if name.startswith(COOKIE.format(""))]
    return [number for value in values[:MOST_CLUBS] if (number := marked_by(value))]


def marked_by(value: str) -> int:
    """The member (id) that the cookie of a club names; 0 for nobody."""
    marked = value.partition(".")[2]
    return int(marked) if marked.isascii() and marked.isdecimal() and len(marked) < 10 else 0


def give_key(request: HttpRequest, response: HttpResponseBase, club: Club, *, key: str, marked: int) -> None:
    """Let the browser remember that it came in by `key`, and who uses it (0: nobody in particular)."""
    response.set_cookie(
        COOKIE.format(club.pk), f"{key}.{marked}", max_age=A_YEAR, path="/", httponly=True, samesite="Lax",
        secure=request.is_secure(),
    )  # fmt: skip


# The host of an evening


def host_token(club: Club) -> str:
    """The token of the host link: 128 bits, made from the secret of the site. Another `key` makes another token."""
    mac = salted_hmac("host of an evening", f"{club.pk} {club.key}", algorithm="sha256")
    return mac.hexdigest()[:32]


def knows_evening(request: HttpRequest, club: Club) -> bool:
    """Whether this browser could see the evening before a club took it in."""
    return cookie_of(request, club)[0] == club.key or is_host(request, club)


def is_host(request: HttpRequest, club: Club) -> bool:
    """Whether this browser runs the evening, by its cookie."""
    if not club.is_evening:
        return False
    return constant_time_compare(request.COOKIES.get(HOST_COOKIE.format(club.pk), ""), host_token(club))


def give_host_right(request: HttpRequest, response: HttpResponseBase, club: Club) -> None:
    """Let the browser run the evening from now on."""
    response.set_cookie(
        HOST_COOKIE.format(club.pk), host_token(club), max_age=A_YEAR, path="/", httponly=True, samesite="Lax",
        secure=request.is_secure(),
    )  # fmt: skip
