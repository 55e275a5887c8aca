"""What CONTRIBUTING.md promises about the shape of the code, and that what it names is there."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from rules import all_games
from tests.test_layers import LAYERS

PROJECT = Path(__file__).resolve().parent.parent
PACKAGES = ("rules", "scoresheets", "clubs")
TOP_LEVEL = {*PACKAGES, "templates", "static", "tests", "fixtures", ".ci"}
CLOCKS_AND_DICE = {"calendar", "datetime", "os", "random", "secrets", "time", "uuid"}


def tracked() -> list[str]:
    """The files of the repository: what git keeps, and what it would be given next."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.splitlines() if (PROJECT / name).is_file()]


def modules(*packages: str) -> list[Path]:
    return [file for package in packages for file in sorted((PROJECT / package).rglob("*.py"))]


def imports(file: Path) -> Iterator[str]:
    """The dotted names a module imports, wherever it does so; relative ones made absolute."""
    package = file.relative_to(PROJECT).parent.parts
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            yield ".".join([*base, *([node.module] if node.module else [])])


def name_of(file: Path) -> str:
    return str(file.relative_to(PROJECT))


@pytest.mark.parametrize("file", modules("rules"), ids=name_of)
def test_rules_stand_on_the_standard_library_alone_and_know_no_clock_and_no_dice(file: Path) -> None:
    for name in imports(file):
        top = name.split(".")[0]
        assert top == "rules" or top in sys.stdlib_module_names, f"{name_of(file)} imports {name}"
        assert top not in CLOCKS_AND_DICE, f"{name_of(file)} imports {name}"


@pytest.mark.parametrize("file", modules("scoresheets"), ids=name_of)
def test_scoresheets_know_no_club(file: Path) -> None:
    assert [name for name in imports(file) if name.split(".")[0] in ("clubs", "tests")] == []


@pytest.mark.parametrize("file", modules("clubs"), ids=name_of)
def test_site_does_not_stand_on_its_tests(file: Path) -> None:
    assert [name for name in imports(file) if name.split(".")[0] == "tests"] == []


#: Names that say nothing of what they name. A column of the database keeps its name.
BARE_NAMES = {"said", "told", "stands", "found", "who", "one"}
COLUMNS = {("clubs/models/member.py", "one")}


def names_given(file: Path) -> Iterator[str]:
    """What a module calls its functions, classes, arguments, variables and fields."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def test_every_name_says_what_it_names() -> None:
    files = [file for file in modules("rules", "scoresheets", "clubs") if "migrations" not in file.parts]
    bare = {(name_of(file), name) for file in files for name in names_given(file) if name in BARE_NAMES}
    assert bare - COLUMNS == set()


def test_nobody_has_to_ask_for_results_to_be_counted() -> None:
    """But for the file of a club, which is counted as a whole, and the demo's, which has the results too."""
    asks = re.compile(r"\b(results_changed|add_to_queue|_base_manager)\b")
    files = {name_of(file) for file in modules("clubs") if asks.search(file.read_text())}
    assert {file for file in files if not file.startswith("clubs/queue/")} == {
        "clubs/archive_import/apply.py", "clubs/demo/rows.py", "clubs/models/base.py",
    }  # fmt: skip


def test_no_test_starts_the_threads_of_the_site() -> None:
    starts = {"clubs.wsgi", "clubs.server.loaded"}
    assert [name_of(file) for file in modules("tests") if starts & set(imports(file))] == []


def own_to_a_game(file: Path) -> bool:
    """Whether a file of the pages belongs to one game: its template with its parts, its style sheet."""
    modules = {game.module for game in all_games()}
    return "games" in file.parts or (file.suffix == ".css" and file.stem in modules)


def test_no_browser_test_has_the_page_evaluate_a_string() -> None:
    """It does so when the first look was too early, and the policy forbids it: a failure of busy machines alone."""
    waiting = re.compile(r"\.wait_for_function\(")
    assert [str(file) for file in (PROJECT / "tests").rglob("*.py") if waiting.search(file.read_text())] == []


#: What lets time pass, and what expects something sooner than `tests/browser/conftest.py` does.
HURRIES = re.compile(r"\bwait_for_timeout\b|\bsleep\(|\bimport sleep\b|\btimeout=")


def test_no_browser_test_waits_for_a_time_or_has_a_limit_of_its_own() -> None:
    """On a busy machine everything comes later: what is expected is waited for, as `tests/browser/waits.py` does."""
    files = [file for file in modules("tests/browser") if HURRIES.search(file.read_text())]
    assert {name_of(file) for file in files} == {"tests/browser/conftest.py", "tests/browser/waits.py"}


def test_no_game_is_named_but_in_its_own_files() -> None:
    named = re.compile("|".join(name for game in all_games() for name in (game.name, game.slug, game.module)))
    pages = [file for folder in ("templates", "static") for file in (PROJECT / folder).rglob("*.*")]
    texts = [file for file in pages if file.suffix in (".html", ".js", ".css") and not own_to_a_game(file)]
    found = [name_of(file) for file in (*modules("scoresheets", "clubs"), *texts) if named.search(file.read_text())]
    assert found == []


INLINE = {
    "an inline script": re.compile(r"<script(?![^>]*\bsrc=)(?![^>]*type=.application/json)", re.I),
    "an inline style sheet": re.compile(r"<style\b", re.I),
    "a style attribute": re.compile(r"<[^>]*\sstyle\s*=", re.I),
    "an inline handler": re.compile(r"<[^>]*\son[a-z]+\s*=", re.I),
    "an inline handler of htmx": re.compile(r"\bhx-on\b|\bhx-vals\s*=\s*.js:", re.I),
    "an address of script": re.compile(r"javascript:", re.I),
    "a file from another site": re.compile(r"(src|href)\s*=\s*.(https?:)?//", re.I),
}


