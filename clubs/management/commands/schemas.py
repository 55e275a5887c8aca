"""`manage.py schemas`: the file formats as JSON Schema, for others who read or write such files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from clubs.archive.export import FORMAT
from clubs.archive.json_schema import club_schema
from rules.core.files.json_schema import schemas
from rules.core.files.schema import JsonSchema

FOLDER = Path("fixtures") / "schemas"


class Command(BaseCommand):
    help = "Print the JSON Schema of a file format, such as score-sheet/1; without one, the names of all formats."
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", nargs="?", metavar="FORMAT", help="the name of a format")
        parser.add_argument("--write", action="store_true", help=f"for development: write all of them into {FOLDER}")

    def handle(self, *args: Any, name: str | None, write: bool, **options: Any) -> None:
        formats = all_schemas()
        if write:
            for each, schema in formats.items():
                (settings.BASE_DIR / FOLDER / file_name(each)).write_text(text_of(schema), encoding="utf-8")
        elif name is None:
            self.stdout.write("\n".join(formats))
        elif name in formats:
            self.stdout.write(text_of(formats[name]), ending="")
        else:
            raise CommandError(f"There is no format {name}. These are known: {', '.join(formats)}.")


def all_schemas() -> dict[str, JsonSchema]:
    """The schema of every file format, by its name."""
    return schemas() | {FORMAT: club_schema()}


def file_name(name: str) -> str:
    """The name of the file that has the schema of a format.

    >>> file_name("score-sheet/1")
    'score-sheet-1.json'
    """
    return f"{name.replace('/', '-')}.json"


def text_of(schema: JsonSchema) -> str:
    """The schema as it stands in its file."""
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"
