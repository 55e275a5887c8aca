"""Bundles: one style sheet and one script for a page, made of our files as they are."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client, override_settings
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from clubs.site import bundles
from clubs.site.bundles import shorter_style, with_bundles
from clubs.site.script_modules import BundleProblem, Part, all_needed, part_of, pieces, without_comments, written
from tests.club_factories import ClubFactory
from tests.conftest import PROJECT
from tests.factories import scorer

SCRIPTS = {
    file.relative_to(PROJECT / "static/js").as_posix(): file.read_text()
    for file in sorted((PROJECT / "static/js").rglob("*.js"))
    if f"js/{file.relative_to(PROJECT / 'static/js').as_posix()}" not in bundles.NO_MODULES
}

HASHED = {"staticfiles": {"BACKEND": "clubs.site.storage.HashedStaticFiles"}}


def meant(text: str) -> list[str]:
    """The pieces of a script that say something."""
    return [piece for kind, piece in pieces(text) if kind not in ("comment", "space")]


# Modules


def test_module_becomes_a_function_that_gets_its_imports_and_returns_its_exports() -> None:
    part = part_of(
        "pad/a.js",
        'import * as all from "./b.js";\nimport { x as y, z } from "../lib/c.js";\nimport "../d.js";\n'
        "export const one = 1; // a comment\nexport async function two() {\n"
        '  return (await import("../pad_later/e.js")).e;\n}\nconst four = 4;\nexport { four, y as five };\n',
    )
    assert part.imports == ("pad/b.js", "lib/c.js", "d.js")
    assert part.later == ("pad_later/e.js",)
    assert part.text.splitlines() == [
        'const all=use("pad/b.js");',
        'const{x:y,z}=use("lib/c.js");',
        'use("d.js");',
        "const one=1;",
        "async function two(){",
        'return(await load("pad_later/e.js")).e;',
        "}",
        "const four=4;",
        "return{one,two,four,five:y};",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "export let changing = 1;",
        "export default 1;",
        'export { a } from "./a.js";',
        'import a from "./a.js";',
        "await fetch('/');",
        "const here = import.meta.url;",
        "const at = await import(name);",
        "const open = `never closed",
    ],
)
def test_what_cannot_be_had_in_a_bundle_is_refused(text: str) -> None:
    with pytest.raises(BundleProblem):
        part_of("a.js", text)


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_script_of_ours_can_be_bundled_and_says_the_same_there(name: str) -> None:
    part = part_of(name, SCRIPTS[name])
    assert {*part.imports, *part.later} <= set(SCRIPTS), "what is imported is there"
    assert meant(without_comments(SCRIPTS[name])) == meant(SCRIPTS[name])


#: Pieces of a script that may stand beside one another in any order, if there is a line between them.
SNIPPETS = [
    "a / b / c", "x = /[/'\"`]\\/\\//g.test(y)", "`a // ${ b + `/* ${'}'} */` } c`", "'it\\'s // none'", '"/* none */"',
    "return /}/", "f(a)[0] / 2", "i++ + +j", "({ a: `{` })", "`${ { a: {} }.a }`", "n ? .5 : 1", "(b) => `\\`${b}`",
]  # fmt: skip
BETWEEN = ["\n", "\n\n   ", " // it's `open\n", "\n/* ${ ' */\n", "\n// /\n"]


@given(st.lists(st.tuples(st.sampled_from(SNIPPETS), st.sampled_from(BETWEEN))))
def test_comments_and_spaces_are_all_that_is_left_out(written: list[tuple[str, str]]) -> None:
    text = "".join(f"{snippet};{between}" for snippet, between in written)
    shorter = without_comments(text)
    assert meant(shorter) == [piece for snippet, _ in written for piece in meant(f"{snippet};")]
    assert without_comments(shorter) == shorter
    assert len(shorter.splitlines()) == len(written), "a line stays a line"
    assert "it's" not in shorter


def test_modules_come_after_what_they_import_and_those_of_later_after_all() -> None:
    parts = {
        "a": Part("", ("b", "c"), ("d",)), "b": Part("", ("c",), ()), "c": Part("", (), ()),
        "d": Part("", ("c", "e"), ()), "e": Part("", (), ("a",)),
    }  # fmt: skip
    assert all_needed(["a"], parts.__getitem__, later=False) == ["c", "b", "a"]
    assert all_needed(["a"], parts.__getitem__, later=True) == ["c", "b", "a", "e", "d"]
    assert written(["c"], parts.__getitem__) == 'const parts={\n"c"(use,load){\n\n},\n};\n'


# Style sheets


def test_style_sheet_loses_comments_and_spaces_and_nothing_else() -> None:
    text = """/* one { */
    a, b :is(i) {
      content: "/* no  comment; */" '}' ;  margin: calc(1px + 2px) auto;
    }
    @media (min-width: 10em) { c > d { color: red } }
    """
    assert shorter_style(text).splitlines() == [
        """a,b :is(i){content: "/* no  comment; */" '}';margin: calc(1px + 2px) auto;}""",
        "@media (min-width: 10em){c > d{color: red}",
        "}",
    ]


# Pages


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The static files of production."""
    folder = tmp_path_factory.mktemp("static")
    with override_settings(STATIC_ROOT=folder, STORAGES=settings.STORAGES | HASHED):
        call_command("collectstatic", verbosity=0, interactive=False)
    return folder


@pytest.fixture
def bundled(settings: Settings, collected: Path) -> None:
    """Pages are sent as in production."""
    settings.STATIC_ROOT = collected
    settings.STORAGES = settings.STORAGES | HASHED


