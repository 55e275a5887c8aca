"""Opening a sheet: who sits where, who deals first, how many hands, by which house rules."""

from __future__ import annotations

import datetime
import hashlib
import hmac
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from rules import find_game
from rules.core.decides import ALL, Decides
from rules.core.problems import Problem
from rules.core.registry import UnknownGame
from scoresheets.answers import Refused
from scoresheets.ink import BAD_KEY, Change, commit, digest_of, is_key
from scoresheets.models import Keeper, Player, Seat, Sheet, Write
from scoresheets.names import clean_name, clean_text, same_name
from scoresheets.reading import SET_UP, SheetReading, read_sheet
from scoresheets.sharing import hashed
from scoresheets.sweeping import sweep

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from django.contrib.auth.models import AbstractBaseUser

    from rules.core.game import Game

#: How the first dealer was found, beside the way the game says.
FOUND = ("champion", "chosen")
LONGEST_TITLE = 80
MOST_COMING = 10
MOST_KNOWN = 60
AN_HOUR = datetime.timedelta(hours=1)
#: Swept while a sheet is opened, so that a site nobody looks after stays clean: never long enough to be noticed.
SWEPT_ON_THE_WAY = 5


@dataclass(frozen=True)
class Somebody:
    """Who is to sit down: by a name that was typed, or `player`, who was picked (his id)."""

    name: str
    player: int | None = None


@dataclass(frozen=True)
class SetUp:
    """A table as somebody wants to open it. `players` clockwise; `first_dealer` is the index of one of them.

    `found`: `champion`, `chosen`, or what the game says of it (`first_dealer_by`). `plan` and `house_rules` as the game
    takes them.
    """

    game: str
    players: Sequence[Somebody]
    first_dealer: int = 0
    found: str = "chosen"
    plan: Mapping[str, int] = field(default_factory=dict)
    house_rules: Mapping[str, int | str | bool | None] = field(default_factory=dict)
    coming: Sequence[str] = ()
    title: str = ""
    club_name: str = ""
    quiet: bool = False
    #: What the end of the sheet is for; `start` by seats, which are counted from 1 in the order of `players`.
    decides: Decides = ALL


@dataclass(frozen=True)
class Opened:
    """A sheet that was opened, or had been by the same tap; `keeper` is who may write on it."""

    sheet: Sheet
    keeper: Keeper
    again: bool = False


@dataclass(frozen=True)
class Checked:
    """A set-up with clean names, and everything that is wrong or unwise about it."""

    names: tuple[str, ...]
    coming: tuple[str, ...]
    title: str
    club_name: str
    problems: tuple[Problem, ...]

    @property
    def blocking(self) -> bool:
        return any(problem.blocking for problem in self.problems)


def open_sheet(
    set_up: SetUp, *, browser: str, key: str, user: AbstractBaseUser | None = None, address: str = "",
    keeper_name: str = "", sure: bool = False, house: Collection[int] = (),
) -> Opened | Refused:  # fmt: skip
    """Open a sheet for the browser (`sharing.hashed` of its pencil), which may write on it from then on.

    `user` is the account, None without one; `address` is where the request came from, which is only counted
    for openings without an account. `house` are players (ids) who may be picked though this browser never saw
    them. `key` as for every write: the same key from the same browser finds the same sheet. Codes: those of
    `check_set_up`, `sign-in-first`, `too-many-sheets`, `bad-key`.
    """
    if not browser or not is_key(key):
        return Refused((BAD_KEY,))
    checked = check_set_up(set_up)
    if checked.blocking or (checked.problems and not sure):
        return Refused(checked.problems)
    opening, opened_from = hashed(f"{browser} {key}"), "" if user else origin(address)
    try:
        with transaction.atomic():
            known = opened_before(opening)
            if known:
                return known
            refused = may_not_open(opened_from, signed_in=user is not None)
            if refused:
                return Refused((refused,))
            sweep(most=SWEPT_ON_THE_WAY)
            now = timezone.now()
            sheet = Sheet.objects.create(
                game=set_up.game, title=checked.title, club_name=checked.club_name, quiet=set_up.quiet,
                coming=list(checked.coming), opened_at=now, opened_from=opened_from, opening=opening,
            )  # fmt: skip
            seat_players(sheet, checked.names, [person.player for person in set_up.players], browser, user, house)
            keeper = Keeper.objects.create(
                sheet=sheet,
                name=cleaned_or_blank(keeper_name),
                browser=browser,
                user_id=user.pk if user else None,
                created=now,
            )
            seats = list(range(1, len(checked.names) + 1))
            data = set_up_data(seats, seats[set_up.first_dealer], set_up, checked.title)
            change = Change(Write.Verb.OPEN, {SET_UP: data})
            commit(SheetReading(sheet, 0, {}, {}), change, key=key, digest=digest_of("open", data), by=keeper)
    except IntegrityError:
        # The same tap twice at the same moment: the other one was first.
        known = opened_before(opening)
        if known is None:
            raise
        return known
    return Opened(sheet, keeper)


