"""Faults of templates and scripts, which are put into a copy of their folder.

They are found by patterns: no parser of either language is needed to exchange `===` for `!==`. What stands in a comment
is no place for one.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class TextFault(NamedTuple):
    """What stands from `start` to `end` of a file, and what shall stand there by mistake."""

    start: int
    end: int
    kind: str
    faulty: str


#: A pattern, its kind, and what its matches are replaced by.
IN_TEMPLATES = (
    (r"(?<={% if )(?!not )(?=[\w.|]+ %})", "condition", "not "),
    (r"(?<={% if )not (?=[\w.|]+ %})", "not", ""),
    (r"(?<={% if )[\w.|]+ (?=and )", "and, or", "1 "),
    (r"{% include [^%]+%}", "part left out", ""),
    (r"(?<= == )\d+(?= %})", "number", "77"),
    (r"{% else %}(?:(?!{% (?:if|else|for|endfor|block|endblock|with|endwith)).)*?(?={% endif %})", "else left out", ""),
)
IN_SCRIPTS = (
    (r"===", "comparison", "!=="),
    (r"!==", "comparison", "==="),
    (r"(?<= )<(?= )", "comparison", "<="),
    (r"(?<= )>(?= )", "comparison", ">="),
    (r"&&", "and, or", "||"),
    (r"\|\|", "and, or", "&&"),
    (r"(?<= )\+(?= \w)", "sign", "-"),
    (r"(?<= )-(?= \d)", "sign", "+"),
    (r"(?<=if \()!(?=\w)", "not", ""),
    (r"(?<=if \()(?=[\w.]+\))", "condition", "!"),
    (r"\btrue\b", "yes, no", "false"),
    (r"\bfalse\b", "yes, no", "true"),
    (r"(?<=return )(?=[\w.(]+;)", "nothing returned", "void "),
    (r"(?<=\n)[ ]+\w[\w.]*\([^\n]*\);(?=\n)", "call left out", ""),
)
#: What no fault is put into.
COMMENTS = {
    ".html": r"{% comment.*?endcomment %}|{#.*?#}",
    ".js": r"/\*.*?\*/|(?:^|(?<=[\s;{}]))//[^\n]*|^(?:import|export \{)[^;]*;",
}
PATTERNS = {".html": IN_TEMPLATES, ".js": IN_SCRIPTS}


def text_faults(path: Path) -> Iterator[TextFault]:
    """All faults that could stand in a template or a script."""
    text, ending = path.read_text(), path.suffix
    comments = [found.span() for found in re.finditer(COMMENTS[ending], text, re.DOTALL | re.MULTILINE)]
    for pattern, kind, faulty in PATTERNS[ending]:
        for found in re.finditer(pattern, text, re.DOTALL if kind == "else left out" else 0):
            if not any(begin <= found.start() < end for begin, end in comments):
                yield TextFault(found.start(), found.end(), kind, faulty)


def copy_with(folder: Path, copy: Path, name: str, fault: TextFault) -> None:
    """Copy a folder with a fault in the file of that name in it."""
    shutil.copytree(folder, copy)
    file = copy / name
    text = file.read_text()
    file.write_text(text[: fault.start] + fault.faulty + text[fault.end :])