def loads(page: str) -> list[str]:
    """The addresses of the style sheets and modules in the head of a page."""
    head = re.sub(r"<noscript>.*?</noscript>", "", page.partition("</head>")[0], flags=re.S)
    return re.findall(r'<link rel="stylesheet" href="([^"]+)"', head) + re.findall(r'type="module" src="([^"]+)"', head)


@pytest.mark.django_db
def test_each_page_loads_one_style_sheet_and_at_most_one_module(client: Client, bundled: None) -> None:
    """And those are sent, for ever, and smaller to whoever takes them so."""
    club = ClubFactory()
    sheet = scorer().sheet
    addresses = set[str]()
    for path in (
        "/",
        "/open/",
        "/no-connection/",
        "/clubs/",
        f"/clubs/{club.slug}/in/{club.key}/",
        f"/watch/{sheet.watch}/",
    ):
        page = client.get(path, follow=True).content.decode()
        styles = [address for address in loads(page) if address.endswith(".css")]
        assert (len(styles), len(loads(page)) - len(styles) <= 1) == (1, True), (path, loads(page))
        addresses |= set(loads(page))
    assert any("base+page+club" in address for address in addresses)
    for address in addresses:
        assert re.fullmatch(r"/static/bundles/[\w+-]+\.[0-9a-f]{12}\.(css|js)", address)
        plain, small = client.get(address), client.get(address, headers={"Accept-Encoding": "br, gzip"})
        assert (plain.status_code, small["Content-Encoding"]) == (200, "gzip")
        assert gzip.decompress(small.content) == plain.content
        assert "immutable" in small["Cache-Control"]
        assert small["Vary"] == "Accept-Encoding"
        head = client.head(address, headers={"Accept-Encoding": "gzip"})
        assert (head.content, head["Content-Length"]) == (b"", str(len(small.content)))


@pytest.fixture
def asks(client: Client, bundled: None) -> Callable[[str], int]:
    """The status of the bundle of these names with the digest of now."""
    return lambda path: client.get(f"/static/bundles/{path}".replace("NOW", bundles.digest_of_all())).status_code


@pytest.mark.django_db
def test_only_bundles_of_our_files_and_of_this_release_are_sent(asks: Callable[[str], int], client: Client) -> None:
    assert asks("base+page.NOW.css") == 200
    assert asks("pad-bidding.NOW.js") == 200
    assert asks("later/pad-bidding.NOW.js") == 200
    for path in (
        "base+page.0123456789ab.css", "base+base.NOW.css", "nothing.NOW.css", "pad-bidding.NOW.css", "base.NOW.js",
        "later/base.NOW.css", "sw.NOW.js", "..-..-settings.NOW.js", "+.NOW.css", "base.NOW.css/", ".NOW.css",
        "+".join(f"base{number}" for number in range(100)) + ".NOW.css",
    ):  # fmt: skip
        assert asks(path) == 404, path
    assert client.post(f"/static/bundles/base.{bundles.digest_of_all()}.css").status_code == 404


@pytest.mark.django_db
def test_later_bundle_has_nothing_that_the_page_has_already(client: Client, bundled: None) -> None:
    def parts(folder: str) -> set[str]:
        text = client.get(
            bundles.address_of("js", ["pad-bidding"], bundles.digest_of_all(), folder=folder)
        ).content.decode()
        return set(re.findall(r'^"([\w/]+\.js)"\(use,load\)', text, re.M))

    first, later = parts("bundles/"), parts("bundles/later/")
    assert {"pad/session.js", "pad/outbox.js", "lib/html.js"} <= first
    assert {"pad_later/offline.js", "pad_later/conflict.js", "pad/panels.js", "pages/sheet.js"} <= later
    assert not first & later


def test_only_our_own_files_are_bundled_and_each_under_its_condition(bundled: None) -> None:
    kept = '<noscript><link rel="stylesheet" href="/static/css/sheet.0123456789ab.css"></noscript>'
    foreign = '<script src="/static/django_htmx/htmx.0123456789ab.js" defer></script>'
    head = (
        '<link rel="stylesheet" href="/static/css/base.0123456789ab.css">' + kept + foreign
        + '<link rel="stylesheet" href="/static/css/large_text.css" media="(max-width: 19em)">'
        + '<link rel="stylesheet" href="/static/other/a.css">'
        + '<script type="module" src="/static/js/lib/times.js"></script>'
        + '<script src="/static/js/pages/open.js" type="module"></script>'
    )  # fmt: skip
    digest = bundles.digest_of_all()
    styles, script = f"base+large_text-narrow.{digest}.css", f"lib-times+pages-open.{digest}.js"
    assert with_bundles(head) == (
        f'<link rel="stylesheet" href="/static/bundles/{styles}">' + kept + foreign
        + '<link rel="stylesheet" href="/static/other/a.css">'
        + f'<script type="module" src="/static/bundles/{script}"></script>'
    )  # fmt: skip
    bundle = bundles.bundle_at(f"/static/bundles/{styles}")
    assert bundle is not None
    assert b"@media (max-width: 19em){" in gzip.decompress(bundle)


@pytest.mark.django_db
def test_in_development_every_file_is_loaded_by_itself(client: Client) -> None:
    page = client.get("/open/").content.decode()
    assert [address.rpartition("/")[2] for address in loads(page)] == [
        "base.css",
        "page.css",
        "open.css",
        "large_text.css",
        "open.js",
        "open_offline.js",
        "unsent_sheets.js",
    ]
