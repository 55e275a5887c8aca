"""Files of clubs: uploads that wait for confirmation, exports that were requested, and photos."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from clubs.models.base import ResultSource, ResultSourceQuerySet
from clubs.models.club import Club
from scoresheets.models.sheet import new_token


class UploadQuerySet(ResultSourceQuerySet["Upload"]):
    def being_written(self) -> UploadQuerySet:
        """Those that somebody said yes to, and of which not everything is written yet."""
        return self.filter(confirmed_at__isnull=False, taken_at__isnull=True)

    def waiting(self) -> UploadQuerySet:
        """All others: nobody said yes, or there is nothing left to write."""
        return self.exclude(confirmed_at__isnull=False, taken_at__isnull=True)


class Upload(ResultSource):
    """A file that was handed in, until whoever brought it has seen what it would change and says yes.

    Nobody else sees it. `club` is null for a club that is new here. It is kept for hours only, but for what is being
    written: results and holders of the past are written in pieces after the yes (`clubs.imports.writing`).
    """

    result_fields = ("confirmed_at", "taken_at")

    class Kind(models.TextChoices):
        CLUB = "club", "a whole club"
        RESULTS = "results", "results of the past"
        HOLDERS = "holders", "holders of trophies"

    kind = models.CharField(max_length=8, choices=Kind)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, null=True, related_name="uploads")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="uploads")
    #: What the file was called.
    called = models.CharField(max_length=80)
    #: SHA-256 (hex) of the founding code with which a new club may be taken in; "" where none is needed.
    code_hash = models.CharField(max_length=64, blank=True)
    #: The file; of results and holders the lines of the sheet (`clubs.imports.spreadsheet.packed`), then the plan of
    #: what is written (`clubs.imports.writing`).
    content = models.BinaryField()
    at = models.DateTimeField(default=timezone.now)
    #: Who a name is that nobody knew, as it was chosen on the page: the id of a member by the key of the name.
    picks = models.JSONField(default=dict, blank=True)
    #: Since when it is being written, and who said yes.
    confirmed_at = models.DateTimeField(null=True, blank=True)
    confirmed_by = models.ForeignKey("Member", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    #: Those who are new to the club by it (ids of members), in the order of the plan.
    newcomers = models.JSONField(default=list, blank=True)
    #: How much there is to write, how much of it is done, and how much of that did not stand there before.
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    added = models.PositiveIntegerField(default=0)
    taken_at = models.DateTimeField(null=True, blank=True)

    objects = UploadQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.called

    @property
    def is_being_written(self) -> bool:
        return self.confirmed_at is not None and self.taken_at is None


class ClubExport(models.Model):
    """The file of a club, from when an organiser asks for it: one for each club (`clubs.archive.background`).

    The file lies in a folder, named after `key`; nothing of what is in it is in this row.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "nobody makes it yet"
        MAKING = "making", "a process makes it"
        READY = "ready", "it can be saved"
        FAILED = "failed", "it could not be made"

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="export")
    key = models.CharField(max_length=32, unique=True)
    state = models.CharField(max_length=7, choices=State, default=State.WAITING)
    asked_at = models.DateTimeField(default=timezone.now)
    #: When the process that makes it has last shown that it lives, or when it was done.
    seen_at = models.DateTimeField(null=True, blank=True)
    #: How many processes have begun it.
    tries = models.PositiveSmallIntegerField(default=0)
    #: Sheets that are in it, and how many it will have.
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    #: Why it could not be made, in a sentence.
    problem = models.CharField(max_length=200, blank=True)

    def __str__(self) -> str:
        return f"{self.club}: {self.state}"

    @property
    def is_under_way(self) -> bool:
        return self.state in (self.State.WAITING, self.State.MAKING)


class PhotoQuerySet(models.QuerySet["Photo"]):
    def without_pictures(self) -> PhotoQuerySet:
        """What a page needs to show them, without the pictures themselves."""
        return self.select_related("by__same_as").defer("large", "small").order_by("pk")


class Photo(models.Model):
    """A photo of a night, or of the handover of a trophy, as the site has made it: upright, and without metadata."""

    #: Whoever has it may ask for the photo; the club answers who may see it.
    key = models.CharField(max_length=22, unique=True, default=new_token, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="photos")
    #: Of one of the two.
    night = models.ForeignKey("Night", on_delete=models.CASCADE, null=True, blank=True, related_name="photos")
    award = models.OneToOneField("Award", on_delete=models.CASCADE, null=True, blank=True, related_name="photo")
    #: Who added it; null for the owner of the site.
    by = models.ForeignKey("Member", on_delete=models.SET_NULL, null=True, blank=True, related_name="photos")
    caption = models.CharField(max_length=120, blank=True)
    #: WebP, for its page and for lists.
    large = models.BinaryField()
    small = models.BinaryField()
    #: Pixels of both.
    large_width = models.PositiveSmallIntegerField()
    large_height = models.PositiveSmallIntegerField()
    small_width = models.PositiveSmallIntegerField()
    small_height = models.PositiveSmallIntegerField()
    #: SHA-256 (hex) of the large one: the same photo is added once.
    digest = models.CharField(max_length=64)
    at = models.DateTimeField(default=timezone.now)

    objects = PhotoQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(night__isnull=True, award__isnull=False) | Q(night__isnull=False, award__isnull=True),
                name="photo_of_a_night_or_an_award",
            ),
        ]

    def __str__(self) -> str:
        return self.caption or f"photo {self.key}"

    def get_absolute_url(self) -> str:
        return reverse("photo", args=[self.club.slug, self.key])


class CacheRow(models.Model):
    """A row of the database cache, shared by all workers. Django reads and writes it past this model.

    It is a model so that the table comes with the migrations.
    """

    cache_key = models.CharField(max_length=255, primary_key=True)
    value = models.TextField()
    expires = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "clubs_cache"

    def __str__(self) -> str:
        return self.cache_key
