"""Files that are called like an injection: their names are text wherever the site shows one, and kept nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

import pytest
from django.apps import apps
from django.http import HttpResponse
from django.http.multipartparser import MultiPartParser
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.archive.export import packed
from clubs.imports.samples import spreadsheet
from clubs.models import Night, Photo
from tests.clubs.archive.years import Years, forgotten, picture
from tests.clubs.full_club import FullClub
from tests.factories import new_key
from tests.trust.attempts import Attempt
from tests.trust.injections.outputs import with_single_spaces, words_in, wrong_in
from tests.trust.injections.texts import injections
from tests.trust.pages.test_crawl import browser

#: Of every photo; nothing else has it.
ENDING = ".picture"
#: How a file is handed in under a name, and the page that follows.
HandIn = Callable[[str], HttpResponse]


def post(client: Client, address: str, field: str, name: str, content: bytes, **more: str) -> HttpResponse:
    """Post a file as a browser does, with the name letter by letter; the page that follows."""
    fields = "".join(
        f'--part\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n' for key, value in more.items()
    )
    file = (
        f"--part\r\nContent-Disposition: form-data; name=\"{field}\"; filename*=UTF-8''{quote(name, safe='')}\r\n\r\n"
    )
    body = f"{fields}{file}".encode() + content + b"\r\n--part--\r\n"
    return client.post(address, body, content_type="multipart/form-data; boundary=part", follow=True)


def places() -> dict[str, HandIn]:
    """By name: where the site takes a file, and shows what it is called."""
    owner, organiser = browser("owner", house := Years("files").club), browser("organiser", house)
    results, club, new = spreadsheet("results", "csv"), packed(house), of_another_club()
    return {
        "a sheet": lambda name: post(Client(), reverse("import_sheet"), "file", name, b"{}", key=new_key()),
        "results": lambda name: post(organiser, reverse("import_past", args=[house.slug]), "file", name, results),
        "a club": lambda name: post(organiser, reverse("import_club", args=[house.slug]), "file", name, club),
        "a new club": lambda name: post(owner, reverse("bring_club"), "file", name, new),
    }


def of_another_club() -> bytes:
    """The file of a club that is new here."""
    club = Years("elsewhere").club
    file = packed(club)
    forgotten(club)
    return file


def called(name: str) -> str:
    """What is left of a name of a file: what looks like a folder before it is cut off; "": it is no file."""
    return MultiPartParser.sanitize_file_name(None, name) or ""


def rows_with(text: str) -> list[str]:
    """Where in the database it stands."""
    return [
        f"{model.__name__} {row}"
        for app in ("clubs", "scoresheets")
        for model in apps.get_app_config(app).get_models()
        for row in model._base_manager.values()
        if text in f"{row}"
    ]


@pytest.mark.databases_differ
@pytest.mark.promise(7)
@pytest.mark.thorough
@pytest.mark.django_db
@pytest.mark.timeout(1800)
def test_names_of_files_are_text(attempt: Attempt) -> None:
    names = list(injections())[:: attempt.size(20, 1)]
    wrong, shown, anywhere = list[str](), 0, places()
    for place, hand_in in anywhere.items():
        for name in names:
            page = hand_in(name)
            wrong += [f"{place}: {line}" for line in wrong_in(page)]
            kept = with_single_spaces(called(name))
            if kept and kept not in words_in(page):
                wrong.append(f"{place}: {page.status_code} does not say {kept!r}")
            shown += bool(kept)
    assert wrong == []
    assert shown > 0.9 * len(names) * len(anywhere)
    attempt.saw(
        f"files called like {len(names)} injections handed in at {len(anywhere)} places: {shown} names shown as text"
    )


@pytest.mark.promise(7)
@pytest.mark.django_db
def test_name_of_a_photo_is_not_kept(attempt: Attempt) -> None:
    house = FullClub()
    Night.objects.filter(pk=house.night.pk).update(begun_at=timezone.now())
    before, organiser = list(Photo.objects.values_list("pk", flat=True)), house.browser("organiser")
    names = list(injections())[:: attempt.size(50, 1)]
    address = reverse("add_night_photo", args=[house.club.slug, house.night.pk])
    for name in names:
        page = post(organiser, address, "photo", f"{name}{ENDING}", picture(), caption="")
        assert page.status_code == 200
        assert ENDING not in words_in(page)
        photo = Photo.objects.exclude(pk__in=before).get()
        assert rows_with(ENDING) == []
        # The same picture a second time would not be kept.
        photo.delete()
    attempt.saw(f"photos called like {len(names)} injections: the name is not kept")
