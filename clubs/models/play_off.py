"""A play-off of a night: its stages, and the rulings of an organiser."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from clubs.models.base import Portable, ResultSource, ResultSourceQuerySet
from clubs.models.member import Member
from clubs.models.night import Night

ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def nth_round(number: int) -> str:
    """A round by its number.

    >>> nth_round(2)
    'second round'
    """
    return f"{ORDINALS[number] if number < len(ORDINALS) else f'{number}th'} round"


class PlayOffQuerySet(ResultSourceQuerySet["PlayOff"]):
    def standing(self) -> PlayOffQuerySet:
        """Those that were not called off, nor their night put away."""
        return self.filter(called_off_at__isnull=True, night__archived_at__isnull=True)


class PlayOff(Portable, ResultSource):
    """Many tables that come to one winner and one loser (Rule 14): groups first, then a winners' and a losers' table.

    Its tables are those of its stages. Called off it counts for nothing: its tables are single games again.
    """

    result_fields = ("called_off_at",)

    class Mixed(models.TextChoices):
        RANDOM = "random", "at random"
        STANDING = "standing", "mixed by standing"
        HAND = "hand", "by hand"

    night = models.ForeignKey(Night, on_delete=models.CASCADE, related_name="play_offs")
    game = models.SlugField(max_length=40)
    #: Q: so many of every group go to the winners' table …
    places = models.PositiveSmallIntegerField()
    #: … and the lowest B of every group to the losers' table; null: all others; 0: there is none.
    losers_count = models.PositiveSmallIntegerField(null=True, blank=True)
    #: So many hands were planned for each final; 0: as the game has it, or nobody has said.
    final_hands = models.PositiveSmallIntegerField(default=0)
    #: The finals start with the totals of the groups.
    carry_over = models.BooleanField(default=False)
    #: A tie across the line is settled by drawing the high card instead of a blind hand.
    cut_by_high_card = models.BooleanField(default=False)
    #: How the groups were made.
    mixed = models.CharField(max_length=8, choices=Mixed, default=Mixed.RANDOM)
    created = models.DateTimeField(default=timezone.now)
    #: Since when both trophies have found who takes them, so that it counts. A copy.
    decided_at = models.DateTimeField(null=True, blank=True, editable=False)
    called_off_at = models.DateTimeField(null=True, blank=True)

    objects = PlayOffQuerySet.as_manager()

    class Meta:
        ordering = ["created", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["night"], condition=Q(called_off_at__isnull=True), name="one_play_off_a_night"
            )
        ]

    def __str__(self) -> str:
        return f"Play-off of {self.night}"

    def get_absolute_url(self) -> str:
        return reverse("play_off", args=[self.night.club.slug, self.night_id])


class StageQuerySet(ResultSourceQuerySet["Stage"]):
    def standing(self) -> StageQuerySet:
        """Those that count: not redrawn since."""
        return self.filter(abandoned_at__isnull=True)


class Stage(Portable, ResultSource):
    """The tables of a play-off that are played side by side, with the same number of hands.

    The first is the groups (`side` "all"). After it each side goes its own way: one table is its final, several (more
    than ten people) are groups once more. `places` is how many of each table go on, null at a final: on the winners'
    side the highest, on the losers' side the lowest. Drawn anew after a correction, the old one is abandoned: it is
    kept and counts for nothing.
    """

    result_fields = ("abandoned_at",)

    class Side(models.TextChoices):
        ALL = "all", "groups"
        WINNERS = "winners", "winners’ side"
        LOSERS = "losers", "losers’ side"

    play_off = models.ForeignKey(PlayOff, on_delete=models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField()
    side = models.CharField(max_length=7, choices=Side)
    #: So many hands are played at each of its tables; 0: a race, as the game has it.
    hands = models.PositiveSmallIntegerField()
    places = models.PositiveSmallIntegerField(null=True, blank=True)
    created = models.DateTimeField(default=timezone.now)
    #: Players (ids) for whom it was drawn: what a correction of the stage before it is compared with.
    drawn_for = models.JSONField(default=list, blank=True)
    abandoned_at = models.DateTimeField(null=True, blank=True)

    objects = StageQuerySet.as_manager()

    class Meta:
        ordering = ["number", "side", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["play_off", "number", "side"], condition=Q(abandoned_at__isnull=True), name="one_stage_a_side"
            )
        ]

    def __str__(self) -> str:
        return f"{self.play_off}, {self.get_side_display()} {self.number}"

    @property
    def is_final(self) -> bool:
        """Whether the side comes to its end here."""
        return self.places is None and self.side != Stage.Side.ALL

    def called(self, tables: int) -> str:
        """What stands over its tables, of which there are so many."""
        if self.side == Stage.Side.ALL:
            return "The groups" if tables > 1 else "The group"
        if self.is_final:
            if self.play_off.losers_count == 0:
                return "The final"
            return "Winners’ table" if self.side == Stage.Side.WINNERS else "Losers’ table"
        whose = "" if self.play_off.losers_count == 0 else f"{self.side}’ "
        return f"{whose}{nth_round(self.number)}".capitalize()


class Ruling(Portable, ResultSource):
    """What an organiser decided about a play-off by hand, with a reason; it stands until it is withdrawn.

    `says` by kind: `cut` {"table": id, "version": write of its sheet}; `draw` {"<player id>": "rank", …} of those who
    drew for the loser's trophy; `hands` (finals of different length) {"choice": "…", "hands": [winners' table, losers'
    table]}, and where one plays on "table" and "version"; `keep` and `redraw` what a correction would have moved
    (`clubs.play_off_rounds.corrections`): players, and stages by their `uid`.
    """

    result_fields = ("kind", "says", "withdrawn_at")

    class Kind(models.TextChoices):
        CUT = "cut", "a tie across the line"
        DRAW = "draw", "cards drawn for the loser’s trophy"
        KEEP = "keep", "kept as played after a correction"
        REDRAW = "redraw", "drawn again after a correction"
        HANDS = "hands", "finals of different length"

    play_off = models.ForeignKey(PlayOff, on_delete=models.CASCADE, related_name="rulings")
    kind = models.CharField(max_length=6, choices=Kind)
    says = models.JSONField(default=dict)
    reason = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField(default=timezone.now)
    by = models.ForeignKey(Member, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = ResultSourceQuerySet["Ruling"].as_manager()

    class Meta:
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.reason}"
