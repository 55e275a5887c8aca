"""Where a file and the club here cannot both be right: what comes in so that it fits, and what stays outside.

Each of them says so in a sentence among the conflicts.
"""

from __future__ import annotations

from collections.abc import Iterator

from clubs.archive.export import Row
from clubs.archive.schema import NOUNS, Update
from clubs.archive_import.changes import Differences
from clubs.archive_import.diff_text import named, of_play_off, table_named
from clubs.models import Table


def repaired(found: Differences) -> None:
    """Make everything fit together that comes in."""
    two_of_one_player(found)
    one_record_behind_another(found)
    one_play_off_a_night(found)
    one_stage_a_side(found)
    numbers_of_tables(found)
    chairs_that_are_taken(found)
    pairs_the_other_way_round(found)
    trophies_won_twice(found)
    places_of_tables_with_a_sheet(found)
    pointers_to_what_stays_outside(found)
    seasons_that_are_open(found)


def standing(found: Differences, noun: str) -> Iterator[tuple[Row, bool]]:
    """The rows of a kind as they would be, and whether each is new: what is here first, in the order it came."""
    changed = {(up.noun.key, up.pk): up.then for up in found.updates}
    for pk, row in sorted(found.here[noun].values(), key=lambda pair: pair[0]):
        yield row | changed.get((noun, pk), {}), False
    for row in found.added[noun]:
        yield row, True


def two_of_one_player(found: Differences) -> None:
    """A new member who sat on a seat that here is another member’s: they are somebody of their own."""
    taken = {row["player"] for _, row in found.here["members"].values()}
    players = found.document["players"]
    for row in found.added["members"]:
        if found.players.get(row["player"]) in taken:
            players.append(dict(players[row["player"] - 1]))
            row["player"] = len(players)
            found.conflicts.append(f"{row['name']}: their seats are somebody else’s here, and stay so.")


def one_record_behind_another(found: Differences) -> None:
    """A record that is the same person’s as one that is a third one’s: all of them are that person’s."""
    rows = {row["uid"]: row for row, _ in standing(found, "members")}
    points = {uid: row["same_as"] for uid, row in rows.items()}
    for uid in points:
        path = [uid]
        while (after := points.get(path[-1])) is not None and after not in path:
            path.append(after)
        end = None if points.get(path[-1]) is not None else path[-1]
        if len(path) < 2 or points[uid] == end:
            continue
        points[uid] = end
        say(found, "members", uid, "same_as", end)


def say(found: Differences, noun: str, uid: str, name: str, value: object) -> None:
    """Let the row of that name say so, whether it comes in, is changed already, or is changed only now."""
    for row in found.added[noun]:
        if row["uid"] == uid:
            row[name] = value
            return
    pk, before = found.here[noun][uid,]
    for update in found.updates:
        if (update.noun.key, update.pk) == (noun, pk):
            update.now[name], update.then[name] = before[name], value
            return
    kind = next(one for one in NOUNS if one.key == noun)
    if before[name] != value:
        found.updates.append(Update(kind, pk, before, {name: before[name]}, {name: value}))


def numbers_of_tables(found: Differences) -> None:
    """Two tables of a night that have one number: the one that is not there yet gets another."""
    taken: set[tuple[str, int]] = set()
    for row, _ in list(standing(found, "tables")):
        if row["withdrawn_at"] is not None:
            continue
        number = row["number"]
        while (row["night"], number) in taken:
            number += 1
        taken.add((row["night"], number))
        if number != row["number"]:
            found.conflicts.append(
                f"{table_named(found, row['uid'])} becomes table {number}: the number is taken here."
            )
            say(found, "tables", row["uid"], "number", number)


def chairs_that_are_taken(found: Differences) -> None:
    """At a table where people have chairs here, they keep them."""
    seated = {row["table"] for _, row in found.here["chairs"].values()}
    found.added["chairs"] = [row for row in found.added["chairs"] if row["table"] not in seated]
    changed = [update for update in found.updates if update.noun.key == "chairs"]
    found.updates = [update for update in found.updates if update.noun.key != "chairs"]
    tables = dict.fromkeys(update.row["table"] for update in changed if "member" in update.then)
    found.conflicts += [f"{table_named(found, uid)}: who sits where stays as it is here." for uid in tables]


