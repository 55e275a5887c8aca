"""A sixth game comes to the house: one module and one template in a folder of their own, and nothing else."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.test import override_settings

import rules

HERE = Path(__file__).parent
#: The least a game's own page says.
BARE = '{% extends layout|default:"scoresheets/pad/prompts.html" %}\n'


@contextmanager
def sixth_game(folder: Path, page: str = BARE, *, game: str = "marbles") -> Iterator[None]:
    """The game of that module is played as long as the context lasts; `page` is its template."""
    module = folder / "rules" / f"{game}.py"
    template = folder / "templates" / "scoresheets" / "games" / f"{game}.html"
    for place in (module, template):
        place.parent.mkdir(parents=True)
    shutil.copy(HERE / module.name, module)
    template.write_text(page)
    engine: dict[str, Any] = settings.TEMPLATES[0]
    rules.__path__.append(str(module.parent))
    rules.all_games.cache_clear()
    try:
        with override_settings(TEMPLATES=[{**engine, "DIRS": [folder / "templates", *engine["DIRS"]]}]):
            yield
    finally:
        rules.__path__.remove(str(module.parent))
        rules.all_games.cache_clear()
