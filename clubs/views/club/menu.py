"""The menu of an organiser."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q
from django.urls import reverse

from clubs.joining.match import count_waiting
from clubs.models import Award, Club, Dispute, Member, Night, PlayOff, Table
from clubs.nights.replies import answers_of, is_open, unanswered
from clubs.play_off_rounds.corrections import Moves, asks_of
from clubs.webhooks.webhooks import count_unread
from scoresheets.wording.markup import as_text

#: So long before a night an organiser is told how many have not answered.
ANSWERS_WANTED = datetime.timedelta(weeks=1)


@dataclass(frozen=True)
class Way:
    """A link of the organisers' page: `does` says what one does there, `about` why one would.

    Of what waits, `button` is what one taps.
    """

    to: str
    does: str
    about: str = ""
    button: str = ""


#: What is on the page by heading, where no night is in sight: name of the view, what one does there, and more words.
BEFORE = (
    ("plan_night", "Plan a night", "one, or a series for a season"),
    ("nights", "All nights", "change, cancel, coming and past"),
    ("invite_many", "Invite people", "a link for each, to copy, share or email"),
    ("apart", "Keep apart", "who should not sit together"),
)
DURING = (
    ("club_qr_code", "The QR code of the club", "to check in; for the wall"),
    ("bring_in", "Bring a sheet in", "opened outside a night"),
)
AFTER = (
    ("match_names", "Names to match", "typed at a table, not on the members’ list"),
    ("trophies", "Trophies", "who won them, and who has them"),
    ("seasons", "Seasons", "what counts, locking, spreadsheets"),
    ("what_if", "What if", "the standings by another scheme"),
    ("import_past", "Results of the past", "from a spreadsheet"),
)
CLUB = (
    ("members", "Members", "roles, guests, duplicates"),
    ("club_settings", "Settings", "name, place, usual evening, who sees it"),
    ("audit_log", "Activity log", "what organisers have done"),
    ("export_club", "The whole club in a file", "to keep, or for another site"),
    ("import_club", "Import a club file", "you see what changes first"),
)
#: What leads to the night that is on, and to the one that comes next.
OF_TONIGHT = (
    ("roll_call", "Roll call", "who is here, and who plays where"),
    ("control", "Control page", "all tables, calls, last hand"),
    ("wall", "Big screen", "all tables, for the room"),
)
OF_THE_NEXT = (
    ("night", "Who is coming", "answers, and a reminder to send"),
    ("bringing", "What to bring", "decks, pencils, blank sheets, trophies"),
)


def sections_of(club: Club, night: Night | None, ahead: Night | None) -> list[tuple[str, list[Way]]]:
    """The page of this club's organisers, by heading: before, during and after a night, and the club itself.

    `night` is the one that is on, `ahead` the next to come. Once tables have opened its roll call is on the control
    page.
    """
    ways = lambda lines: [way_to(club, *line) for line in lines]  # noqa: E731
    of_next = [of_night(ahead, *line) for line in OF_THE_NEXT] if ahead else []
    of_tonight = [of_night(night, *line) for line in OF_TONIGHT] if night else []
    return [
        ("Before a night", [*of_next, *ways(BEFORE)]),
        ("During a night", [*of_tonight, *ways(DURING)]),
        ("After a night", ways(AFTER)),
        ("The club itself", ways(CLUB)),
    ]


def way_to(club: Club, view: str, does: str, about: str = "", button: str = "") -> Way:
    return Way(reverse(view, args=[club.slug]), does, about, button)


def of_night(night: Night, view: str, does: str, about: str) -> Way:
    """A page of that night."""
    return Way(reverse(view, args=[night.club.slug, night.pk]), f"{does}: {night}", about)


def waiting_in(club: Club, nights: Sequence[Night] = (), ahead: Night | None = None) -> list[Way]:
    """What waits for an answer of an organiser, the most urgent first.

    That is calls of tables at the `nights` that are on; then, in the last week before the night that is `ahead`,
    people who have not answered.

    Eight queries, one more for nights that are on and three for one ahead; more while a play-off with finals is on.
    """
    people = Member.objects.waiting().filter(club=club).count()
    awards = Award.objects.standing().filter(trophy__club=club, confirmed_at__isnull=True).count()
    disputes = Dispute.objects.filter(award__trophy__club=club, answered_at__isnull=True).count()
    names, seasons = count_waiting(club), seasons_to_look_at(club)
    recounted = seasons["recounted"] + (club.counted_since is not None and not club.counted_seen)
    counts = (
        ("members", people, "person asks to join", "people ask to join", "Answer"),
        ("trophies", disputes, "award has become doubtful", "awards have become doubtful", "Decide"),
        ("trophies", awards, "award is not confirmed yet", "awards are not confirmed yet", "Confirm"),
        ("match_names", names, "name at a table is not matched yet", "names at tables are not matched yet", "Match"),
        ("standings", recounted, "standing is counted differently", "standings are counted differently", "See why"),
        (
            "seasons", seasons["corrected"], "locked season was corrected since", "locked seasons were corrected since",
            "See what changes",
        ),
        (
            "webhooks", count_unread(club), "message to a webhook was given up", "messages to webhooks were given up",
            "Look",
        ),
    )  # fmt: skip
    ways = [
        way_to(club, view, f"{n} {singular if n == 1 else plural}", button=button)
        for view, n, singular, plural, button in counts
        if n
    ]
    moves = [way_of(play_off, moves) for play_off, moves in asks_of(club)]
    return [*calls_at(nights), *moves, *silent_for(ahead), *ways]


def calls_at(nights: Sequence[Night]) -> list[Way]:
    """The tables of each of these nights that ask for an organiser. One query."""
    ways = []
    calling = Table.objects.playing().standing().filter(night__in=nights, sheet__asks_since__isnull=False)
    counts = Counter(calling.values_list("night_id", flat=True)) if nights else Counter()
    for night in nights:
        if number := counts[night.pk]:
            to = reverse("control", args=[night.club.slug, night.pk])
            ways.append(Way(to, f"{number} table{' is' if number == 1 else 's are'} calling you", button="Go there"))
    return ways


def silent_for(night: Night | None) -> list[Way]:
    """How many members have not said whether they come to the night, in its last week. Three queries."""
    if night is None or night.on > night.club.today() + ANSWERS_WANTED or not is_open(night):
        return []
    silent = len(unanswered(answers_of([night])[night.pk]))
    if not silent:
        return []
    does = f"{silent} {'member has' if silent == 1 else 'members have'} not said whether they come to {night}"
    return [Way(f"{night.get_absolute_url()}#coming", does, button="Remind")]


def seasons_to_look_at(club: Club) -> dict[str, int]:
    """How many locked seasons were `corrected` since, and how many are counted differently (`recounted`) since an
    update while no organiser has read it.
    """
    unread = Q(counted_since__isnull=False, counted_seen=False, locked_at__isnull=True)
    return club.seasons.standing().aggregate(
        corrected=Count("pk", filter=Q(differs=True)), recounted=Count("pk", filter=unread)
    )


def way_of(play_off: PlayOff, moves: Moves) -> Way:
    """To what a correction would move in a play-off."""
    to = reverse("play_off_moves", args=[play_off.night.club.slug, play_off.night_id])
    does = f"Play-off of {play_off.night}: a sheet was corrected after the draw"
    return Way(to, does, as_text(moves.sentence), "See what changes")
