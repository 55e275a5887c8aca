"""Applying a club file: all of it, or nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import Q

from clubs.access.audit_log import write_down
from clubs.access.outdated import CLUB_HAS_CHANGED, NotNow
from clubs.archive.codec import database_value
from clubs.archive.export import Document, Row
from clubs.archive.parse import NotTaken
from clubs.archive.references import Names, Referred, renamed_field
from clubs.archive.schema import CLUB, NOUNS, Noun, Update, is_player, noun_of
from clubs.archive_import.changes import Differences, SheetChange
from clubs.archive_import.conflicts import WHAT_TO_DO
from clubs.archive_import.diff import differences
from clubs.archive_import.diff_text import counted
from clubs.club.founding import TAKEN, free_slug, use_up
from clubs.members.people import new_member, own_sheets
from clubs.members.privacy import cover_sheet
from clubs.models import Club, Member, Night, Season, Standing, Table, User
from clubs.models.night import SINGLE
from clubs.play_off_rounds.stages import GIVEN_UP
from clubs.queue.changes import results_changed
from clubs.records.honours import called_at
from clubs.standings.placings import count_sharing
from clubs.standings.seasons import compare_what_can_be_compared
from scoresheets.files.log_export import players_in
from scoresheets.files.log_import import lay_out, write_the_rest
from scoresheets.log.aliases import hide_names
from scoresheets.models import Player, Sheet

BATCH = 500
#: What a sheet cannot be counted by is no sheet of ours; whatever it is, nothing of the file is kept.
CANNOT_BE_COUNTED = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError)


def take_in(document: Document, club: Club | None, *, file_speaks: bool | None = None, saw: str = "") -> Differences:
    """Do what the differences say, in one transaction. Its `club` is the club as it is then.

    `saw` is the mark of what was shown, "" where nothing was. Raises `NotTaken`, and `NotNow`.
    """
    try:
        with transaction.atomic():
            if club:
                club = Club.objects.select_for_update(no_key=True).get(pk=club.pk)
            changes = differences(document, club, file_speaks=file_speaks)
            if saw and changes.mark != saw:
                raise NotNow(CLUB_HAS_CHANGED.format("the file would change"))
            if changes.conflicts:
                raise NotTaken(*changes.conflicts, WHAT_TO_DO)
            ClubImport(changes).do()
            return changes
    except IntegrityError:
        raise NotTaken("This file does not fit together with what is on this site. Nothing was imported.") from None
    except NotTaken:
        raise
    except CANNOT_BE_COUNTED as error:
        if isinstance(error, DatabaseError):
            raise
        raise NotTaken("Something on a sheet of this file cannot be counted. Nothing was imported.") from error


class ClubImport:
    """One import of a file into a club."""

    def __init__(self, changes: Differences) -> None:
        self.changes = changes
        self.document = changes.document
        self.players = dict(changes.players)
        self.ids = {
            (noun.key, row["uid"]): pk for noun in NOUNS if noun.has_uid for pk, row in changes.here[noun.key].values()
        }

    def do(self) -> None:
        """All of it."""
        self.club = self.changes.club = self.the_club()
        self.bring_players()
        self.clear_copies()
        self.make_room()
        for noun in NOUNS:
            self.add_rows(noun)
        for update in self.changes.updates:
            if update.noun is not CLUB:
                self.change(update, update.then)
        self.point_on()
        self.rename()
        carried = {self.carry_sheet(change) for change in self.changes.sheets}
        self.ask_to_count(carried)

    def the_club(self) -> Club:
        """The club, new or changed."""
        row = self.document["club"]
        if self.changes.club is None:
            values = {name: database_value(field, row[name]) for name, field in CLUB.fields.items()}
            return Club.objects.create(**values | {"slug": free_address(row["slug"], row["name"])})
        club = self.changes.club
        for update in self.changes.updates:
            if update.noun is CLUB:
                self.change(update, update.then)
        club.refresh_from_db()
        return club

    def bring_players(self) -> None:
        """Everybody who is needed and not here, as new players: whoever has a number of the file has no other."""
        needed = dict.fromkeys(
            row[name]
            for noun in NOUNS
            for name, field in noun.fields.items()
            if is_player(field)
            for row in self.changes.added[noun.key]
        )
        for change in self.changes.sheets:
            needed |= dict.fromkeys(player for player, _ in players_in(change.copy))
        for noun in NOUNS:
            for name in noun.referring:
                changed = [up.row_then for up in self.changes.updates if up.noun is noun and name in up.then]
                for row in (*self.changes.added[noun.key], *changed):
                    needed |= dict.fromkeys(Referred(noun.references, row, name).players)
        rows = self.document["players"]
        new = {n: Player(name=rows[n - 1]["name"], shown_as=rows[n - 1].get("shown_as", "")) for n in needed}
        new = {number: player for number, player in new.items() if number not in self.players}
        Player.objects.bulk_create(new.values(), batch_size=BATCH)
        self.players |= {number: player.pk for number, player in new.items()}

    def clear_copies(self) -> None:
        """What was counted here of a season that is locked in the file: that says what it was."""
        seasons = {row["season"] for row in self.changes.added["standings"]}
        here = [pk for (key, uid), pk in self.ids.items() if key == "seasons" and uid in seasons]
        open_here = Season.objects.filter(pk__in=here, locked_at__isnull=True)
        Standing.objects.filter(season__in=list(open_here.values_list("pk", flat=True))).delete()

    def make_room(self) -> None:
        """What has an end in the file has it before something else comes into its place."""
        for update in self.changes.updates:
            if update.then.get(update.noun.over) is not None:
                self.change(update, [update.noun.over])

    def add_rows(self, noun: Noun) -> None:
        """The rows of a kind that are new."""
        rows = self.changes.added[noun.key]
        later = dict.fromkeys(noun.later)
        made = [noun.model(**self.values(noun, row | later, row)) for row in rows]
        if noun.scope == "club":
            for new in made:
                new.club = self.club  # type: ignore[attr-defined]
        made = list(noun.model._base_manager.bulk_create(made, batch_size=BATCH))
        if noun.has_uid:
            self.ids |= {(noun.key, row["uid"]): new.pk for row, new in zip(rows, made, strict=True)}

    def values(self, noun: Noun, row: Row, names: Iterable[str]) -> dict[str, Any]:
        """The values of these fields of a row, pointers as ids."""
        values: dict[str, Any] = {}
        for name in names:
            field = noun.fields[name]
            if is_player(field):
                values[field.attname] = self.players[row[name]]
            elif name in noun.referring:
                names_here = Names(self.players.__getitem__, self.table)
                values[name] = renamed_field(noun.references, row, name, names_here)
            elif target := noun_of(field):
                values[field.attname] = None if row[name] is None else self.ids[target.key, row[name]]
            else:
                values[name] = database_value(field, row[name])
        return values

    def table(self, uid: object) -> int | None:
        """The table (id) of that name."""
        return self.ids.get(("tables", str(uid)))

    def change(self, update: Update, names: Iterable[str]) -> None:
        """A row that is here says something else in these fields."""
        values = self.values(update.noun, update.row_then, names)
        update.noun.model._base_manager.filter(pk=update.pk).update(**values)
        if update.noun.model is Night and set(Night.calendar_fields) & set(values):
            Night.objects.filter(pk=update.pk).told_again()

    def point_on(self) -> None:
        """What points to rows that came after it."""
        for noun in NOUNS:
            for row in self.changes.added[noun.key] if noun.later else ():
                then = self.values(noun, row, [name for name in noun.later if row[name] is not None])
                if then:
                    noun.model._base_manager.filter(pk=self.ids[noun.key, row["uid"]]).update(**then)

    def rename(self) -> None:
        """What some people are called on sheets, theirs who hide their names among them."""
        for pk, then in self.changes.renamed.items():
            Player.objects.filter(pk=pk).update(**then)
            hide_names([pk], then["shown_as"], own_sheets(self.club))

    def carry_sheet(self, change: SheetChange) -> int:
        """A sheet is laid out or written on; the id of its table."""
        table = Table.objects.select_related("night__club", "stage__play_off").get(pk=self.ids["tables", change.table])
        if change.sheet is None:
            reading = lay_out(change.copy, self.players.__getitem__)
            table.sheet = reading.record
            table.save(update_fields=["sheet"])
        else:
            sheet = Sheet.objects.select_for_update(no_key=True).get(pk=change.sheet)
            reading = write_the_rest(sheet, change.copy, self.players.__getitem__, since=change.since)
        sheet = reading.record
        place = table.stage.play_off if table.stage else table.night
        sheet.home = place.get_absolute_url() if table.withdrawn_at is None else ""
        sheet.closed = GIVEN_UP if table.stage and table.stage.abandoned_at else ""
        sheet.members_only = table.withdrawn_at is None and self.club.visibility == Club.Visibility.MEMBERS
        sheet.save(update_fields=["home", "closed", "members_only"])
        cover_sheet(sheet, self.club)
        # A sheet that cannot be counted is not taken in.
        list(called_at(reading))
        return table.pk

    def ask_to_count(self, carried: Collection[int]) -> None:
        """What everybody is worth is counted after it: in a club that was here at every table, as people may be new."""
        count_sharing(Table.objects.filter(night__club=self.club, sheet__isnull=True))
        compare_what_can_be_compared(self.club)
        seated_by = {"members", "known", "tables", "nights"}
        was_here = any(self.changes.here["members"])
        if was_here and (
            any(self.changes.added[key] for key in seated_by)
            or any(up.noun.key in seated_by for up in self.changes.updates)
        ):
            wanted = Q(SINGLE) | Q(pk__in=carried)
        elif was_here:
            wanted = Q(pk__in=carried)
        else:
            wanted = Q(sheet__isnull=True) | Q(pk__in=carried)
        results_changed(self.club.pk, *Table.objects.filter(wanted, night__club=self.club).order_by("pk"))
        results_changed(self.club.pk, self.club)


def free_address(wanted: str, name: str) -> str:
    """An address for a new club: the one it had, if nobody has it here."""
    taken = wanted in TAKEN or Club.objects.filter(slug=wanted).exists()
    return free_slug(wanted or name) if taken or not wanted else wanted


def organisers_of(document: Document) -> list[Row]:
    """Those of the file who may be the one who brings it: its organisers first, then everybody who belongs to it."""
    people = [row for row in document["members"] if row["same_as"] is None and row["left_at"] is None]
    return sorted(people, key=lambda row: (row["role"] != Member.Role.ORGANISER, row["name"]))


CODE_IS_GONE = "That code no longer starts a club. The newest one is in the terminal of the site."
WHO_ARE_YOU = "Choose who you are, or type your name."


def bring_new(document: Document, *, user: User, me: str, called: str, code_hash: str, saw: str) -> Club:
    """The club of the file, new on this site, with `user` as an organiser: as the member of that uid, or else as
    somebody new who is `called` so.

    Nobody else of the file gets an account by it. Without a founding code only the site's owner brings one. Raises
    `NotTaken` and `NotNow`.
    """
    with transaction.atomic():
        if not user.is_superuser and not use_up(code_hash):
            raise NotTaken(CODE_IS_GONE)
        club = take_in(document, None, saw=saw).club
        if club is None or not (me or called):
            raise NotTaken(WHO_ARE_YOU)
        write_down(club, "Brought the club from a file.", by=organiser_of(club, user, me, called))
    return club


def organiser_of(club: Club, user: User, me: str, called: str) -> Member:
    """The member who brings it."""
    if not me:
        return new_member(club, called, role=Member.Role.ORGANISER, user=user)
    member = Member.objects.current().filter(club=club, uid=me).first()
    if member is None:
        raise NotTaken(WHO_ARE_YOU)
    member.user, member.role = user, Member.Role.ORGANISER
    member.save(update_fields=["user", "role"])
    return member


def bring(document: Document, club: Club, *, by: Member | None, file_speaks: bool | None, saw: str) -> Differences:
    """Import a club file into a club of this site. The audit log gets one entry with the changes."""
    with transaction.atomic():
        changes = take_in(document, club, file_speaks=file_speaks, saw=saw)
        if not changes.changes_nothing:
            write_down(club, f"Imported a club file: {in_short(changes)}.", by=by)
    return changes


def in_short(changes: Differences) -> str:
    """What comes in or changes, by number."""
    parts = [counted(key, len(rows)) for key, rows in changes.added.items() if rows and key != "diary"]
    parts += [counted("sheets", len(changes.sheets))] if changes.sheets else []
    parts += (
        [f"{len(changes.updates)} {'row' if len(changes.updates) == 1 else 'rows'} changed"] if changes.updates else []
    )
    return ", ".join(parts) or "lines of the activity log"
