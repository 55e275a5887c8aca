"""Everything that can be read on the screen: the texts of templates, of Python and of scripts, with file and line.

`python -m tests.visible_words [PART OF A PATH …]` prints them, a line each, to be read by somebody who did not write
them. Texts that are filled in have a 0 there.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
TEMPLATES = sorted((PROJECT / "templates").rglob("*.html"))
SCRIPTS = sorted((PROJECT / "static" / "js").rglob("*.js"))
MODULES = [
    file
    for package in ("rules", "scoresheets", "clubs")
    for file in sorted((PROJECT / package).rglob("*.py"))
    if not {"migrations", "management", "sqlite"} & set(file.parts)
]
#: What is said to the owner of the machine, in a terminal, and in no page.
FOR_THE_OWNER = {
    "clubs/settings.py",
    "clubs/postgresql/programs.py",
    "clubs/site/backups.py",
    "clubs/site/database_move.py",
    "clubs/server/startup.py",
    "clubs/site/secret_key.py",
    "clubs/server/supervisor.py",
    "clubs/site/storage.py",
}

#: Attributes that are shown or read out.
SHOWN = {"alt", "aria-description", "aria-label", "content", "placeholder", "title", "label"}


class Texts(HTMLParser):
    """The texts of a page, with the attributes that are shown or read out."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        shown = dict(attrs)
        if tag == "meta" and shown.get("name") != "description":
            return
        self.said += [value for name, value in shown.items() if name in SHOWN and value]

    def handle_data(self, data: str) -> None:
        self.said.append(data)


def texts_of_template(template: str) -> list[str]:
    """What a template says: what is filled in becomes 0, so that the words round it stay apart."""
    bare = re.sub(r"\{#.*?#\}|\{% comment %\}.*?\{% endcomment %\}", "", template, flags=re.S)
    bare = re.sub(r"\{\{.*?\}\}", "0", bare, flags=re.S)
    bare = re.sub(r"\{%.*?%\}", " ", bare, flags=re.S)
    texts = Texts()
    texts.feed(bare)
    return [text for text in (" ".join(said.split()) for said in texts.said) if text]


def sentences_of_module(source: str) -> Iterator[str]:
    """The texts of a module that have a blank in them: neither docstrings nor names are sentences."""
    tree = ast.parse(source)
    silent = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            silent.add(id(node.value))
        if isinstance(node, ast.JoinedStr):
            silent |= {id(part) for part in node.values}
            yield "".join(part.value if isinstance(part, ast.Constant) else "0" for part in node.values)
        if isinstance(node, ast.Raise):
            silent |= {id(part) for part in ast.walk(node)}
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("compile", "split", "replace"):
            silent |= {id(part) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in silent:
            yield node.value


def sentences_of_script(source: str) -> list[str]:
    """The texts of a script with a blank in them, without comments."""
    bare = re.sub(r"^\s*//[^\n]*|/\*.*?\*/", "", source, flags=re.M | re.S)
    quoted = re.findall(r'"((?:[^"\\\n]|\\.)*)"|\'((?:[^\'\\\n]|\\.)*)\'|`((?:[^`\\]|\\.)*)`', bare)
    texts = []
    for parts in quoted:
        texts += texts_of_template(re.sub(r"\$\{[^}]*\}", "0", next((part for part in parts if part), "")))
    return texts


def is_said(text: str) -> bool:
    """Whether somebody may come to read it: words with blanks between them, and no signs of code."""
    return re.search(r"[a-z\d] +[a-z\d(]", text, re.I) is not None and not re.search(r"[][{}=<>\\_|$#]|%s|\*\*", text)


def name_of(file: Path) -> str:
    return str(file.relative_to(PROJECT))


def said_in(file: Path) -> list[str]:
    source = file.read_text(encoding="utf-8")
    if file.suffix == ".html":
        return texts_of_template(source)
    if file.suffix == ".js":
        return [text for text in sentences_of_script(source) if is_said(text)]
    return [text for text in sentences_of_module(source) if is_said(text)]


READ = [*TEMPLATES, *SCRIPTS, *(file for file in MODULES if name_of(file) not in FOR_THE_OWNER)]


def line_of(text: str, source: str) -> int:
    """Where a text begins in its file, by its first words that stand there as they are; 1: nobody knows."""
    parts = [part.strip() for part in re.split(r"\b0+\b", text)]
    longest = max((part for part in parts if part), key=len, default="")
    words = " ".join(longest.split()[:4])
    at = source.find(words) if words else -1
    return source.count("\n", 0, at) + 1 if at >= 0 else 1


def main(parts: list[str]) -> None:
    """Print what the files say whose path has one of these `parts` in it; all of them without any."""
    for file in [*TEMPLATES, *SCRIPTS, *MODULES]:
        if not parts or any(part in name_of(file) for part in parts):
            source = file.read_text(encoding="utf-8")
            for text in dict.fromkeys(said_in(file)):
                print(f"{name_of(file)}:{line_of(text, source)}: {text}")  # noqa: T201 - a list to be read


if __name__ == "__main__":
    main(sys.argv[1:])