def pairs_the_other_way_round(found: Differences) -> None:
    """Two people who are kept apart already, named the other way round."""
    pairs = {frozenset((row["one"], row["other"])) for _, row in found.here["apart"].values()}
    kept = []
    for row in found.added["apart"]:
        pair = frozenset((row["one"], row["other"]))
        if pair not in pairs:
            kept.append(row)
        pairs.add(pair)
    found.added["apart"] = kept


def trophies_won_twice(found: Differences) -> None:
    """A trophy that both sides have given for one table: the award that is here stands."""
    here = {
        (row["trophy"], row["table"])
        for _, row in found.here["awards"].values()
        if row["set_aside_at"] is None and row["table"] is not None
    }
    kept = []
    for row in found.added["awards"]:
        if row["set_aside_at"] is None and (row["trophy"], row["table"]) in here:
            found.conflicts.append(f"{named(found, 'trophies', row['trophy'])}: its award of that table stays as here.")
        else:
            kept.append(row)
    found.added["awards"] = kept
    back = [up for up in found.updates if up.noun.key == "awards" and up.then.get("set_aside_at", "") is None]
    for update in back:
        del update.now["set_aside_at"], update.then["set_aside_at"]
    found.updates = [update for update in found.updates if update.then]


def places_of_tables_with_a_sheet(found: Differences) -> None:
    """Results that were typed in, of a table that has a sheet here."""
    club = found.club
    if club is None:
        return
    sheets = set(Table.objects.filter(night__club=club, sheet__isnull=False).values_list("uid", flat=True))
    told = dict.fromkeys(row["table"] for row in found.added["placings"] if row["table"] in sheets)
    found.conflicts += [f"{table_named(found, uid)} has a sheet here, which tells the places." for uid in told]
    found.added["placings"] = [row for row in found.added["placings"] if row["table"] not in told]


def pointers_to_what_stays_outside(found: Differences) -> None:
    """Nothing that comes in points to an award that does not."""
    awards = {row["uid"] for row, _ in standing(found, "awards")}
    found.added["doubts"] = [row for row in found.added["doubts"] if row["award"] in awards]
    for row in found.added["awards"]:
        if row["instead_of"] not in awards:
            row["instead_of"] = None


def seasons_that_are_open(found: Differences) -> None:
    """What a locked season of the file says of one that goes on here."""
    locked = {row["uid"] for row, _ in standing(found, "seasons") if row["locked_at"] is not None}
    found.added["standings"] = [row for row in found.added["standings"] if row["season"] in locked]


def one_play_off_a_night(found: Differences) -> None:
    """Two play-offs of one night that both stand: the one that is not there yet comes in as called off."""
    taken: set[str] = set()
    for row, _ in list(standing(found, "play_offs")):
        if row["called_off_at"] is not None:
            continue
        if row["night"] in taken:
            say(found, "play_offs", row["uid"], "called_off_at", row["created"])
            whole = of_play_off(found, "play_offs", row)
            found.conflicts.append(f"{whole}: that night has another one here, which stands.")
        taken.add(row["night"])


def one_stage_a_side(found: Differences) -> None:
    """A stage that was drawn on both sides: the one that is not there yet comes in as drawn anew, with its tables."""
    taken: set[tuple[str, int, str]] = set()
    away: dict[str, str] = {}
    for row, _ in list(standing(found, "stages")):
        key = (row["play_off"], row["number"], row["side"])
        if row["abandoned_at"] is not None:
            continue
        if key in taken:
            say(found, "stages", row["uid"], "abandoned_at", row["created"])
            away[row["uid"]] = row["created"]
            found.conflicts.append(f"{of_play_off(found, 'stages', row)}: it was drawn here, too, which stands.")
        taken.add(key)
    for row, _ in list(standing(found, "tables")):
        if row["stage"] in away and row["withdrawn_at"] is None:
            say(found, "tables", row["uid"], "withdrawn_at", away[row["stage"]])
