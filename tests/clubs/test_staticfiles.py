"""In production every file has a name that changes with its content."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings


@pytest.fixture
def shelf(settings: Settings, tmp_path: Path) -> Path:
    """The static files as they lie in production, beside two scripts of which one imports the other."""
    own = tmp_path / "own"
    (own / "js").mkdir(parents=True)
    (own / "js" / "pad-test.js").write_text('import { keep } from "./outbox-test.js";\nkeep();\n')
    (own / "js" / "outbox-test.js").write_text("export function keep() {}\n")
    settings.STATICFILES_DIRS = [*settings.STATICFILES_DIRS, own]
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": "clubs.staticfiles.Shelf"}}
    call_command("collectstatic", verbosity=0, interactive=False)
    return tmp_path / "static"


def test_script_imports_the_other_by_its_changing_name(shelf: Path) -> None:
    (pad,) = shelf.glob("js/pad-test.*.js")
    imported = re.search(r'"\./(outbox-test\.[0-9a-f]{12}\.js)"', pad.read_text())
    assert imported
    assert (shelf / "js" / imported[1]).exists()


def test_every_file_a_template_names_is_there(shelf: Path, project: Path) -> None:
    named = {
        name
        for template in (project / "templates").rglob("*.html")
        for name in re.findall(r"""\{%\s*static\s+['"]([^'"]+)['"]""", template.read_text())
    }
    assert named
    for name in named:
        assert (shelf / staticfiles_storage.stored_name(name)).exists(), name


@pytest.mark.django_db
def test_front_page_is_drawn_with_the_changing_names(shelf: Path, client: Client) -> None:
    page = client.get("/").content.decode()
    assert re.search(r'href="/static/css/base\.[0-9a-f]{12}\.css"', page)