@pytest.mark.parametrize("template", sorted((PROJECT / "templates").rglob("*.html")), ids=name_of)
def test_template_keeps_to_the_content_security_policy(template: Path) -> None:
    # In a tag of the template "one == other" is a comparison.
    text = re.sub(r"\{%.*?%\}", "", template.read_text(), flags=re.S)
    assert [what for what, pattern in INLINE.items() if pattern.search(text)] == []


def test_patterns_of_the_policy_find_what_they_look_for() -> None:
    faults = {
        "an inline script": "<script>1</script>",
        "an inline style sheet": "<style>",
        "a style attribute": '<p class="x" style="color: red">',
        "an inline handler": '<button onclick="x()">',
        "an inline handler of htmx": '<p hx-on:click="x()">',
        "an address of script": '<a href="javascript:x()">',
        "a file from another site": '<img src="//example.org/x.png">',
    }
    for what, fault in faults.items():
        assert INLINE[what].search(fault), what
    good = '<script src="/x.js"></script><script id="d" type="application/json">{}</script><a href="/">on</a>'
    assert [what for what, pattern in INLINE.items() if pattern.search(good)] == []


def test_no_migration_is_missing(tmp_path: Path) -> None:
    # In a process of its own, where no test has made a model for itself.
    asked = subprocess.run(
        [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"],
        cwd=PROJECT,
        env={"PATH": os.environ["PATH"], "VAR": str(tmp_path), "SETTINGS_FILE": os.devnull},
        capture_output=True,
        text=True,
    )
    assert asked.stdout == "No changes detected\n", asked.stdout + asked.stderr


@pytest.mark.parametrize("lock", sorted(PROJECT.glob("requirements*.txt")), ids=name_of)
def test_lock_file_has_hashes_and_no_address(lock: Path) -> None:
    text = lock.read_text()
    assert "--hash=sha256:" in text
    assert re.findall(r".*(?:://|--index-url|--find-links|--trusted-host).*", text) == []
    assert re.findall(r"^[\w.-]+==\S+(?! \\| ;)$", text, re.M) == [], "every line is locked by a hash"


def test_no_file_has_a_path_of_the_machine_it_was_written_on() -> None:
    machine = re.compile(rb"/(?:" + b"work/(?:main|shared)|ro" + b"ot/|fa" + b"rm/|home/[a-z]+/)")
    found = [name for name in tracked() if machine.search((PROJECT / name).read_bytes())]
    assert found == []


def test_top_level_has_the_folders_it_should_and_no_other() -> None:
    assert {name.split("/")[0] for name in tracked() if "/" in name} <= TOP_LEVEL


@pytest.mark.parametrize("file", modules(*PACKAGES, "tests"), ids=name_of)
def test_nothing_is_left_for_later(file: Path) -> None:
    later = re.compile(
        "TO" + "DO|FIX" + "ME|XX" + "X|NotImplemented" + "Error|pytest.mark.x" + "fail|# no" + r"qa\s*$|ignore\s*$",
        re.M,
    )
    assert later.findall(file.read_text()) == []


def our_pages(resolver: URLResolver) -> Iterator[URLPattern]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            yield from our_pages(pattern)
        elif pattern.callback.__module__.split(".")[0] in PACKAGES:
            yield pattern


def test_every_page_is_named_like_its_view() -> None:
    pages = list(our_pages(get_resolver("clubs.urls")))
    assert len(pages) >= 2
    assert {page.name: page.callback.__name__ for page in pages} == {page.name: page.name for page in pages}


def test_readme_shows_pictures_that_exist() -> None:
    shown = re.findall(r'src="([^"]+)"', (PROJECT / "README.md").read_text())
    assert len(shown) >= 4
    assert [picture for picture in shown if not (PROJECT / picture).is_file()] == []


#: What looks like a path of the repository: `a/b`, `a/`. "my_game" is the game that a reader is going to write.
PATH = re.compile(r"[\w.-]+/[\w./-]*(?<!/my_game)(?<!/my_game\.\w{2})(?<!/my_game\.\w{4})")
CONTRIBUTING = (PROJECT / "CONTRIBUTING.md").read_text()


def paths_of(text: str) -> list[str]:
    """The words that look like paths, within backticks and in indented lines of code."""
    quoted = re.findall(r"`([^`\n]+)`", text) + re.findall(r"^ {4,}(.*)$", text, re.M)
    words = [word for code in quoted for word in re.split(r"[\s=]+", code)]
    return [word for word in words if PATH.fullmatch(word) and not word.startswith(".venv/")]


def test_contributing_names_paths_that_exist() -> None:
    paths = paths_of(CONTRIBUTING)
    assert len(paths) >= 40
    assert [path for path in paths if not (PROJECT / path).exists()] == []


def test_paths_are_seen_where_a_reader_sees_them() -> None:
    text = "See `a/b.py`, `rules/my_game.py` and `c`.\n\n    pytest d/e.py -x\n    make test TESTS=f/\n"
    assert paths_of(text) == ["a/b.py", "d/e.py", "f/"]


def test_contributing_is_short_enough_for_the_first_day() -> None:
    lines = CONTRIBUTING.splitlines()
    assert len(lines) <= 150
    assert [line for line in lines if len(line) > 130] == []


@pytest.mark.parametrize("app", ["scoresheets", "clubs"])
def test_picture_of_the_layers_is_that_of_the_imports(app: str) -> None:
    picture = re.search(rf"^    {app} (.*?)^    ---", CONTRIBUTING, re.M | re.S)
    assert picture
    drawn = re.findall(r"\w+", re.sub(r"\(.*\)", "", picture[1]))
    assert drawn == [layer for layer in reversed(LAYERS[app]) if "/" not in layer]
