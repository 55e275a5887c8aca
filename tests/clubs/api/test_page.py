"""The page about the interface: it names every address, and leads to the description."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from clubs.api.openapi import description
from tests.clubs.visitors import text

pytestmark = pytest.mark.django_db


def test_page_names_every_address_and_leads_to_the_description(django_assert_num_queries) -> None:
    with django_assert_num_queries(0):
        answer = Client().get("/api/")
    page = text(answer)
    paths: dict[str, object] = description()["paths"]  # type: ignore[assignment]
    assert [path for path in paths if f"<code>{path}</code>" not in page] == []
    assert 'href="/api/v1/openapi.json"' in page
    assert answer["X-Robots-Tag"] == "noindex, nofollow"


def test_example_on_the_page_is_an_address_there_is() -> None:
    paths: dict[str, object] = description()["paths"]  # type: ignore[assignment]
    found = re.findall(r"http://testserver(/api/v1/[^\s&<]+)", text(Client().get("/api/")))
    assert len(found) == 4
    named = [path.partition("?")[0].replace("tuesday", "{slug}").replace("all-time", "{which}") for path in found]
    assert ["key=YOUR-KEY" in path for path in found] == [False, False, True, True]
    assert [path for path in named if path not in paths] == []