def opened_before(opening: str) -> Opened | None:
    """The sheet that the same tap has opened already."""
    known = Sheet.objects.filter(opening=opening).first()
    return Opened(known, known.keepers.order_by("pk")[0], again=True) if known else None


def set_up_data(seats: list[int], first_dealer: int, set_up: SetUp, title: str) -> dict[str, object]:
    """The set-up as it stands on the sheet."""
    return {
        "seats": seats,
        "first_dealer": first_dealer,
        "found": set_up.found,
        "plan": dict(set_up.plan),
        "house_rules": dict(set_up.house_rules),
        "title": title,
    } | ({"decides": set_up.decides.as_data()} if set_up.decides != ALL else {})


# Whether it can be opened like that


def check_set_up(set_up: SetUp) -> Checked:
    """Clean names and every problem, those of the form first: so that the page can show them before anything is sent.

    Codes: those of `names`, `bad-game`, `duplicate-player`, `bad-first-dealer`, and those of the game
    (`bad-players`, `bad-peak`, `bad-plan`, `bad-house-rule` …; `few-players` and the like are only unwise).
    """
    problems: list[Problem] = []
    names = clean_names([person.name for person in set_up.players], "player", problems)
    coming = clean_names(set_up.coming[:MOST_COMING], "coming", problems, beside=names)
    title = kept_text(set_up.title, "title", problems)
    club_name = kept_text(set_up.club_name, "club_name", problems)
    if not is_index(set_up.first_dealer, len(names)):
        problems.append(Problem("bad-first-dealer", "Who deals first?", "first_dealer"))
    try:
        game = find_game(set_up.game)
    except UnknownGame:
        problems.append(Problem("bad-game", "Nobody here knows that game.", "game"))
    else:
        if set_up.found not in (*FOUND, game.first_dealer_by.found):
            problems.append(Problem("not-a-choice", "That is not one of the choices here.", "found"))
        problems += problems_of_game(game, set_up)
    return Checked(tuple(names), tuple(coming), title, club_name, tuple(problems))


def problems_of_game(game: Game, set_up: SetUp) -> list[Problem]:
    """What the game itself says about the set-up, as far as it can be asked."""
    shapes = [
        Problem("bad-plan", "That is not a number of hands or cards.", str(name)[:LONGEST_TITLE])
        for name, value in set_up.plan.items()
        if name not in ("peak", "extra_rounds", "hands") or not isinstance(value, int) or isinstance(value, bool)
    ]
    if "hands" in set_up.plan and len(set_up.plan) > 1:
        shapes.append(Problem("bad-plan", "Choose the most cards or the number of hands, not both.", "hands"))
    if set_up.plan and not game.plan_choices(game.made_for[0], {}):
        # A sheet file of such a game has no place for it.
        shapes.append(Problem("bad-plan", f"How many hands {game.name} has shows at the table.", "plan"))
    if not all(isinstance(name, str) for name in set_up.house_rules):
        shapes.append(Problem("bad-house-rule", "There is no such house rule.", "house_rules"))
    seats = range(1, len(set_up.players) + 1)
    if shapes:
        return shapes
    return list(game.setup_problems(seats, set_up.plan, set_up.house_rules))


