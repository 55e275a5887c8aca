"""Grapheme clusters: letters as people count them. An accent or a family of emoji is not cut in two."""

from __future__ import annotations

import unicodedata

JOINER = "\N{ZERO WIDTH JOINER}"
#: Characters that change the letter before them.
CHANGES = {"Mn", "Me", "Mc", "Cf"}
SKIN = range(0x1F3FB, 0x1F400)
FLAG = range(0x1F1E6, 0x1F200)


def letters(text: str) -> list[str]:
    r"""The text letter by letter, each with what belongs to it.

    >>> letters("Zoe\u0308")[-1] == "e\u0308", len(letters("\U0001f469\u200d\U0001f467!"))
    (True, 2)
    >>> len(letters("\U0001f1e8\U0001f1ed"))
    1
    """
    whole: list[str] = []
    for sign in text:
        if whole and (
            unicodedata.category(sign) in CHANGES
            or ord(sign) in SKIN
            or whole[-1].endswith(JOINER)
            or (ord(sign) in FLAG and len(whole[-1]) == 1 and ord(whole[-1]) in FLAG)
        ):
            whole[-1] += sign
        else:
            whole.append(sign)
    return whole


def clean(text: str) -> str:
    """The text without characters that XML does not know."""
    return "".join(sign for sign in text if sign >= " " and sign not in "\ufffe\uffff")


def initials(names: list[str]) -> list[str]:
    """As few letters of each name as tell it from the others, three at the most; then its place.

    >>> initials(["Ann", "Al", "Bo", ""]), initials(["Maria", "Marie"])
    (['An', 'Al', 'B', '4'], ['1', '2'])
    """
    shortened = []
    for place, name in enumerate(names, 1):
        others = [other for at, other in enumerate(names, 1) if at != place]
        short = (
            "".join(letters(name)[:many])
            for many in range(1, 4)
            if name and not any(letters(other)[:many] == letters(name)[:many] for other in others)
        )
        shortened.append(next(short, str(place)))
    return shortened
