"""The data export for one person: everything the club holds about them, in a readable file."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.db.models import Q
from django.urls import reverse

from clubs.members.merge import role_of
from clubs.members.notice_kinds import in_words
from clubs.members.people import own_sheets, players_of, records_of
from clubs.models import (
    Attendance,
    AuditEntry,
    Award,
    Chair,
    Club,
    Honour,
    Invitation,
    Member,
    NoticeSettings,
    PersonalLink,
    Photo,
    Placing,
    PlayerAlias,
    PushSubscription,
    Reply,
    Standing,
    Table,
    User,
)
from rules import all_games
from scoresheets.models import GlossaryTerm, HandFact, Scorekeeper, Seat
from scoresheets.wording.badges import COLOUR_NAMES

NOT_IN_IT = (
    "Not in it: what others wrote on sheets and in notes without saying whom they mean, lines of the activity log that"
    " name others too, and whom an organiser does not seat beside whom."
)
ON_THE_PHONE = (
    "This site keeps nothing about a phone but what is listed here. In your own browser it keeps cookies: the link of"
    " the club, who uses the phone, the right to write on sheets, which browser it is (where it shows notices), and who"
    " is signed in."
)


def held_about(member: Member, address: Callable[[str], str], *, is_own: bool = True) -> str:
    """Everything the club holds about this person, as JSON for people. `address` makes a whole address of a path.

    What belongs to the account and to no club is for themselves alone: an organiser who hands the file over
    (not `is_own`) does not read it, nor what the account did in other clubs.
    """
    records = records_of(member)
    person, keys = records[0], [record.pk for record in records]
    users = list(User.objects.filter(memberships__in=keys).distinct().order_by("pk"))
    content = {
        "about": f"What the club {person.club.name} holds about {person.name}.",
        "not in it": NOT_IN_IT,
        "on your phone": ON_THE_PHONE,
        "you": person_told(person, role_of(records)),
        "records that are you": [record_told(record) for record in records],
        "names you sat down by": names_of(member),
        "accounts": [account_told(user, person) for user in users],
        "invitations": invitations_of(keys),
        "personal links": links_of(keys),
        "notices you chose": notices_of(keys),
        "browsers that show you notices": browsers_of(keys),
        "nights you answered for": calls_of(keys),
        "answers of your own": replies_of(keys),
        "tables drawn for you": chairs_of(keys),
        "games": games_of(member, keys, address),
        "standings": standings_of(keys),
        "trophies": trophies_of(keys),
        "honours": honours_of(keys),
        "photos you added": photos_of(keys, address),
        "sheets you wrote on": written_by(users, person.club),
        "words of your own": words_of(users) if is_own else ONLY_YOU,
        "activity log: what you did": audit_entries_of(keys),
        "activity log: what names you": audit_entries_about(person, records),
    }
    return json.dumps(content, ensure_ascii=False, indent=2, default=str) + "\n"


#: In a file that an organiser has taken out.
ONLY_YOU = "Only you can read these: take the file out yourself."


def moment(at: datetime.datetime | None) -> str | None:
    return at.strftime("%Y-%m-%d %H:%M UTC") if at else None


def person_told(person: Member, role: str) -> dict[str, Any]:
    return {
        "name": person.name, "nickname": person.nickname, "others read": person.shown,
        "your name is hidden": person.hidden,
        "your colour": COLOUR_NAMES[person.colour - 1] if person.colour else "none chosen",
        "your initial": person.initial or "none chosen", "you are": role, "since": moment(person.joined_at),
        "left": moment(person.left_at),
    }  # fmt: skip


def record_told(record: Member) -> dict[str, Any]:
    return {
        "name": record.name, "nickname": record.nickname, "role": record.role, "came": moment(record.joined_at),
        "let in": moment(record.approved_at), "left": moment(record.left_at),
        "counts as another record": record.same_as_id is not None, "has a code": bool(record.claim_hash),
    }  # fmt: skip


def names_of(member: Member) -> list[str]:
    """What was typed for them on sheets."""
    players = players_of(member)
    typed = Seat.objects.filter(player__in=players, sheet__in=own_sheets(member.club)).values_list("name", flat=True)
    known = PlayerAlias.objects.filter(player__in=players, club=member.club).values_list("player__name", flat=True)
    return sorted({*typed, *known})


def account_told(user: User, person: Member) -> dict[str, Any]:
    return {
        "address": user.email, "name": person.shown_as or person.name, "since": moment(user.date_joined),
        "last came in": moment(user.last_login), "has a password": user.has_usable_password(),
    }  # fmt: skip


def invitations_of(keys: Sequence[int]) -> list[dict[str, Any]]:
    invitations = Invitation.objects.filter(Q(member__in=keys) | Q(made_by__in=keys)).order_by("created")
    return [
        {
            "made": moment(invitation.created), "made by you": invitation.made_by_id in keys,
            "for you": invitation.member_id in keys, "used": moment(invitation.used_at),
            "withdrawn": moment(invitation.revoked_at),
        }
        for invitation in invitations
    ]  # fmt: skip


def links_of(keys: Sequence[int]) -> list[dict[str, Any]]:
    """Links of their own, and those they made for others as an organiser."""
    links = PersonalLink.objects.filter(Q(member__in=keys) | Q(made_by__in=keys)).order_by("created", "pk")
    return [
        {
            "made": moment(link.created), "made by you": link.made_by_id in keys, "for you": link.member_id in keys,
            "revoked": moment(link.revoked_at),
        }
        for link in links
    ]  # fmt: skip


def notices_of(keys: Sequence[int]) -> list[dict[str, Any]]:
    """What they want to hear of by each way, in the words of the page."""
    return [
        {
            "on phones": [in_words(kind) for kind in row.push],
            "by email": [in_words(kind) for kind in row.mail],
            "quiet from": row.quiet_from, "quiet until": row.quiet_until,
        }
        for row in NoticeSettings.objects.filter(member__in=keys).order_by("pk")
    ]  # fmt: skip


def browsers_of(keys: Sequence[int]) -> list[dict[str, Any]]:
    """Without their addresses at the push services, by which anybody could send there."""
    browsers = PushSubscription.objects.filter(member__in=keys)
    return [{"browser": row.browser, "since": moment(row.made_at)} for row in browsers]


def replies_of(keys: Sequence[int]) -> list[dict[str, Any]]:
    """Every answer before a night, with those that were changed since."""
    replies = Reply.objects.filter(member__in=keys).select_related("night").order_by("night__on", "at", "pk")
    return [
        {
            "night": reply.night.on, "you said": reply.get_says_display(), "coming at": reply.comes,
            "said": moment(reply.at), "from": reply.get_source_display(),
        }
        for reply in replies
    ]  # fmt: skip


def calls_of(keys: Sequence[int]) -> list[dict[str, Any]]:
    calls = Attendance.objects.filter(member__in=keys).select_related("night").order_by("night__on", "pk")
    return [
        {
            "night": call.night.on, "you said": call.get_says_display(), "leaving at": call.leaves,
            "said": moment(call.at),
        }
        for call in calls
    ]  # fmt: skip


def chairs_of(keys: Sequence[int]) -> list[dict[str, Any]]:
    chairs = Chair.objects.filter(member__in=keys).select_related("table__night").order_by("table__night__on", "pk")
    return [
        {"night": chair.table.night.on, "table": str(chair.table), "chair": chair.place, "deals first": chair.deals}
        for chair in chairs
    ]  # fmt: skip


def games_of(member: Member, keys: Sequence[int], address: Callable[[str], str]) -> list[dict[str, Any]]:
    """Every finished game at a table of the club, hand by hand; of a play-off also what was before the last table."""
    names = {game.slug: game.name for game in all_games()}
    hands: dict[int, list[dict[str, Any]]] = {}
    facts = HandFact.objects.filter(player__in=players_of(member), sheet__table__night__club=member.club_id)
    for fact in facts.order_by("sheet", "hand"):
        hands.setdefault(fact.sheet_id, []).append(hand_told(fact))
    placings = list(
        Placing.objects.filter(member__in=keys)
        .select_related("table__night", "table__sheet", "table__stage__play_off")
        .order_by("table__night__on", "table")
    )
    others = Table.objects.filter(sheet__in=hands).exclude(pk__in=[placing.table_id for placing in placings])
    games = []
    for placing in placings:
        table = placing.table
        row = {
            "night": table.night.on, "table": str(table), "game": names.get(table.game, table.game),
            "place": placing.place, "of": placing.players, "score": placing.score, "won": placing.winner,
            "lost": placing.loser, **sheet_told(table, address), "hands": hands.get(table.sheet_id or 0, []),
        }  # fmt: skip
        games.append(row)
    # Groups and whatever was drawn anew; sheets that were opened again, or taken out of their night.
    for table in others.select_related("night", "sheet", "stage__play_off").order_by("night__on", "pk"):
        row = {
            "night": table.night.on, "table": str(table), "game": names.get(table.game, table.game),
            "counts": counts_of(table), **sheet_told(table, address), "hands": hands[table.sheet_id or 0],
        }  # fmt: skip
        games.append(row)
    return sorted(games, key=lambda game: game["night"])


def sheet_told(table: Table, address: Callable[[str], str]) -> dict[str, Any]:
    """Where its sheet is read."""
    return {"sheet": address(reverse("watch", args=[table.sheet.watch])) if table.sheet else None}


def counts_of(table: Table) -> str:
    """For what a table counts that is no game of its own."""
    if table.stage is None or table.withdrawn_at is not None or table.stage.abandoned_at is not None:
        return "for nothing"
    return "with the play-off of that night" if table.stage.play_off.decided_at else "for nothing yet"


def hand_told(fact: HandFact) -> dict[str, Any]:
    """A hand, without what the game does not have."""
    row = {"hand": fact.hand, "bid": fact.bid, "tricks": fact.tricks, "points": fact.points, "total": fact.total}
    marks = {"box": fact.box, "circle": fact.circle}
    return {name: value for name, value in row.items() if value is not None} | {
        name: True for name, marked in marks.items() if marked
    }


def standings_of(keys: Sequence[int]) -> list[dict[str, Any]]:
    rows = Standing.objects.filter(member__in=keys).select_related("season").order_by("pk")
    return [
        {
            "season": row.season.name if row.season else "the club’s own", "place": row.place, "points": row.points,
            "games": row.games, "won": row.won, "nights": row.nights,
        }
        for row in rows
    ]  # fmt: skip


def trophies_of(keys: Sequence[int]) -> list[dict[str, Any]]:
    awards = Award.objects.standing().filter(member__in=keys).select_related("trophy")
    return [
        {
            "trophy": award.trophy.name, "won": award.on, "why": award.why, "confirmed": moment(award.confirmed_at),
            "handed over": moment(award.handed_at),
        }
        for award in awards
    ]  # fmt: skip


def honours_of(keys: Sequence[int]) -> list[dict[str, Any]]:
    honours = Honour.objects.filter(member__in=keys).select_related("table__night").order_by("table__night__on", "pk")
    return [
        {
            "night": honour.table.night.on,
            "table": str(honour.table),
            "hand": honour.hand,
            "called": honour.tag,
            "value": honour.value,
        }
        for honour in honours
    ]


def photos_of(keys: Sequence[int], address: Callable[[str], str]) -> list[dict[str, Any]]:
    photos = Photo.objects.filter(by__in=keys).select_related("club").defer("large", "small")
    return [
        {"caption": photo.caption, "added": moment(photo.at), "page": address(photo.get_absolute_url())}
        for photo in photos
    ]


def written_by(users: Sequence[User], club: Club) -> list[dict[str, Any]]:
    keepers = (
        Scorekeeper.objects.filter(user__in=users, sheet__in=own_sheets(club))
        .select_related("sheet")
        .order_by("created")
    )
    return [
        {"sheet": str(keeper.sheet), "under the name": keeper.name, "since": moment(keeper.created)}
        for keeper in keepers
    ]


def words_of(users: Sequence[User]) -> list[str]:
    return [str(word) for word in GlossaryTerm.objects.filter(user__in=users)]


def audit_entries_of(keys: Sequence[int]) -> list[dict[str, Any]]:
    lines = AuditEntry.objects.filter(by__in=keys).order_by("at", "pk")
    return [{"at": moment(line.at), "says": line.says} for line in lines]


def audit_entries_about(person: Member, records: Sequence[Member]) -> list[dict[str, Any]]:
    """The entries that name this member and nobody else. Entries that name others too are left out."""
    people = Member.objects.filter(club=person.club_id)
    others = people.exclude(pk__in=[record.pk for record in records])
    own, theirs = any_of(records), any_of(others)
    lines = AuditEntry.objects.filter(club=person.club_id).order_by("at", "pk")
    return [
        {"at": moment(line.at), "says": line.says}
        for line in lines
        if own.search(line.says) and not theirs.search(line.says)
    ]


def any_of(members: Iterable[Member]) -> re.Pattern[str]:
    """Finds a name or nickname of one of them, as whole words."""
    names = {name for member in members for name in (member.name, member.nickname) if name}
    return re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(names)) or r"(?!)")