def clean_names(
    typed: Sequence[str], form_field: str, problems: list[Problem], *, beside: Sequence[str] = ()
) -> list[str]:
    """The names cleaned; what is wrong with each goes to `problems`, at the field `<form_field>-<place>` from 1 on."""
    names = []
    taken = {same_name(name) for name in beside}
    for place, value in enumerate(typed, 1):
        name = clean_name(value, field=f"{form_field}-{place}")
        if isinstance(name, Problem):
            problems.append(name)
            names.append("")
            continue
        if same_name(name) in taken:
            sentence = f"There is a second {name} here: add an initial."
            problems.append(Problem("duplicate-player", sentence, f"{form_field}-{place}", params={"name": name}))
        taken.add(same_name(name))
        names.append(name)
    return names


def kept_text(value: str, form_field: str, problems: list[Problem]) -> str:
    text = clean_text(value, LONGEST_TITLE, field=form_field)
    if isinstance(text, Problem):
        problems.append(text)
        return ""
    return text


def cleaned_or_blank(name: str) -> str:
    cleaned = clean_name(name)
    return "" if isinstance(cleaned, Problem) else cleaned


def is_index(value: object, length: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < length


# Who may open one


def origin(address: str) -> str:
    """Where a request came from, told apart but not told: a hash with the site's own key."""
    return hmac.new(settings.SECRET_KEY.encode(), f"opened from {address}".encode(), hashlib.sha256).hexdigest()


def may_not_open(opened_from: str, *, signed_in: bool) -> Problem | None:
    """Why no sheet can be opened now, or None. Codes: `sign-in-first` (403), `too-many-sheets` (429)."""
    if signed_in:
        return None
    if not settings.OPEN_SHEETS_WITHOUT_ACCOUNT:
        return Problem("sign-in-first", "On this site a sheet is opened by members. Sign in first.")
    lately = Sheet.objects.filter(opened_from=opened_from, opened_at__gt=timezone.now() - AN_HOUR).count()
    if lately >= settings.OPEN_SHEETS_PER_HOUR:
        return Problem("too-many-sheets", "Many sheets have been opened from here in the last hour. Wait a little.")
    return None


# Who is known here


def known_players(browser: str, user: AbstractBaseUser | None = None, *, most: int = MOST_KNOWN) -> list[Player]:
    """Who has played on sheets of this browser or account, the latest first. Never a stranger. One query."""
    kept = Keeper.objects.filter(revoked_at__isnull=True)
    kept = kept.filter(browser=browser) if browser else kept.none()
    if user is not None:
        kept = kept | Keeper.objects.filter(revoked_at__isnull=True, user_id=user.pk)
    return list(
        Player.objects.filter(seats__sheet__keepers__in=kept)
        .annotate(last_seated=Max("seats__sheet__opened_at"))
        .order_by("-last_seated", "pk")[:most]
    )


def last_table(browser: str) -> SheetReading | None:
    """The latest sheet of this browser, for "same as last time" and "same players again"."""
    sheet = Sheet.objects.kept_by(browser).first()
    return read_sheet(sheet) if sheet else None


def seat_players(
    sheet: Sheet, names: Sequence[str], picked: Sequence[int | None], browser: str, user: AbstractBaseUser | None,
    house: Collection[int] = (),
) -> None:  # fmt: skip
    """Seat everybody: who was picked as the player he is, everyone else as a new one.

    Only somebody this browser or the `house` knows can be picked; an id of anybody else counts as a typed name.
    """
    wanted = {pk for pk in picked if isinstance(pk, int) and not isinstance(pk, bool)}
    known = {player.pk: player for player in known_players(browser, user)} if wanted else {}
    known |= Player.objects.in_bulk(wanted.intersection(house) - known.keys())
    players: list[Player] = []
    for name, pk in zip(names, picked, strict=True):
        player = known.pop(pk, None) if pk is not None else None
        players.append(player or Player(name=name))
    Player.objects.bulk_create([player for player in players if player.pk is None])
    Seat.objects.bulk_create(
        Seat(sheet=sheet, number=number, player=player, name=player.own_name(name))
        for number, (player, name) in enumerate(zip(players, names, strict=True), 1)
    )
    if any(player.shown_as for player in players):
        sheet.veils = 1
        sheet.save(update_fields=["veils"])
