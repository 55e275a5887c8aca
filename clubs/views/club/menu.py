"""The menu of an organiser."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q
from django.urls import reverse

from clubs.joining.match import count_waiting
from clubs.models import Award, Club, Dispute, Member, PlayOff
from clubs.play_off_rounds.corrections import Moves, asks_of
from clubs.webhooks.webhooks import count_unread
from scoresheets.wording.markup import as_text


@dataclass(frozen=True)
class Way:
    """A link of the organisers' page: `does` says what one does there, `about` why one would."""

    to: str
    does: str
    about: str = ""


#: What is on the page: name of the view, what one does there, and more words.
SECTIONS = (
    (
        "The nights",
        (
            ("plan_night", "A new night", "date, games, what to bring"),
            ("nights", "All nights", "roll call, tables, control page"),
            ("bring_in", "Bring a sheet in", "opened outside a night"),
            ("match_names", "Names to match", "typed at a table, not on the members’ list"),
            ("apart", "Keep apart", "who should not sit together"),
        ),
    ),
    (
        "The people",
        (
            ("members", "Members", "roles, guests, duplicates"),
            ("invite", "Invite somebody", "by link or QR code"),
        ),
    ),
    (
        "What counts",
        (
            ("seasons", "Seasons", "what counts, locking, spreadsheets"),
            ("what_if", "What if", "the standings by another scheme"),
            ("trophies", "Trophies", "who holds them, who held them"),
        ),
    ),
    (
        "The club itself",
        (
            ("club_settings", "Settings", "name, place, who sees it"),
            ("club_qr_code", "The QR code of the club", "to show and to print"),
            ("audit_log", "Activity log", "what organisers have done"),
        ),
    ),
    (
        "In and out",
        (
            ("export_club", "The whole club in a file", "to keep, or for another site"),
            ("import_club", "Bring a club file in", "you see first what changes"),
            ("import_past", "Results of the past", "from a spreadsheet"),
        ),
    ),
)


def sections_of(club: Club) -> list[tuple[str, list[Way]]]:
    """The page of this club's organisers, by heading."""
    return [(heading, [way_to(club, *line) for line in lines]) for heading, lines in SECTIONS]


def way_to(club: Club, view: str, does: str, about: str) -> Way:
    return Way(reverse(view, args=[club.slug]), does, about)


def waiting_in(club: Club) -> list[Way]:
    """What waits for an answer of an organiser. Eight queries; more while a play-off with finals is on."""
    people = Member.objects.waiting().filter(club=club).count()
    awards = Award.objects.standing().filter(trophy__club=club, confirmed_at__isnull=True).count()
    disputes = Dispute.objects.filter(award__trophy__club=club, answered_at__isnull=True).count()
    names, seasons = count_waiting(club), seasons_to_look_at(club)
    recounted = seasons["recounted"] + (club.counted_since is not None and not club.counted_seen)
    counts = (
        ("standings", recounted, "standing is counted differently", "standings are counted differently"),
        ("match_names", names, "name at a table is not matched yet", "names at tables are not matched yet"),
        ("members", people, "person asks to join", "people ask to join"),
        ("trophies", awards, "award is not confirmed yet", "awards are not confirmed yet"),
        ("seasons", seasons["corrected"], "locked season was corrected since", "locked seasons were corrected since"),
        ("trophies", disputes, "award has become doubtful", "awards have become doubtful"),
        ("webhooks", count_unread(club), "message to a webhook was given up", "messages to webhooks were given up"),
    )
    ways = [
        way_to(club, view, f"{n} {singular if n == 1 else plural}", "") for view, n, singular, plural in counts if n
    ]
    return [*(way_of(play_off, moves) for play_off, moves in asks_of(club)), *ways]


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
    return Way(to, f"Play-off of {play_off.night}: a sheet was corrected after the draw", as_text(moves.sentence))
