"""Files that lie are refused soon and in little memory, wherever one may hand in a file, and nothing is written."""

from __future__ import annotations

import itertools
import json
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from clubs.archive.export import document_of, packed
from clubs.imports.samples import spreadsheet
from clubs.models import Upload
from tests.clubs.archive.years import picture
from tests.clubs.full_club import FullClub
from tests.factories import new_key
from tests.scoresheets.laid import document as document_of_sheet
from tests.trust.attempts import Attempt
from tests.trust.security.lying_files import ANY_KIND, that_lead_elsewhere

pytestmark = [pytest.mark.promise(8, beside="nothing"), pytest.mark.django_db, pytest.mark.timeout(1800)]

#: Seconds and MiB within which each is refused.
SOON, LITTLE = 2.0, 200
#: Those that are tried in every run.
FEW = ("a workbook: lies about its size", "a picture of 50,000 x 50,000", "deep lists")
#: How a site says that there is something wrong with a file: too large, or not what it takes.
REFUSED = (413, 422)
#: What a site keeps for a while beside its records: limits, who uses a session, and files until somebody agrees.
NOT_RECORDS = ("CacheRow", "User", "BrowserSession", "Upload")


@dataclass
class Handed:
    """What handing in files came to: how many there were, the longest time (s) and the most memory (MiB) of one."""

    files: int = 0
    longest: float = 0.0
    most: float = 0.0

    def watch(self, hand_in: Callable[[], int]) -> int:
        """The status of a file that is handed in, timed and measured."""
        before, begin = peak_memory(anew=True), time.perf_counter()
        status = hand_in()
        self.longest = max(self.longest, time.perf_counter() - begin)
        self.most = max(self.most, peak_memory() - before)
        self.files += 1
        return status


def peak_memory(*, anew: bool = False) -> float:
    """The most memory (MiB) that this process has had; `anew`: since now."""
    if anew:
        Path("/proc/self/clear_refs").write_text("5")
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def rows() -> dict[str, Counter[str]]:
    """Every row of the site."""
    models = [model for app in ("clubs", "scoresheets") for model in apps.get_app_config(app).get_models()]
    return {
        model.__name__: Counter(map(repr, model._base_manager.values_list()))
        for model in models
        if model.__name__ not in NOT_RECORDS and not model._meta.proxy
    }


def places(house: FullClub) -> dict[str, Callable[[bytes, str], HttpResponse]]:
    """By name: how a file is handed in where the site takes one."""
    organiser, slug, networks = house.browser("organiser"), house.club.slug, itertools.count(1)

    def at(view: str, field: str, *args: object, **more: str) -> Callable[[bytes, str], HttpResponse]:
        address = reverse(view, args=args)

        def hand_in(content: bytes, file: str) -> HttpResponse:
            return organiser.post(address, {field: SimpleUploadedFile(file, content), **more})

        return hand_in

    def sheet(content: bytes, file: str) -> HttpResponse:
        # Each from a network of its own: who sends many is refused before the file is looked at.
        guest = Client(REMOTE_ADDR="10.{}.{}.1".format(*divmod(next(networks), 250)))
        return guest.post(reverse("import_sheet"), {"file": SimpleUploadedFile(file, content), "key": new_key()})

    return {
        "sheet": sheet,
        "results of the past": at("import_past", "file", slug),
        "club": at("import_club", "file", slug),
        "photo of a night": at("add_night_photo", "photo", slug, house.night.pk),
        "photo of an award": at("add_handover_photo", "photo", slug, house.award.pk),
        "trophy": at("new_trophy", "picture", slug, name="The Cup", goes="winner", drawing="cup"),
    }


def house_that_can_be_moved() -> FullClub:
    """One whose file is taken: with the picture of its trophy, which is none in other tests."""
    house = FullClub()
    house.trophy.put_picture(picture())
    house.trophy.save()
    return house


def honest(house: FullClub) -> dict[str, bytes]:
    """By name of a place: a file that it takes."""
    return {
        "sheet": json.dumps(document_of_sheet()).encode(),
        "results of the past": spreadsheet("results", "csv"),
        "club": packed(house.club),
        "photo of a night": picture(),
        "photo of an award": picture(),
        "trophy": picture(),
    }


@pytest.mark.databases_differ
@pytest.mark.thorough
def test_file_that_lies_is_refused_everywhere_and_nothing_is_written(attempt: Attempt, tmp_path: Path) -> None:
    house, handed, document = house_that_can_be_moved(), Handed(), tmp_path / "file.json"
    before, uploads, taken = rows(), set(Upload.objects.values_list("pk", flat=True)), []
    hand_in_at = places(house)
    for kind in ANY_KIND if attempt.whole else FEW:
        content = ANY_KIND[kind]()
        for place, hand_in in hand_in_at.items():
            for ending in ("json", "xlsx", "png"):
                status = handed.watch(lambda: hand_in(content, f"file.{ending}").status_code)  # noqa: B023
                taken += [] if status in REFUSED else [f"{kind} at {place}: {status}"]
        document.write_bytes(content)
        handed.watch(lambda: scored(document))
        assert rows() == before, kind
    assert taken == []
    assert set(Upload.objects.values_list("pk", flat=True)) <= uploads
    # It is the file for which each is refused: another is taken at the same place.
    assert {place: hand_in_at[place](content, "file").status_code for place, content in honest(house).items()} == (
        dict.fromkeys(hand_in_at, 303)
    )
    told(
        handed,
        f"{len(ANY_KIND)} kinds of files at {len(hand_in_at) + 1} places: {handed.files:,} times refused",
        attempt,
    )


def scored(file: Path) -> int:
    """What `manage.py score` ends with."""
    with pytest.raises((CommandError, SystemExit)) as ended:
        call_command("score", str(file))
    return int(getattr(ended.value, "returncode", 1))


def told(handed: Handed, what: str, attempt: Attempt) -> None:
    attempt.saw(f"{what}, {handed.longest:.1f} s and {handed.most:.0f} MiB at most")
    if attempt.whole:
        assert handed.longest < SOON
        assert handed.most < LITTLE


def test_club_file_that_leads_elsewhere_writes_nothing_before_somebody_agreed(attempt: Attempt) -> None:
    """Such a file is shown as what it would change; what cannot be is refused."""
    house, handed = house_that_can_be_moved(), Handed()
    document = json.loads(json.dumps(document_of(house.club)))
    hand_in, before = places(house)["club"], rows()

    def brought(content: bytes) -> int:
        return handed.watch(lambda: hand_in(content, "club.json").status_code)

    # As it is, it is shown.
    assert brought(json.dumps(document).encode()) == 303
    statuses = Counter(brought(content) for _, content in that_lead_elsewhere(document))
    assert set(statuses) <= {303, 422}
    assert rows() == before
    told(
        handed,
        f"club files with foreign ids and cycles: {statuses[422]} refused, {statuses[303]} shown and not written",
        attempt,
    )
