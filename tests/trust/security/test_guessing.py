"""Links are guessed, from one address and from many: none is found, and who has the right one still gets in."""

from __future__ import annotations

import random
import re
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import islice

import pytest

from scoresheets.models.sheet import new_token
from tests.bench.lines import Answer, CutOff, Line, get
from tests.bench.live_site import LiveSite
from tests.bench.tables import Table, open_tables
from tests.trust.attempts import POSTGRESQL_IN_FULL, Attempt, Live

pytestmark = [pytest.mark.promise(10), pytest.mark.thorough, pytest.mark.sqlite, pytest.mark.timeout(3600)]

#: The addresses that open something to whoever knows them.
OPEN_BY_TOKEN = (
    "/watch/{}/", "/watch/{}/rows/", "/watch/{}/preview.png", "/keep/{}/", "/sheets/{}/", "/sheets/{}/export.json",
    "/join/{}/", "/calendar/{}.ics",
)  # fmt: skip
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
#: Answers that tell nothing: not there, and too often.
NOT_THERE, TOO_OFTEN = 404, 429
#: How many of a million random tokens any row has, in any column that holds one.
HITS = """
import django
django.setup()
from django.apps import apps
from django.db import models
from scoresheets.models.sheet import new_token
tokens = [new_token() for _ in range({count})]
columns = [
    (model, field.name)
    for app in ("clubs", "scoresheets") for model in apps.get_app_config(app).get_models()
    for field in model._meta.fields
    if isinstance(field, models.CharField) and field.default is new_token and field.name != "uid"
]
found = 0
for model, name in columns:
    for first in range(0, len(tokens), 10_000):
        found += model._base_manager.filter(**{{name + "__in": tokens[first : first + 10_000]}}).count()
print(found, len(columns))
"""
#: Makes links for scorekeepers of a sheet, takes them back, and gives it another address for those who watch.
REVOKED = """
import django
django.setup()
from scoresheets.access.scorekeepers import make_link, known_link, new_watch_address, revoke_link
from scoresheets.models import Sheet
sheet = Sheet.objects.get(code="{code}")
tokens = [make_link(sheet, by=None) for _ in range({count})]
for token in tokens:
    revoke_link(known_link(token))
new_watch_address(sheet, saw=sheet.watch)
print(*tokens)
"""


def asked(site: LiveSite, paths: Iterable[str], *, networks: bool) -> Counter[int]:
    """The statuses of all these addresses, from one network or each from another one."""
    statuses: Counter[int] = Counter()
    line = Line(site.port)
    for path in paths:
        answer: Answer | None = None
        while answer is None:
            try:
                answer = line.ask(get(path, **({"X-Forwarded-For": anybody()} if networks else {})))
            except (OSError, CutOff):
                line = Line(site.port)
        statuses[answer.status] += 1
    line.close()
    return statuses


def anybody() -> str:
    """An address somewhere in the world."""
    return ".".join(str(random.randrange(1, 255)) for _ in range(4))


def random_paths() -> Iterator[str]:
    while True:
        yield random.choice(OPEN_BY_TOKEN).format(new_token())


def neighbours(token: str) -> Iterator[str]:
    """The tokens that differ in one letter, and those that are one shorter, longer, or in other case."""
    for place, old in enumerate(token):
        yield from (token[:place] + letter + token[place + 1 :] for letter in LETTERS if letter != old)
    yield from (token[:-1], token + "A", token.swapcase(), token[::-1], token.upper())


@POSTGRESQL_IN_FULL
def test_no_link_is_found_and_the_right_one_still_opens(live_site: Live, attempt: Attempt) -> None:
    guesses, near = attempt.size(80, 10_000), attempt.size(20, 1_390)
    site = live_site.site
    site.environment["TRUSTED_PROXIES"] = "127.0.0.1"
    site.open()
    table, other = open_tables(site, 2, 4)
    from_one = asked(site, islice(random_paths(), guesses), networks=False)
    from_many = asked(site, islice(random_paths(), guesses), networks=True)
    assert set(from_one) == {NOT_THERE, TOO_OFTEN}
    assert set(from_many) == {NOT_THERE}
    close = [f"/watch/{token}/" for token in islice(neighbours(table.watch), near)]
    close += [f"/sheets/{token}/" for token in islice(neighbours(table.code), near)]
    assert set(asked(site, close, networks=True)) == {NOT_THERE}
    assert_right_link_opens(site, table)
    revoked = site.run("-c", REVOKED.format(code=other.code, count=attempt.size(5, 200))).split()
    gone = [f"/watch/{other.watch}/", f"/watch/{other.watch}/rows/", *(f"/keep/{token}/" for token in revoked)]
    assert set(asked(site, gone, networks=True)) == {NOT_THERE}
    tokens = attempt.size(10_000, 1_000_000)
    found, columns = map(int, site.run("-c", HITS.format(count=tokens)).split())
    assert found == 0
    assert columns >= 3
    assert_nothing_is_written_down(site, [table, other], revoked)
    attempt.saw(
        f"{tokens:,} random tokens in {columns} columns, {2 * guesses:,} random links, {len(close):,} neighbours,"
        f" {len(gone)} revoked ones: none found, {from_one[TOO_OFTEN]:,} refused; the right link opened from the same"
        " address"
    )


def assert_right_link_opens(site: LiveSite, table: Table) -> None:
    """From the network that has guessed too often."""
    with closing(Line(site.port)) as line:
        assert line.ask(get(f"/watch/{secrets.token_urlsafe(16)}/")).status == TOO_OFTEN
        answer = line.ask(get(f"/watch/{table.watch}/"))
        assert answer.status == 200
        head = answer.head.decode().lower()
        assert re.search(r"^referrer-policy: (same-origin|no-referrer|strict-origin)", head, re.MULTILINE), head
        assert re.search(r"^cache-control: .*(no-store|private|no-cache)", head, re.MULTILINE), head


def assert_nothing_is_written_down(site: LiveSite, tables: list[Table], revoked: list[str]) -> None:
    """No address and no secret of a table, and no link that was revoked, is in what the site prints."""
    printed = site.journal.read_text()
    assert " watch 200 " in printed
    kept_back = [*revoked, *(secret for table in tables for secret in (table.code, table.watch, table.cookie))]
    assert [secret for secret in kept_back if secret in printed] == []
