"""The log: a revision for each accepted post, and its entries."""

from __future__ import annotations

from typing import Any

from django.db import models

from scoresheets.models.access import Scorekeeper
from scoresheets.models.sheet import Sheet

#: Letters in the name of an ask, such as `tie-1-bid-12`.
LONGEST_ASK = 40


class LogError(Exception):
    """Somebody tried to change or delete what was written. It can only be withdrawn, by a later write."""


class Revision(models.Model):
    """One accepted post: who wrote what kind of thing when, and which version of the sheet it made.

    `key` comes from the tap and `digest` says what was posted under it, so that the same post again can be
    answered again. `undoes` is the write this one took back. The history of a sheet is these rows read aloud.
    """

    class Verb(models.TextChoices):
        OPEN = "open", "opened the sheet"
        SET_UP = "set-up", "changed the set-up"
        ENTER = "enter", "entered"
        AGREE = "agree", "entered the same"
        UNDO = "undo", "took back"
        RETYPE = "retype", "had typed it wrong"
        MISDEAL = "misdeal", "misdeal"
        STOP = "stop", "stopped the game"
        PLAY_ON = "play-on", "played on"
        NOTE = "note", "noted"
        ANNOUNCE = "announce", "announced"
        CALL = "call", "is called"
        CORRECT = "correct", "corrected"
        RESTORE = "restore", "went back to before"
        ARRIVE = "arrive", "entered who came"
        LEAVE = "leave", "entered who went home"
        SUBSTITUTE = "substitute", "entered who took over"
        RESEAT = "reseat", "entered who sits where"
        TAKE_OVER = "pencil", "started scoring"
        PAPER = "paper", "typed in from paper"
        CARRY = "carry", "brought totals along"
        RULE = "rule", "ruled"

    sheet = models.ForeignKey(Sheet, on_delete=models.CASCADE, related_name="revisions", db_index=False)
    version = models.PositiveIntegerField()
    key = models.CharField(max_length=64)
    verb = models.CharField(max_length=12, choices=Verb)
    digest = models.CharField(max_length=64)
    keeper = models.ForeignKey(Scorekeeper, on_delete=models.CASCADE, related_name="revisions")
    at = models.DateTimeField()
    why = models.CharField(max_length=200, blank=True)
    undoes = models.ForeignKey("self", on_delete=models.CASCADE, null=True, blank=True, related_name="undone_by")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sheet", "key"], name="one_write_a_key"),
            models.UniqueConstraint(fields=["sheet", "version"], name="one_write_a_version"),
        ]

    def __str__(self) -> str:
        return f"{self.version}: {self.verb}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise LogError("A write is never changed.")
        super().save(*args, **kwargs)

    def delete(self, using: Any = None, keep_parents: bool = False) -> tuple[int, dict[str, int]]:  # noqa: FBT001, FBT002
        raise LogError("A write is never deleted.")


class EntryQuerySet(models.QuerySet["Entry"]):
    def standing(self) -> EntryQuerySet:
        return self.filter(withdrawn_by__isnull=True)

    def withdraw(self, write: Revision) -> int:
        """Withdraw those that still stand; how many that were."""
        return self.standing().update(withdrawn_by=write)


class Entry(models.Model):
    """What stands, or stood, at one address of a sheet: a hand (0: the sheet itself) and the name of an ask.

    `added_by` put this row on the sheet and `withdrawn_by` took it off; there is no other change. An
    undo that brings something back adds a new row: `first_by` is the write that first wrote what it says.
    """

    sheet = models.ForeignKey(Sheet, on_delete=models.CASCADE, related_name="entries")
    hand = models.PositiveIntegerField()
    ask = models.CharField(max_length=LONGEST_ASK)
    data = models.JSONField()
    added_by = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="added")
    first_by = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="first_wrote")
    withdrawn_by = models.ForeignKey(Revision, on_delete=models.CASCADE, null=True, related_name="withdrew")

    objects = EntryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "entries"
        constraints = [
            models.UniqueConstraint(
                fields=["sheet", "hand", "ask"],
                condition=models.Q(withdrawn_by__isnull=True),
                name="one_standing_entry_an_address",
            )
        ]

    def __str__(self) -> str:
        return f"hand {self.hand}, {self.ask}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise LogError("An entry is never changed.")
        super().save(*args, **kwargs)

    def delete(self, using: Any = None, keep_parents: bool = False) -> tuple[int, dict[str, int]]:  # noqa: FBT001, FBT002
        raise LogError("An entry is never deleted.")
