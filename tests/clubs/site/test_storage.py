"""In production every file has a name that changes with its content."""

import posixpath
import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

from tests.club_factories import ClubFactory


@pytest.fixture
def static_root(settings: Settings, tmp_path: Path) -> Path:
    """The folder with the static files of production, and two scripts of which one imports the other."""
    own = tmp_path / "own"
    (own / "js").mkdir(parents=True)
    (own / "js" / "pad-test.js").write_text('import { keep } from "./outbox-test.js";\nkeep();\n')
    (own / "js" / "outbox-test.js").write_text("export function keep() {}\n")
    settings.STATICFILES_DIRS = [*settings.STATICFILES_DIRS, own]
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": "clubs.site.storage.HashedStaticFiles"}}
    call_command("collectstatic", verbosity=0, interactive=False)
    return tmp_path / "static"


#: `import "./a.js"`, `… from "../lib/a.js"`, and `import("./a.js")`, which is loaded later.
IMPORT = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*["'](\.{1,2}/[\w./-]+)["']""")


def in_order(scripts: dict[str, str]) -> list[str]:
    """The paths of the scripts, each after all it imports. Raises `CycleError` where they go in a circle."""
    graph = {
        name: [posixpath.normpath(posixpath.join(posixpath.dirname(name), to)) for to in IMPORT.findall(text)]
        for name, text in scripts.items()
    }
    return list(TopologicalSorter(graph).static_order())


def test_our_scripts_import_one_another_in_no_circle(project: Path) -> None:
    """The name of a script changes with its content, and so with the names of all it imports."""
    folder = project / "static" / "js"
    scripts = {file.relative_to(folder).as_posix(): file.read_text() for file in folder.rglob("*.js")}
    order = in_order(scripts)
    assert set(order) == set(scripts), "what is imported is there"
    assert order.index("pad/outbox.js") < order.index("pad/session.js") < order.index("pad/bidding.js")
    assert order.index("pad_later/offline.js") < order.index("pad/session.js"), "also what is loaded later"


@pytest.mark.parametrize("back", ['import "./a.js";', 'export { b } from "./a.js";', 'await import("./a.js");'])
def test_a_circle_of_scripts_is_found(back: str) -> None:
    with pytest.raises(CycleError):
        in_order({"a.js": 'import {\n  b,\n} from "./b.js";', "b.js": back})


@pytest.mark.thorough
def test_script_imports_the_other_by_its_changing_name(static_root: Path) -> None:
    (pad,) = static_root.glob("js/pad-test.*.js")
    imported = re.search(r'"\./(outbox-test\.[0-9a-f]{12}\.js)"', pad.read_text())
    assert imported
    assert (static_root / "js" / imported[1]).exists()


@pytest.mark.thorough
def test_every_file_a_template_names_is_there(static_root: Path, project: Path) -> None:
    named = {
        name
        for template in (project / "templates").rglob("*.html")
        for name in re.findall(r"""\{%\s*static\s+['"]([^'"]+)['"]""", template.read_text())
    }
    assert named
    for name in named:
        assert (static_root / staticfiles_storage.stored_name(name)).exists(), name


@pytest.mark.django_db
def test_front_page_is_drawn_with_the_changing_names(static_root: Path, client: Client) -> None:
    page = client.get("/").content.decode()
    assert re.search(r'href="/static/bundles/base[\w+-]*\.[0-9a-f]{12}\.css"', page)
    assert re.search(r'href="/static/icons/favicon\.[0-9a-f]{12}\.svg"', page)


@pytest.mark.django_db
def test_pages_of_a_club_have_the_styles_of_every_page_and_those_of_clubs(client: Client) -> None:
    club = ClubFactory()
    page = client.get(f"/clubs/{club.slug}/in/{club.key}/", follow=True).content.decode()
    assert re.findall(r'href="[^"]*css/(\w+)[^"]*"', page)[:3] == ["base", "page", "club"]
