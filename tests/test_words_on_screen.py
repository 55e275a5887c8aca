"""What the screen says is said in the words of a card club, and set as print is set.

Read are the texts of the templates (with the attributes that are shown or read out), the sentences in the code
of rules, scoresheets and clubs, and those in the scripts.
"""

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

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
    "clubs/site/backups.py",
    "clubs/server/startup.py",
    "clubs/site/secret_key.py",
    "clubs/server/supervisor.py",
    "clubs/site/storage.py",
}

#: Words of programmers, each with what the club says instead.
NOT_OURS = {
    r"keepers?": "scorekeeper",
    r"peaks?": "most cards",
    r"(?!Plan [A-D]\b)plan(s|ned)?": "the hands",
    r"schedules?": "the hands",
    r"voids?": "misdeal",
    r"documents?": "sheet file",
    r"json": "sheet file",
    r"entry|entries": "bid, tricks, what was written",
    r"rounds? robin|widgets?|forms?|fields?|database|server|browser's|session|payload|instance": "nothing",
    r"invalid|null|undefined|integer|boolean|string|parameter|submit|validate[ds]?|errors?": "plain words",
    r"click(s|ed)?": "tap",
    r"users?": "player, scorekeeper, member",
    r"tokens?": "link",
}
OURS = re.compile(r"Plan [A-D]\b")
#: Words that the club uses too, where they mean something else: a night is planned, somebody is in form.
OTHERWISE = {
    r"(?!Plan [A-D]\b)plan(s|ned)?": re.compile(r"\bnights?\b|^Plan it$|^Planned |^The plan (before|after) "),
    r"rounds? robin|widgets?|forms?|fields?|database|server|browser's|session|payload|instance": re.compile(
        r"^Form: |\b(his|her|their|of) form\b"
    ),
    r"json": re.compile(r"^JSON$"),
}
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


def wrong_words(text: str) -> list[str]:
    """Which words of the text the club does not use, and what it says instead."""
    found = []
    for pattern, instead in NOT_OURS.items():
        if pattern in OTHERWISE and OTHERWISE[pattern].search(text):
            continue
        for word in re.finditer(rf"\b(?:{pattern})\b", OURS.sub("", text), re.I):
            found.append(f"“{word[0]}” in “{text}”: say {instead}")
    return found


def wrong_print(text: str) -> list[str]:
    """Typewriter signs where print has others: apostrophes, quotation marks, minus, dots."""
    signs = {
        r"\w'\w|\w'(?= |$)": "a straight apostrophe",
        r"\"": "straight quotation marks",
        r"(?<![\w-])-\d": "a hyphen for a minus sign",
        r"\.\.\.": "three full stops",
        r" - ": "a hyphen for a dash",
    }
    return [f"{sign} in “{text}”" for pattern, sign in signs.items() if re.search(pattern, text)]


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


@pytest.mark.parametrize("file", READ, ids=name_of)
def test_screen_speaks_the_words_of_the_club(file):
    assert [wrong for text in said_in(file) for wrong in wrong_words(text)] == []


@pytest.mark.parametrize("file", READ, ids=name_of)
def test_screen_is_set_as_print_is(file):
    assert [wrong for text in said_in(file) for wrong in wrong_print(text)] == []


@pytest.mark.parametrize(
    "text",
    ["The keeper writes.", "Peak 8", "By plan", "Void the hand", "A JSON document", "Two entries", "Click here"],
)
def test_words_of_programmers_are_found(text):
    assert wrong_words(text)


def test_words_that_mean_something_else_are_left_alone():
    assert OTHERWISE.keys() <= NOT_OURS.keys()
    said = [
        "Plan a night",
        "No night is planned yet.",
        "Form: the last 10 games",
        "his bids and his form stand here",
        "JSON",
    ]
    assert [wrong for text in said for wrong in wrong_words(text)] == []
    assert wrong_words("The plan of the hands")
    assert wrong_words("Fill in the form")
    assert wrong_words("A JSON file")


def test_words_of_the_club_are_left_alone():
    said = (
        "The scorekeeper says: most cards 8, the hands, a misdeal, a sheet file, Plan A, avoid, a planet, information."
    )
    assert wrong_words(said) == []


@pytest.mark.parametrize("text", ["Ann's turn", 'the "box"', "it is -3", "wait...", "one - two", "the players' hands"])
def test_signs_of_a_typewriter_are_found(text):
    assert wrong_print(text)


def test_signs_of_print_are_left_alone():
    assert wrong_print("Ann’s “box” is −3 … one – two, twenty-one, 2026-11-20") == []


def test_texts_are_found_where_they_stand():
    page = (
        '<p title="{{ a }} keeper">It is {% if x %}void{% endif %} <b aria-label="peak">{{ entry }}</b></p>{# plan #}'
    )
    assert texts_of_template(page) == ["0 keeper", "It is void", "peak", "0"]
    module = '"""A document."""\nx = "Void it."\ny = f"Peak {n}"\nz = "peak"\n'
    assert [text for text in sentences_of_module(module) if is_said(text)] == ["Peak 0", "Void it."]
    script = '// The plan\nsay("No entry here", `Void <b title="peak one">${x}</b>`)'
    assert [text for text in sentences_of_script(script) if is_said(text)] == ["No entry here", "peak one"]


#: A person is "they": in what is read on a page, and in what is read beside the code.
NOT_THEY = re.compile(r"\b(?:he|him|his|himself|she|hers?|herself)\b", re.I)
WRITTEN = [
    *TEMPLATES,
    *SCRIPTS,
    *sorted((PROJECT / "static" / "css").rglob("*.css")),
    *(PROJECT / name for name in ("README.md", "CONTRIBUTING.md")),
    *(
        file
        for package in ("rules", "scoresheets", "clubs")
        for file in sorted((PROJECT / package).rglob("*.py"))
        if "migrations" not in file.parts
    ),
]


@pytest.mark.parametrize("file", WRITTEN, ids=name_of)
def test_a_person_is_they(file):
    lines = file.read_text(encoding="utf-8").splitlines()
    assert [f"{at}: {line.strip()}" for at, line in enumerate(lines, 1) if NOT_THEY.search(line)] == []


@pytest.mark.parametrize("text", ["where he sits", "His seat", "a seat of hers", "nobody but himself", "she leads"])
def test_a_person_who_is_not_they_is_found(text):
    assert NOT_THEY.search(text)


def test_they_are_left_alone():
    assert not NOT_THEY.search("They keep their seat: the others there see them, and this is theirs, here and now.")
