"""The club, its audit log, and its codes."""

from __future__ import annotations

import datetime
import re
import zoneinfo

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from clubs.models.base import Portable
from scoresheets.models.sheet import new_token

LONGEST_CLUB_NAME = 60


def usual_time_zone() -> str:
    """The zone of the site."""
    return settings.TIME_ZONE


class ClubQuerySet(models.QuerySet["Club"]):
    def open(self) -> ClubQuerySet:
        """Clubs that were not put away."""
        return self.filter(archived_at__isnull=True)

    def real(self) -> ClubQuerySet:
        """All but the demo, and evenings without a club."""
        return self.filter(is_demo=False, is_evening=False)


class Recounted(models.Model):
    """A standing that is counted differently since a day, because scores of different games are not compared any more.

    On a club it speaks of the standing of all time.
    """

    counted_since = models.DateField(null=True, editable=False)
    #: How it was counted before: "Games won, ties by average score".
    counted_before = models.CharField(max_length=200, blank=True, editable=False)
    #: An organiser has read it.
    counted_seen = models.BooleanField(default=False, editable=False)

    class Meta:
        abstract = True


#: The origin of a web site. It stands in a header, and nothing else may get there: a host of letters, digits, hyphens
#: and dots, and a port.
ORIGIN = re.compile(r"https?://[a-z0-9](?:[a-z0-9.-]{0,180}[a-z0-9])?(?::[0-9]{1,5})?", re.ASCII)


class Weekday(models.IntegerChoices):
    """A day of the week, as `datetime.date.weekday` counts."""

    MONDAY = 0, "Monday"
    TUESDAY = 1, "Tuesday"
    WEDNESDAY = 2, "Wednesday"
    THURSDAY = 3, "Thursday"
    FRIDAY = 4, "Friday"
    SATURDAY = 5, "Saturday"
    SUNDAY = 6, "Sunday"


class UsualTrophies(models.TextChoices):
    """What the trophies of a night can follow before its tables are known: values of `Night.Follows`."""

    PLAY_OFF = "play-off", "a play-off for the trophies"
    NOTHING = "nothing", "tables without trophies"


class Club(Portable, Recounted):
    """A card club.

    `slug` is its address on the site; `key` opens it to those without an account (`clubs.access.visit`).
    """

    class Visibility(models.TextChoices):
        LINK = "link", "anyone with the club’s link"
        PUBLIC = "public", "everybody"
        MEMBERS = "members", "members who sign in, and nobody else"

    name = models.CharField(max_length=LONGEST_CLUB_NAME)
    slug = models.SlugField(max_length=40, unique=True)
    #: Where it meets, for the calendar.
    place = models.CharField(max_length=120, blank=True)
    about = models.CharField(max_length=400, blank=True)
    time_zone = models.CharField(max_length=40, default=usual_time_zone)
    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.LINK)
    #: What stands in the club's link and QR code; another one takes the old link's force.
    key = models.CharField(max_length=22, unique=True, default=new_token, editable=False)
    #: What stands in the address of its calendar, which has no cookie and no account.
    calendar_key = models.CharField(max_length=22, unique=True, default=new_token, editable=False)
    #: What it plays where nobody says otherwise, by its slug; "": what it has played most.
    main_game = models.CharField(max_length=40, blank=True)
    #: Trophies go to the winner at once; otherwise an organiser confirms it.
    awards_at_once = models.BooleanField(default=False)
    #: The origin of the web site that may show a standing in a frame: "https://www.example.org"; "": none.
    frame_origin = models.CharField(max_length=200, blank=True)
    #: A usual evening, as a night is planned: its weekday (0 is Monday) and its hour; place and game stand above.
    usual_day = models.PositiveSmallIntegerField(choices=Weekday, null=True, blank=True)
    usual_begins = models.TimeField(null=True, blank=True)
    #: What its trophies follow; "": that is asked when the tables are drawn.
    usual_trophies = models.CharField(max_length=8, choices=UsualTrophies, blank=True)
    #: Of the first steps of a new club (`clubs.club.first_steps`): the code is on the wall, there are no results of the
    #: past, and the list is hidden.
    code_on_wall = models.BooleanField(default=False, editable=False)
    no_past_results = models.BooleanField(default=False, editable=False)
    first_steps_hidden = models.BooleanField(default=False, editable=False)
    is_demo = models.BooleanField(default=False, editable=False)
    #: An evening without a club: the people of one night, which a phone without an account runs
    #: (`clubs.evening.without_club`).
    is_evening = models.BooleanField(default=False, editable=False)
    #: The club that has taken the evening in.
    moved_to = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    created = models.DateTimeField(default=timezone.now)
    archived_at = models.DateTimeField(null=True, blank=True)

    objects = ClubQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("club", args=[self.slug])

    @property
    def failures(self) -> int | None:
        """How often a result that waits to be counted has failed; None: none waits. Known at a visit."""
        return vars(self).get("most_failures")

    @property
    def is_being_counted(self) -> bool:
        """Whether results of the club wait to be counted, as known at the visit."""
        return self.failures is not None

    @property
    def zone(self) -> datetime.tzinfo:
        return zoneinfo.ZoneInfo(self.time_zone)

    def today(self) -> datetime.date:
        """The day it is where the club is."""
        return timezone.localdate(timezone=self.zone)


class AuditEntry(models.Model):
    """What was done in a club's name, by whom and when, in a sentence. Lines are only added."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="audit_entries")
    at = models.DateTimeField(default=timezone.now)
    #: Who did it; null: the site itself.
    by = models.ForeignKey("Member", on_delete=models.SET_NULL, null=True, related_name="+")
    says = models.CharField(max_length=300)

    class Meta:
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return self.says


#: What an organiser may call a read key.
LONGEST_LABEL = 60


class ReadKeyQuerySet(models.QuerySet["ReadKey"]):
    def good(self) -> ReadKeyQuerySet:
        """Those that were not revoked."""
        return self.filter(revoked_at__isnull=True)


class ReadKey(models.Model):
    """A key by which a program reads what the club shows, and changes nothing (`clubs.api`).

    Only its hash is kept; the key was shown once, to the organiser who made it.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="read_keys")
    #: What it is for: "The bakery’s web site".
    label = models.CharField(max_length=LONGEST_LABEL)
    key_hash = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(default=timezone.now)
    #: The last day on which something was read with it, where the club is; None: never.
    last_used_on = models.DateField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = ReadKeyQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return self.label


#: How long a code is good by which somebody becomes an organiser.
ORGANISER_CODE_LASTS = datetime.timedelta(days=7)


class FoundingCodeQuerySet(models.QuerySet["FoundingCode"]):
    def founding(self) -> FoundingCodeQuerySet:
        """Those that still found a club."""
        return self.filter(club__isnull=True, used_at__isnull=True)

    def for_organisers(self) -> FoundingCodeQuerySet:
        """Those by which somebody still becomes an organiser."""
        made_after = timezone.now() - ORGANISER_CODE_LASTS
        return self.filter(club__isnull=False, used_at__isnull=True, made_at__gt=made_after)


class FoundingCode(models.Model):
    """A one-time code: it founds a club or, with `club`, makes who enters it an organiser of that one.

    Only its hash is kept; the code was shown once, in the terminal.
    """

    code_hash = models.CharField(max_length=64, unique=True)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, null=True, blank=True, related_name="organiser_codes")
    made_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(null=True, blank=True)

    objects = FoundingCodeQuerySet.as_manager()

    def __str__(self) -> str:
        return f"founding code of {self.made_at:%Y-%m-%d}"
