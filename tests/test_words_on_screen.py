"""What the screen says is said in the words of a card club, and set as print is set.

Read are the texts of the templates (with the attributes that are shown or read out), the sentences in the code
of rules, scoresheets and clubs, and those in the scripts.
"""

import re

import pytest

from tests.visible_words import (
    PROJECT,
    READ,
    SCRIPTS,
    TEMPLATES,
    is_said,
    name_of,
    said_in,
    sentences_of_module,
    sentences_of_script,
    texts_of_template,
)

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
    r"(?!Plan [A-D]\b)plan(s|ned)?": re.compile(r"\bnights?\b|^Planned |^The plan (before|after) "),
    r"rounds? robin|widgets?|forms?|fields?|database|server|browser's|session|payload|instance": re.compile(
        r"^Form: |\b(his|her|their|of) form\b"
    ),
    r"json": re.compile(r"^JSON$"),
}
#: Constructions that read like a translation, each with what a card player says.
NOT_ENGLISH = {
    r"anew": "again",
    r"put(s|ting)? (away|it right)|off the register|on the register": "archive, correct",
    r"take (it|them|this) away|taken away": "revoke, withdraw, remove",
    r"by it\b(?! and)": "with it",
    r"whom": "who",
    r"meanwhile": "since",
    r"there are these ways|that which|of this is written|in the house": "plain words",
    r"grown old|swept away|counts? no more|no more counts?": "too old, deleted, no longer counts",
    r"what does that mean": "Next: see what changes",
    r"nobody knows (this|that|these|those)": "not on the list",
}
#: The few sentences in which such words are right.
ENGLISH = (
    "what is played to whom", "without saying whom they mean", "put one away", "it is simply put right",
    "your table means by it", "every round of putting away",
)  # fmt: skip


def translated(text: str) -> list[str]:
    """Which constructions of the text nobody would use at a table, and what is said instead."""
    if any(right in text for right in ENGLISH):
        return []
    found = [(re.search(rf"\b(?:{pattern})", text, re.I), instead) for pattern, instead in NOT_ENGLISH.items()]
    return [f"“{words[0]}” in “{text}”: say {instead}" for words, instead in found if words]


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


@pytest.mark.parametrize("file", READ, ids=name_of)
def test_screen_speaks_the_words_of_the_club(file):
    assert [wrong for text in said_in(file) for wrong in wrong_words(text)] == []


@pytest.mark.parametrize("file", READ, ids=name_of)
def test_screen_speaks_as_people_do(file):
    assert [wrong for text in said_in(file) for wrong in translated(text)] == []


@pytest.mark.parametrize(
    "text", ["The tables are drawn anew.", "To whom?", "Put it right", "It was put away", "By it they see"]
)
def test_constructions_of_a_translation_are_found(text):
    assert translated(text)
    assert not translated("The tables are drawn again. Who gets it? Correct. It was archived. With it they see.")


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
    *(PROJECT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")),
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
