"""`manage.py score FILE`: the result of a sheet file or a play-off, or all its problems."""

import json
import os
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from rules.core.files.score import score_paper
from rules.core.files.sheet_file import Refused, refused_document

REFUSED = 2


class Command(BaseCommand):
    help = (
        "Score a sheet file or a play-off: the result as JSON, or exit code 2 and every problem as JSON. "
        "It needs no database."
    )
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the sheet file or play-off; - reads standard input")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        answer, exit_code = scored(file)
        text = json.dumps(answer, ensure_ascii=False, indent=2) + "\n"
        try:
            # The answer is UTF-8 whatever the locale of the terminal says.
            sys.stdout.buffer.write(text.encode("utf-8"))
            sys.stdout.flush()
        except BrokenPipeError:
            # Who reads has read enough (`| head`). What is left must not be written when Python goes home either.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if exit_code:
            sys.exit(exit_code)


def scored(file: str) -> tuple[dict[str, object], int]:
    """The answer to the file of that name, and the exit code."""
    try:
        return score_paper(content_of(file)), 0
    except Refused as refused:
        return refused.document(), REFUSED
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or "no file can have that name"
        return refused_document(f"The file cannot be read: {reason}."), REFUSED


def content_of(file: str) -> bytes:
    """The bytes of the file. Raises OSError, and ValueError for a name no file can have."""
    if file != "-":
        return Path(file).read_bytes()
    return sys.stdin.buffer.read() if sys.stdin else b""
