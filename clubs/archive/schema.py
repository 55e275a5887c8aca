"""The schema of a club file, model by model.

A file has all fields of a model except those that are listed as left out, with the reason; a test compares the list
with the models. Rows refer to each other by `uid`, and to players by their place in the list of players.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.db import models

from clubs.archive.references import ByField, Declared, ReferenceKind, References
from clubs.models import (
    Attendance,
    AuditEntry,
    Award,
    Chair,
    Club,
    Dispute,
    KeptApart,
    Member,
    Night,
    PackedItem,
    Placing,
    PlayerAlias,
    PlayOff,
    Reply,
    Ruling,
    Season,
    Stage,
    Standing,
    Table,
    Trophy,
)
from scoresheets.models import Player

RIGHT = "it gives a right, and a file gives none"
COPY = "it is made again"
OF_CALENDARS = "it counts what the calendars of this site were told"
OF_THE_SITE = "it belongs to the site and not to the club"


#: Who comes to stages of a play-off, and who goes, as a correction after the draw remembers it.
MOVED: Mapping[str, Declared] = {
    "stages": [{"stage": ReferenceKind.STAGE, "comes": [ReferenceKind.PLAYER], "goes": [ReferenceKind.PLAYER]}],
    "old": [ReferenceKind.STAGE],
    "new": [ReferenceKind.STAGE],
}
RULINGS = ByField("kind", {
    Ruling.Kind.CUT: {"table": ReferenceKind.TABLE}, Ruling.Kind.HANDS: {"table": ReferenceKind.TABLE},
    Ruling.Kind.DRAW: ReferenceKind.PLAYER_KEYS, Ruling.Kind.KEEP: MOVED, Ruling.Kind.REDRAW: MOVED,
})  # fmt: skip


@dataclass(frozen=True)
class Noun:
    """A kind of row: where it stands in the file, and what tells one from another.

    `scope` leads from the row to its club. `identity` are the fields by which a row of the file is one that is here
    already; `order` those by which rows are sorted, whatever order they came in. What `stays` is taken from a file only
    with a row that is new here.
    """

    key: str
    model: type[models.Model]
    scope: str = "club"
    identity: tuple[str, ...] = ("uid",)
    order: tuple[str, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    stays: tuple[str, ...] = ()
    only: Mapping[str, Any] = field(default_factory=dict)
    #: Fields that two rows may not share, unless they have an end in the field `over`.
    single: tuple[str, ...] = ()
    over: str = ""
    #: The order of the fields in `identity` means nothing.
    is_pair: bool = False
    #: What each JSON field refers to (`clubs.archive.references`).
    references: References = field(default_factory=dict)
    #: Files of before do not know it.
    may_lack: bool = False

    @cached_property
    def fields(self) -> dict[str, models.Field[Any, Any]]:
        """What is said of a row, by name."""
        return {
            column.name: column
            for column in self.model._meta.concrete_fields
            if not column.primary_key and column.name != "club" and column.name not in self.left_out
        }

    @cached_property
    def later(self) -> list[str]:
        """What points to rows that come with it, or after it."""
        before = NOUNS[: NOUNS.index(self)]
        targets = {name: noun_of(column) for name, column in self.fields.items()}
        return [name for name, target in targets.items() if target and target not in before]

    @cached_property
    def referring(self) -> list[str]:
        """JSON fields that refer to something."""
        return [name for name, declared in self.references.items() if declared]

    @property
    def has_uid(self) -> bool:
        return self.identity == ("uid",)

    def rows(self, club: Club) -> models.QuerySet[Any]:
        """Those of a club."""
        return self.model._default_manager.filter(**{self.scope: club}, **self.only)

    def key_of(self, row: Mapping[str, Any]) -> tuple[Any, ...]:
        """What tells it from the others."""
        key = [row.get(name) for name in self.identity]
        return tuple(sorted(key) if self.is_pair else key)

    def shared_key_of(self, row: Mapping[str, Any]) -> tuple[Any, ...] | None:
        """What no other row may share with it; None: nothing, or it has an end."""
        key = tuple(row[name] for name in self.single)
        return None if not key or None in key or (self.over and row[self.over] is not None) else key


@dataclass(frozen=True)
class Update:
    """A row that is here already and would say something else: `now` and `then` by the name of the field."""

    noun: Noun
    pk: int
    row: dict[str, Any]
    now: dict[str, Any]
    then: dict[str, Any]

    @property
    def row_then(self) -> dict[str, Any]:
        return self.row | self.then


CLUB = Noun(
    "club", Club, "pk",
    left_out={
        "key": RIGHT, "calendar_key": RIGHT, "is_demo": "what comes from a file is no demo",
        "is_evening": "an evening without a club has no file", "moved_to": "an evening without a club has no file",
        "code_on_wall": OF_THE_SITE, "no_past_results": OF_THE_SITE, "first_steps_hidden": OF_THE_SITE,
    },
    stays=("slug",),
)  # fmt: skip

NOUNS = (
    Noun(
        "members", Member, order=("joined_at", "uid"),
        left_out={"user": RIGHT, "claim_hash": RIGHT, "added_with": "it takes back what was pasted here"},
        stays=("role", "player"), single=("player",),
    ),
    Noun("known", PlayerAlias, identity=("player",), order=("at", "member", "player")),
    Noun("apart", KeptApart, identity=("one", "other"), order=("one", "other"), is_pair=True),
    Noun("seasons", Season, order=("begins", "ends", "uid"), references={"games": {}, "order": {}, "numbers": {}}),
    # What was locked is no copy: it stays as it was whatever is corrected.
    Noun(
        "standings", Standing, identity=("season", "member"), order=("season", "place", "member"),
        only={"season__locked_at__isnull": False},
    ),
    Noun("trophies", Trophy, order=("added_at", "uid")),
    Noun(
        "nights", Night, order=("created", "uid"),
        left_out={
            "drawn": "it is a draft, which becomes tables", "generation": "it tells of the backups of this site",
            "sequence": OF_CALENDARS, "changed_at": OF_CALENDARS,
        },
    ),
    Noun("calls", Attendance, "night__club", ("night", "member"), ("night", "at", "member")),
    Noun("replies", Reply, "night__club", order=("at", "uid"), stays=("night", "member"), may_lack=True),
    Noun("packed", PackedItem, "night__club", ("night", "thing"), ("night", "at", "thing")),
    Noun(
        "play_offs", PlayOff, "night__club", order=("created", "uid"), stays=("night", "game"),
        left_out={"decided_at": COPY}, single=("night",), over="called_off_at", may_lack=True,
    ),
    Noun(
        "stages", Stage, "play_off__night__club", order=("created", "number", "side", "uid"),
        stays=("play_off", "number", "side"), single=("play_off", "number", "side"), over="abandoned_at",
        references={"drawn_for": [ReferenceKind.PLAYER]}, may_lack=True,
    ),
    Noun(
        "tables", Table, "night__club", order=("created", "uid"), stays=("night", "game", "stage"),
        left_out={"sheet": "sheets stand apart"}, single=("night", "number"), over="withdrawn_at",
        references={"plan": {}, "house_rules": {}},
    ),
    Noun(
        "chairs", Chair, "table__night__club", ("table", "place"), ("table", "place"), stays=("member", "deals"),
        single=("table", "member"),
    ),
    Noun(
        "placings", Placing, "table__night__club", ("table", "member"), ("table", "place", "member"),
        left_out={"sharing": COPY}, only={"table__sheet__isnull": True},
    ),
    Noun(
        "rulings", Ruling, "play_off__night__club", order=("at", "uid"), stays=("play_off", "kind"),
        references={"says": RULINGS}, may_lack=True,
    ),
    Noun(
        "awards", Award, "trophy__club", order=("created", "uid"), stays=("trophy", "table"),
        single=("trophy", "table"), over="set_aside_at",
    ),
    Noun(
        "doubts", Dispute, "award__trophy__club", ("award", "raised_at", "says"), ("raised_at", "award", "says"),
    ),
    Noun("diary", AuditEntry, identity=("at", "says", "by"), order=("at", "says", "by")),
)  # fmt: skip

BY_MODEL: dict[type[models.Model], Noun] = {noun.model: noun for noun in NOUNS}

#: Players have no name that is the same everywhere: they are numbered, and told by the seats they have.
PLAYER_FIELDS = ("name", "shown_as")

#: Models of the club of which no row stands in its file, and why.
LEFT_OUT = {
    "Invitation": RIGHT,
    "ReadKey": RIGHT,
    "PersonalLink": RIGHT,
    "Honour": COPY,
    "PersonalBest": COPY,
    "Rating": COPY,
    "User": RIGHT,
    "FoundingCode": RIGHT,
    "BrowserSession": RIGHT,
    "CacheRow": OF_THE_SITE,
    "Upload": OF_THE_SITE,
    "Photo": "its pictures would make the file a hundred times as large",
    "ClubExport": OF_THE_SITE,
    "PendingUpdate": OF_THE_SITE,
    "ProjectionLease": OF_THE_SITE,
    "Event": OF_THE_SITE,
    "Delivery": OF_THE_SITE,
    "Webhook": RIGHT,
    "NoticeSettings": RIGHT,
    "PushSubscription": RIGHT,
}


def is_player(column: models.Field[Any, Any]) -> bool:
    """Whether the field points to somebody who sits at tables."""
    return column.related_model is Player


def noun_of(column: models.Field[Any, Any]) -> Noun | None:
    """The noun a field points to, if it points to one."""
    model = column.related_model
    return BY_MODEL.get(model) if isinstance(model, type) else None
