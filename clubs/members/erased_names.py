"""Finding the names of one person in free text, and replacing them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from clubs.models.member import SOMEBODY
from scoresheets.log.text import same_name

Replace = Callable[[str], str]

#: The entry in the audit log when a name was corrected (`clubs.members.people.rename`).
WAS_RENAMED = re.compile(r"Put the name of (.+) right: (.+)\.")

#: What a hidden or erased person is called: nobody is known by it.
NOBODYS_NAME = re.compile(rf"{SOMEBODY}( \d+)?")
#: Names that are words, too: in small letters they are left alone. A game of cards has an ace and a jack.
WORDS = frozenset(
    (
        "ace", "art", "bill", "bob", "chance", "chase", "dean", "drew", "faith", "gene", "grace",
        "guy", "hope", "iris", "jack", "jay", "joy", "june", "king", "mark", "may", "miles", "norm",
        "pat", "pearl", "penny", "queen", "ray", "rich", "rob", "rod", "rose", "ruby", "sue",
        "summer", "sunny", "violet", "will",
    )
)  # fmt: skip
#: Names that are months: "3 May".
MONTHS = frozenset(("april", "may", "june", "august"))
DAY = re.compile(r"\b\d{1,2} $")
#: Parts of a name that tell nobody apart.
SHORTEST_PART = 3


def replacer(names: Iterable[str], others: Iterable[str], instead: str) -> Replace:
    """A function that writes `instead` wherever one of the names stands as a whole word.

    `others` are the names of other people: where one of them contains a name, it stays. Parts of a name of several
    words are names as well, unless somebody else has them.

    >>> replacer(["Ann", "Annie Blue"], ["Ann Smith"], "Somebody")("Ann, ann, Ann Smith, Annie and Annabel")
    'Somebody, Somebody, Ann Smith, Somebody and Annabel'
    """
    own = {name for name in names if name and not NOBODYS_NAME.fullmatch(name)}
    kept = [name for name in others if name]
    taken = {same_name(part) for name in kept for part in (name, *name.split())}
    own |= {part for name in own for part in parts_of(name) if same_name(part) not in taken}
    if not own:
        return lambda text: text
    alike = {same_name(name) for name in own}
    longer = [
        name for name in kept if same_name(name) not in alike and any(known in same_name(name) for known in alike)
    ]
    pattern = pattern_of([*own, *longer])
    exact = {*own, *(name.upper() for name in own), *(name.capitalize() for name in own)}

    def put(match: re.Match[str]) -> str:
        word = unicodedata.normalize("NFC", match[0])
        is_word = word not in exact and same_name(word) in WORDS
        is_date = same_name(word) in MONTHS and DAY.search(match.string, 0, match.start()) is not None
        return instead if same_name(word) in alike and not is_word and not is_date else match[0]

    return lambda text: pattern.sub(put, text)


def former_names(names: Iterable[str], lines: Iterable[str]) -> list[str]:
    """The former names of a person with these names, from the audit log; `lines` are its entries, newest first.

    >>> former_names(["Ann"], ["Put the name of An right: Ann.", "Put the name of A right: An."])
    ['An', 'A']
    """
    known, former = set(names), []
    for says in lines:
        renamed = WAS_RENAMED.fullmatch(says)
        if renamed and renamed[2] in known:
            known.add(renamed[1])
            former.append(renamed[1])
    return former


def parts_of(name: str) -> list[str]:
    """First name, last name: the parts of a name of several words that begin with a capital letter."""
    parts = name.split()
    return [part for part in parts if len(part) >= SHORTEST_PART and part[0].isupper()] if len(parts) > 1 else []


def pattern_of(names: Iterable[str]) -> re.Pattern[str]:
    """Any of the names as whole words, the longest first, in whatever letters."""
    forms = {unicodedata.normalize(form, name) for name in names for form in ("NFC", "NFD")}
    ordered = "|".join(re.escape(form) for form in sorted(forms, key=lambda form: (-len(form), form)))
    return re.compile(rf"(?<![\w-])(?:{ordered})(?![\w-])", re.IGNORECASE)


def replaced_inside(value: Any, replace: Replace) -> Any:
    """The same with every text in it replaced; keys stay."""
    if isinstance(value, str):
        return replace(value)
    if isinstance(value, Mapping):
        return {key: replaced_inside(content, replace) for key, content in value.items()}
    if isinstance(value, list):
        return [replaced_inside(item, replace) for item in value]
    return value
