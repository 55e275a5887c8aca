"""Which package stands on which: imports go down the list, in `TYPE_CHECKING` blocks too, and never in a circle."""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
MOST_MODULES = 13
#: Every package of a game stands beside the others. A small game is a module and no package.
GAMES = sorted({file.parent.name for file in PROJECT.glob("rules/*/__init__.py")} - {"core"})
#: The packages from the bottom up. What lies in the folder of an app itself (settings, addresses, start) is its top.
LAYERS = {
    "rules": ("core", "core/playoffs", "core/engine", "core/files", *GAMES),
    "scoresheets": (
        "models", "caches", "log", "wording", "access", "results", "fields", "opening", "sheet", "score_curve",
        "commands", "paper", "roster", "files", "link_previews", "corrections", "pad", "history", "templatetags",
        "views", "views/public", "views/table", "management", "management/commands",
    ),
    "clubs": (
        "sqlite", "postgresql", "models", "queue", "access", "site", "outbox", "members", "photos", "ratings",
        "standings", "season_course", "club", "nights", "play_offs", "trophies", "tables", "play_off_rounds", "records",
        "archive", "joining",
        "imports", "projections", "evening", "stories", "archive_import", "notices", "erasure", "play_off_page",
        "link_previews", "wall", "api",
        "api/documents", "webhooks", "accounts", "owner", "demo", "server", "views",
        "views/records", "views/nights", "views/play_offs", "views/members", "views/club", "views/owner",
        "views/api", "templatetags", "management", "management/commands",
    ),
}  # fmt: skip
#: What the server starts.
STARTS = {"clubs.server.rsgi"}


def modules(app: str) -> dict[str, Path]:
    """The modules of an app by their dotted names, without migrations."""
    files = [file for file in sorted((PROJECT / app).rglob("*.py")) if "migrations" not in file.parts]
    return {dotted(file): file for file in files}


def dotted(file: Path) -> str:
    return ".".join(file.relative_to(PROJECT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {name: file for app in LAYERS for name, file in modules(app).items()}


def imported(file: Path) -> Iterator[str]:
    """The modules of ours that a module imports, wherever it does so."""
    for node in ast.walk(ast.parse(file.read_text())):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            whole = [f"{node.module}.{name}" for name in names]
            names = [name if name in MODULES else node.module for name in whole]
        yield from (name for name in names if name in MODULES)


def layer_of(module: str) -> str:
    """The folder of a module below its app; "" for the app's own."""
    _, *folders, _ = MODULES[module].relative_to(PROJECT).parts
    return "/".join(folders)


def test_only_the_list_of_games_imports_by_name() -> None:
    """Such imports are not seen by the other tests here."""
    assert [name for name, file in MODULES.items() if "importlib" in file.read_text()] == ["rules"]


def test_no_module_stands_on_itself() -> None:
    graph = {name: {other for other in imported(file) if other != name} for name, file in MODULES.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


@pytest.mark.parametrize("app", LAYERS)
def test_every_package_stands_in_the_list(app: str) -> None:
    assert {layer_of(name) for name in modules(app)} - {""} == set(LAYERS[app])


@pytest.mark.parametrize("app", LAYERS)
def test_imports_go_down(app: str) -> None:
    height = {layer: at for at, layer in enumerate(LAYERS[app])}
    upward = [
        f"{name} imports {other}"
        for name, file in modules(app).items() if layer_of(name)
        for other in imported(file)
        if layer_of(other) and other.startswith(f"{app}.") and height[layer_of(name)] < height[layer_of(other)]
    ]  # fmt: skip
    assert upward == []


@pytest.mark.parametrize("app", LAYERS)
def test_nothing_stands_on_what_starts_an_app(app: str) -> None:
    """Settings, addresses and what starts an app lie in its own folder; nothing below imports them."""
    top = {name for name in modules(app) if not layer_of(name) and name != app}
    found = [
        f"{name} imports {other}"
        for name, file in MODULES.items()
        if name not in top | STARTS
        for other in imported(file)
        if other in top
    ]
    assert found == []


@pytest.mark.parametrize("folder", sorted({file.parent for file in MODULES.values()}), ids=lambda folder: folder.name)
def test_package_has_no_more_modules_than_one_sees_at_once(folder: Path) -> None:
    assert len([file for file in folder.glob("*.py") if file.name != "__init__.py"]) <= MOST_MODULES
