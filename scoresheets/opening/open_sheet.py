"""Opening a sheet: seats, first dealer, number of hands, house rules."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from rules import UnknownGame, find_game
from rules.core.files.schema import Whole, fits
from rules.core.game import Game
from rules.core.problems import Problem
from rules.core.stakes import ALL, Decides
from scoresheets.access.network import network_hash
from scoresheets.access.scorekeepers import hashed
from scoresheets.access.throttle import OPEN_SHEET, count_action, seconds_to_wait
from scoresheets.log.answers import Refused
from scoresheets.log.append import BAD_KEY, First, begin, digest_of, is_key
from scoresheets.log.limits import is_too_long, too_many_hands
from scoresheets.log.occupants import NO_WISH, Wish
from scoresheets.log.prepared import add_rows
from scoresheets.log.state import SET_UP
from scoresheets.log.text import clean_name, clean_text, same_name
from scoresheets.models import Player, Scorekeeper, Seat, Sheet
from scoresheets.models.sheet import new_token
from scoresheets.opening.sweep import sweep

#: How the first dealer was found, beside the way the game says.
FOUND = ("champion", "chosen")
LONGEST_TITLE = 80
MOST_COMING = 10
MOST_KNOWN = 60
#: Swept while a sheet is opened, so that a site nobody looks after stays clean: never long enough to be noticed.
SWEPT_ON_THE_WAY = 5
NEEDS_ACCOUNT = Problem("sign-in-first", "On this site a sheet is opened by members. Sign in first.")
BAD_CODE = Problem("bad-code", "This page is too old. Reload it.")
CODE_USED = Problem("code-used", "Another sheet already has this address.")


@dataclass(frozen=True)
class Somebody:
    """Who is to sit down: by a name that was typed, or `player`, who was picked (their id).

    `is_stranger`: they are none of those whose names are like it. `wish`: by what their club knows them.
    """

    name: str
    player: int | None = None
    is_stranger: bool = False
    wish: Wish = NO_WISH


@dataclass(frozen=True)
class SetUp:
    """A table as somebody wants to open it. `players` clockwise; `first_dealer` is the index of one of them.

    `dealer_by`: `champion`, `chosen`, or what the game says of it (`first_dealer_by`). `plan` and `house_rules` as
    the game takes them.
    """

    game: str
    players: Sequence[Somebody]
    first_dealer: int = 0
    dealer_by: str = "chosen"
    plan: Mapping[str, int] = field(default_factory=dict)
    house_rules: Mapping[str, int | str | bool | None] = field(default_factory=dict)
    coming: Sequence[str] = ()
    title: str = ""
    club_name: str = ""
    quiet: bool = False
    #: The path of the page its table belongs to; and whether its watchers have to belong there too.
    home: str = ""
    members_only: bool = False
    #: What the end of the sheet is for; `start` by seats, which are counted from 1 in the order of `players`.
    decides: Decides = ALL
    #: The code that a phone has drawn for it without network (`is_token`); "": the site draws one.
    code: str = ""


@dataclass(frozen=True)
class Opened:
    """A sheet that was opened, or had been by the same tap; `keeper` is who may write on it."""

    sheet: Sheet
    keeper: Scorekeeper
    again: bool = False


@dataclass(frozen=True)
class NoneOpened:
    """Why no sheet was opened: what stands against the set-up at that place, counted from 0."""

    at: int
    refused: Refused


@dataclass(frozen=True)
class Opener:
    """Who opens sheets, as `open_sheet` says it. `network` is the hash they are counted by.

    `is_counted`: whether it is asked if they may, and counted; not so where that was decided by a right of their own.
    """

    browser: str
    key: str
    user: AbstractBaseUser | None = None
    network: str = ""
    keeper_name: str = ""
    candidates: Collection[int] = ()
    is_counted: bool = True

    def opening(self, at: int) -> str:
        """By which the sheet at that place, counted from 0, is known when the same tap comes again."""
        return hashed(f"{self.browser} {self.key}{f' {at}' if at else ''}")


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
    keeper_name: str = "", sure: bool = False, candidates: Collection[int] = (), code: str = "",
) -> Opened | Refused:  # fmt: skip
    """Open a sheet for the browser (`scorekeepers.hashed` of its secret), which may write on it from then on.

    `user` is the account, None without one; `address` is where the request came from, which is only counted
    for openings without an account. `candidates` are players (ids) who may be picked though this browser never saw
    them. `key` as for every write: the same key from the same browser finds the same sheet. `code` is the address that
    a phone has drawn for it. Codes: those of `check_set_up`, `sign-in-first`, `too-many-sheets`, `bad-key`,
    `code-used`.
    """
    by = Opener(browser, key, user, network_hash(address), keeper_name, candidates)
    answer = open_sheets([replace(set_up, code=code) if code else set_up], by, sure=sure)
    return answer[0] if isinstance(answer, list) else answer.refused


def open_sheets(set_ups: Sequence[SetUp], by: Opener, *, sure: bool = False) -> list[Opened] | NoneOpened:
    """Open a sheet for each of several tables, all of them or none, in as many queries as one: as `open_sheet` does.

    The same tap again finds the same sheets. `NoneOpened` says which of them could not be opened, and why.
    """
    if not by.browser or not is_key(by.key):
        return NoneOpened(0, Refused((BAD_KEY,)))
    checked = [check_set_up(set_up) for set_up in set_ups]
    for at, set_up_checked in enumerate(checked):
        if set_up_checked.blocking or (set_up_checked.problems and not sure):
            return NoneOpened(at, Refused(set_up_checked.problems))
    openings = [by.opening(at) for at in range(len(set_ups))]
    # Whoever is refused takes no turn of those who write.
    if by.is_counted and (refused := may_not_open(by.network, signed_in=by.user is not None, count=False)):
        return all_opened_before(openings) or NoneOpened(0, Refused((refused,)))
    try:
        with transaction.atomic():
            known = all_opened_before(openings)
            if known:
                return known
            if (used := first_used_code(set_ups)) is not None:
                return NoneOpened(used, Refused((CODE_USED,)))
            refused = may_not_open(by.network, signed_in=by.user is not None) if by.is_counted else None
            if refused:
                return NoneOpened(0, Refused((refused,)))
            sweep(most=SWEPT_ON_THE_WAY)
            return lay_out(set_ups, checked, openings, by)
    except IntegrityError:
        # The same tap twice at the same moment, or another one with the same code: the other one was first.
        known = all_opened_before(openings)
        if known is not None:
            return known
        if (used := first_used_code(set_ups)) is None:
            raise
        return NoneOpened(used, Refused((CODE_USED,)))


def refusal_of(by: Opener) -> Refused | None:
    """Why no sheet is opened for them now, whatever it is to be; None: it may be, or the same tap has opened it."""
    refused = may_not_open(by.network, signed_in=by.user is not None, count=False)
    return Refused((refused,)) if refused and not all_opened_before([by.opening(0)]) else None


def first_used_code(set_ups: Sequence[SetUp]) -> int | None:
    """The place of the first table whose code a sheet has already. No query where the site draws the codes."""
    codes = [set_up.code for set_up in set_ups if set_up.code]
    used = set(Sheet.objects.filter(code__in=codes).values_list("code", flat=True)) if codes else set()
    return next((at for at, set_up in enumerate(set_ups) if set_up.code in used), None)


def lay_out(set_ups: Sequence[SetUp], checked: Sequence[Checked], openings: Sequence[str], by: Opener) -> list[Opened]:
    """The rows of sheets that can be opened: one query for each kind of them."""
    now = timezone.now()
    seated = players_for(set_ups, checked, by)
    sheets = [
        Sheet(
            game=set_up.game, title=clean.title, club_name=clean.club_name, home=set_up.home, quiet=set_up.quiet,
            members_only=set_up.members_only, coming=list(clean.coming), opened_at=now, opening=opening,
            code=set_up.code or new_token(), version=1, aliases_version=int(any(player.shown_as for player in players)),
            aliases={str(player.pk): player.shown_as for player in players if player.shown_as},
            badges={
                str(player.pk): person.wish
                for player, person in zip(players, set_up.players, strict=True)
                if person.wish != NO_WISH
            },
        )
        for set_up, clean, players, opening in zip(set_ups, checked, seated, openings, strict=True)
    ]  # fmt: skip
    add_rows(sheets)
    add_rows([
        Seat(sheet=sheet, number=number, player=player, name=player.own_name(name))
        for sheet, clean, players in zip(sheets, checked, seated, strict=True)
        for number, (player, name) in enumerate(zip(players, clean.names, strict=True), 1)
    ])  # fmt: skip
    name, user = cleaned_or_blank(by.keeper_name), by.user.pk if by.user else None
    keepers = [Scorekeeper(sheet=sheet, name=name, browser=by.browser, user_id=user, created=now) for sheet in sheets]
    add_rows(keepers)
    firsts = []
    for set_up, clean, keeper in zip(set_ups, checked, keepers, strict=True):
        seats = list(range(1, len(clean.names) + 1))
        data = set_up_data(seats, seats[set_up.first_dealer], set_up, clean.title)
        firsts.append(First(keeper, {SET_UP: data}, digest_of("open", data)))
    begin(firsts, key=by.key)
    return [Opened(sheet, keeper) for sheet, keeper in zip(sheets, keepers, strict=True)]


def opened_before(opening: str) -> Opened | None:
    """The sheet that the same tap has opened already."""
    known = all_opened_before([opening])
    return known[0] if known else None


def all_opened_before(openings: Sequence[str]) -> list[Opened] | None:
    """The sheets that the same tap has opened already. One query; another where it has."""
    known = {sheet.opening: sheet for sheet in Sheet.objects.filter(opening__in=openings)}
    if not known:
        return None
    keepers: dict[int, Scorekeeper] = {}
    for keeper in Scorekeeper.objects.filter(sheet__in=known.values()).order_by("pk"):
        keepers.setdefault(keeper.sheet_id, keeper)
    return [Opened(known[opening], keepers[known[opening].pk], again=True) for opening in openings if opening in known]


def set_up_data(seats: list[int], first_dealer: int, set_up: SetUp, title: str) -> dict[str, object]:
    """The set-up as it stands on the sheet."""
    return {
        "seats": seats,
        "first_dealer": first_dealer,
        "found": set_up.dealer_by,
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
    if not fits(Whole(0, len(names) - 1), set_up.first_dealer):
        problems.append(Problem("bad-first-dealer", "Who deals first?", "first_dealer"))
    try:
        game = find_game(set_up.game)
    except UnknownGame:
        problems.append(Problem("bad-game", "Nobody here knows that game.", "game"))
    else:
        if set_up.dealer_by not in (*FOUND, game.first_dealer_by.word):
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
        shapes.append(Problem("bad-plan", f"You cannot set the number of hands in {game.name}.", "plan"))
    if not all(isinstance(name, str) for name in set_up.house_rules):
        shapes.append(Problem("bad-house-rule", "There is no such house rule.", "house_rules"))
    seats = range(1, len(set_up.players) + 1)
    if shapes:
        return shapes
    hands, most = set_up.plan.get("hands", 1), settings.HANDS_PER_SHEET
    if not 1 <= hands <= most:
        return [
            too_many_hands("hands")
            if hands > most
            else Problem("bad-plan", f"A sheet has 1 to {most} hands here.", "hands")
        ]
    problems = list(game.setup_problems(seats, set_up.plan, set_up.house_rules))
    if any(problem.blocking for problem in problems):
        return problems
    if is_too_long(game, len(seats), set_up.plan, set_up.house_rules):
        problems.append(too_many_hands(next((key for key in ("extra_rounds", "peak") if key in set_up.plan), "hands")))
    return problems


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


# Who may open one


def may_not_open(network: str, *, signed_in: bool, count: bool = True) -> Problem | None:
    """Why no sheet can be opened now from a network (`network_hash`), or None: then it is counted, if `count`.

    Codes: `sign-in-first` (403), `too-many-sheets` (429).
    """
    if signed_in:
        return None
    if not settings.OPEN_SHEETS_WITHOUT_ACCOUNT:
        return NEEDS_ACCOUNT
    if count_action(OPEN_SHEET, network) if count else seconds_to_wait(OPEN_SHEET, network):
        return Problem("too-many-sheets", "Many sheets have been opened from here in the last hour. Wait a little.")
    return None


# Who is known here


def known_players(browser: str, user: AbstractBaseUser | None = None, *, most: int = MOST_KNOWN) -> list[Player]:
    """Who has played on sheets of this browser or account, the latest first. Never a stranger. One query."""
    kept = Scorekeeper.objects.filter(revoked_at__isnull=True)
    kept = kept.filter(browser=browser) if browser else kept.none()
    if user is not None:
        kept = kept | Scorekeeper.objects.filter(revoked_at__isnull=True, user_id=user.pk)
    return list(
        Player.objects.filter(seats__sheet__scorekeepers__in=kept)
        .annotate(last_seated=Max("seats__sheet__opened_at"))
        .order_by("-last_seated", "pk")[:most]
    )


def players_for(set_ups: Sequence[SetUp], checked: Sequence[Checked], by: Opener) -> list[list[Player]]:
    """The players of each table: known ones where they were picked, new ones for typed names.

    Only players that this browser knows and the `candidates` can be picked. Any other id counts as a typed name, and
    so does a player who is picked twice.
    """
    picked = [person.player for set_up in set_ups for person in set_up.players]
    wanted = {pk for pk in picked if isinstance(pk, int) and not isinstance(pk, bool)}
    strangers = wanted.difference(by.candidates)
    known = {player.pk: player for player in known_players(by.browser, by.user)} if strangers else {}
    known |= Player.objects.in_bulk(wanted.intersection(by.candidates) - known.keys())
    seated: list[list[Player]] = []
    for set_up, clean in zip(set_ups, checked, strict=True):
        here = [known.pop(person.player) if person.player in known else None for person in set_up.players]
        seated.append([player or Player(name=name) for player, name in zip(here, clean.names, strict=True)])
    add_rows([player for players in seated for player in players if player.pk is None])
    return seated
