"""Sheets, their seats and their players."""

from __future__ import annotations

import base64
import binascii
import datetime
import secrets

from django.db import models

#: Code points in a name, of a player as of a scorekeeper.
LONGEST_NAME = 40


def new_token() -> str:
    """128 bits from the system, in 22 characters that stand in an address as they are."""
    return secrets.token_urlsafe(16)


def is_token(text: str) -> bool:
    """Whether it is such a token, in the one way in which these bits are written.

    >>> is_token(new_token()), is_token("AAAAAAAAAAAAAAAAAAAAAA"), is_token("AAAAAAAAAAAAAAAAAAAAAB")
    (True, True, False)
    """
    try:
        token = base64.b64decode(f"{text}==", altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return False
    return len(token) == 16 and base64.urlsafe_b64encode(token).rstrip(b"=").decode() == text


class Player(models.Model):
    """Somebody who sits at tables. Two people of one name are two players."""

    name = models.CharField(max_length=LONGEST_NAME)
    #: What they are called instead where they are picked, if they want their name hidden. On a sheet: `Sheet.aliases`.
    shown_as = models.CharField(max_length=LONGEST_NAME, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.called

    @property
    def called(self) -> str:
        """What they are called where others read it."""
        return self.shown_as or self.name

    def own_name(self, typed: str) -> str:
        """The name that a sheet keeps of somebody picked by what they are called: a hidden one is not lost."""
        return self.name if typed == self.shown_as else typed


class SheetQuerySet(models.QuerySet["Sheet"]):
    def finished(self) -> SheetQuerySet:
        return self.filter(finished_at__isnull=False)

    def running(self) -> SheetQuerySet:
        return self.filter(finished_at__isnull=True)

    def kept_by(self, browser: str) -> SheetQuerySet:
        """The sheets this browser may write on, the newest first. `browser` as on `Scorekeeper`."""
        if not browser:
            return self.none()
        return self.filter(scorekeepers__browser=browser, scorekeepers__revoked_at__isnull=True).order_by(
            "-opened_at", "-pk"
        )

    def due_to_open(self, moment: datetime.datetime) -> SheetQuerySet:
        """Sheets whose result has been held back long enough at `moment`."""
        return self.filter(result_opens_at__lte=moment)

    def left_blank(self, moment: datetime.datetime) -> SheetQuerySet:
        """Sheets opened before `moment` on which nothing but the set-up was ever written."""
        return self.filter(opened_at__lt=moment, begun=False)


class Sheet(models.Model):
    """One game at one table.

    What stands on it are its entries; everything else about the game is read from them. `version` counts
    the writes and is what pages poll for. `code` is the scorekeepers' address and `watch` the watchers':
    neither can be guessed, and neither gives the right to write.
    """

    code = models.CharField(max_length=22, unique=True, default=new_token, editable=False)
    watch = models.CharField(max_length=22, unique=True, default=new_token, editable=False)
    game = models.SlugField(max_length=40, db_index=False)
    title = models.CharField(max_length=80, blank=True)
    club_name = models.CharField(max_length=80, blank=True)
    #: The path of the page its table belongs to, "" without a club; and the stakes, at its head.
    home = models.CharField(max_length=120, blank=True)
    stakes = models.CharField(max_length=160, blank=True)
    #: Why nobody can write on it any more, in the words of its club; "": it is open.
    closed = models.CharField(max_length=160, blank=True)
    #: Call-outs of the club at the end, beside those of the game: `call`, `seats`, `said`, as call-outs of the rules.
    also_called = models.JSONField(default=list, blank=True, editable=False)
    #: Its watchers' address shows nothing but to whom Django's permission question `scoresheets.watch_sheet` lets in.
    members_only = models.BooleanField(default=False)
    #: Since when the table asks for the organiser.
    asks_since = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=0)
    #: In which life of the database its versions count, "" in the first: a restored backup begins another one, and
    #: `restored` is the version with which the sheet came out of it (`scoresheets.caches.generation`).
    generation = models.CharField(max_length=24, blank=True, editable=False)
    restored = models.PositiveIntegerField(default=0, editable=False)
    opened_at = models.DateTimeField(db_index=True)
    #: The day of the game, where that is not the day on which the sheet was opened: it came from a file.
    played_on = models.DateField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    #: When the result is shown at the latest, where the table holds it back. As long as it stands here the last hand is
    #: scored and the game is not finished for anybody but the scorekeepers: nothing of it is published.
    result_opens_at = models.DateTimeField(null=True, blank=True, editable=False)
    #: The day of the last visit, without a club; None: not since `opened_at` (`scoresheets.access.last_opened`).
    last_opened = models.DateField(null=True, blank=True, editable=False)
    #: Whether anything but the set-up was ever written on it.
    begun = models.BooleanField(default=False)
    #: What players (ids as text) are called on it instead, who hide their names here.
    aliases = models.JSONField(default=dict, blank=True)
    #: How often a name on it was hidden or shown again; 0: nobody on it is called anything but what stands there.
    aliases_version = models.PositiveIntegerField(default=0)
    #: By what players (ids as text) of a club are known on it: colour, initial and whether they chose it, as they sat
    #: down (`scoresheets.log.occupants.Wish`). What they get at the table: `scoresheets.wording.badges`.
    badges = models.JSONField(default=dict, blank=True)
    #: No call-outs on pad and watch page.
    quiet = models.BooleanField(default=False)
    #: Names of people who said they are still coming.
    coming = models.JSONField(default=list, blank=True)
    #: The key of the tap that opened it: the same tap again finds the same sheet.
    opening = models.CharField(max_length=64, null=True, unique=True, editable=False)  # noqa: DJ001 (many have none)

    objects = SheetQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["opened_at"], name="sheets_left_blank", condition=models.Q(begun=False)),
            models.Index(
                fields=["result_opens_at"],
                name="sheets_held_back",
                condition=models.Q(result_opens_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.title or f"{self.game} of {self.opened_at:%Y-%m-%d}"

    @property
    def edition(self) -> str:
        """What a page or a phone says that it has: the version, the generation in which it counts, and whether the
        result is held back: to show it makes no version.
        """
        held = "-held" if self.result_opens_at else ""
        return f"{self.version}.{self.generation}{held}" if self.generation else f"{self.version}{held}"


class Seat(models.Model):
    """A chair at a sheet's table and who sits on it.

    Its number is given once and never reused. Numbers say nothing about the order round the table: that is
    the set-up's, and events change it. `name` is what the player is called at this table.
    """

    sheet = models.ForeignKey(Sheet, on_delete=models.CASCADE, related_name="seats", db_index=False)
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.RESTRICT, related_name="seats")
    name = models.CharField(max_length=LONGEST_NAME)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["sheet", "number"], name="one_seat_a_number")]

    def __str__(self) -> str:
        return f"{self.number}: {self.name}"
