"""Parsing a pasted list of people: from an email, a spreadsheet, a note on a phone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from clubs.models import Member
from rules.core.problems import Problem
from scoresheets.log.text import ADDRESS, clean_name, same_name, without_address

#: People that are added at once, and letters of a line that are read.
MOST_LINES = 100
LONGEST_LINE = 300
#: What stands before the name in a list: "1.", "2)", "-", "•", "[ ]".
NUMBERING = re.compile(
    r"^(?:\(?\d{1,3}\s*[.):\]]+\s*|\d{1,3}\s+(?=\D)|#\d{1,3}\s*|[-–—*+•·▪◦‣●○■□☐☑✓✔→>]+\s*|\[[ xX]?\]\s*)+"
)
#: What is left over at the ends.
LOOSE = " \t,;:.\"“”„'`|"


@dataclass
class PastedLine:
    """One line as it was read. `names` is one name, or several that stand in one line; each may be edited.

    `choices` are two ways to read "Smith, Ann": each is names with semicolons between. `dropped` says what was taken
    off, `note` why nobody is added, `problem` what must be put right first.
    """

    number: int
    text: str
    names: str
    choices: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    note: str = ""
    problem: str = ""


def read_list(text: str) -> list[PastedLine]:
    """The lines of a pasted text; empty ones are left out. Nothing is compared with the club yet."""
    lines = [line for line in re.split(r"[\r\n\u2028]+", text) if line.strip()]
    several = len(lines) > 1
    parts = [part for line in lines for part in parts_of(line, several=several)]
    return [read_line(number, part, several=several) for number, part in enumerate(parts, 1)]


def parts_of(line: str, *, several: bool) -> list[str]:
    """The people of one line: with semicolons, or more than one comma, it is a list of its own."""
    parts = [part for part in line.split(";") if part.strip(LOOSE)]
    if len(parts) == 1 and (line.count(",") > 1 or not several):
        parts = [part for part in line.split(",") if part.strip(LOOSE)]
    return parts or [line]


def read_line(number: int, line: str, *, several: bool) -> PastedLine:
    """One of them."""
    line = line[:LONGEST_LINE]
    dropped = []
    plain = without_address(line.replace("\t", " "))
    if ADDRESS.search(line):
        dropped.append("email address")
    bare = NUMBERING.sub("", plain.strip())
    if bare != plain.strip():
        dropped.append(f"“{plain.strip()[: len(plain.strip()) - len(bare)].strip()}”")
    name = " ".join(bare.strip(LOOSE).split())
    pasted = PastedLine(number, plain.strip(), name, dropped=dropped)
    last, _, first = (part.strip(LOOSE) for part in name.partition(","))
    if several and last and first:
        pasted.choices = [f"{first} {last}", f"{last}; {first}"]
        pasted.names = pasted.choices[0]
    if not name:
        pasted.note = "no name in this line"
    return pasted


def compare(
    lines: Iterable[PastedLine], members: Mapping[str, Member], *, because: str = "is a member already"
) -> None:
    """Say of each line who is on the list twice or one of the `members` (by `same_name`), and what is no name.

    `because` is why nothing is done for these members.
    """
    seen: dict[str, int] = {}
    for line in lines:
        for name in split_names(line.names):
            cleaned = clean_name(name)
            if isinstance(cleaned, Problem):
                line.problem = line.problem or cleaned.message
                continue
            alike = same_name(cleaned)
            if alike in members:
                line.note = f"{members[alike].name} {because}. For somebody else, add an initial."
            elif alike in seen:
                line.note = f"the same as line {seen[alike]}. For somebody else, add an initial."
            else:
                seen[alike] = line.number


def split_names(names: str) -> list[str]:
    """The names of one line."""
    return [part.strip() for part in names.split(";") if part.strip()]


def names_to_add(lines: Sequence[PastedLine]) -> list[str]:
    """Every clean name once, in the order of the list. Lines must have no problem."""
    names_added: dict[str, str] = {}
    for line in lines:
        for name in split_names(line.names):
            cleaned = clean_name(name)
            if isinstance(cleaned, str):
                names_added.setdefault(same_name(cleaned), cleaned)
    return list(names_added.values())
