"""Markup for names, suits and sentences. What it returns for a page is safe HTML."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from html import unescape

from django.utils.html import format_html, format_html_join, strip_tags
from django.utils.safestring import SafeString

from rules.core.cards import SUIT_SIGNS

BDI = re.compile("</?bdi>")
#: Text style, so that no phone makes an emoji of a suit.
TEXT_STYLE = "\N{VARIATION SELECTOR-15}"
SUITS = {suit: sign + TEXT_STYLE for suit, sign in SUIT_SIGNS.items()}
#: The signs as they stand in a page.
SIGNS = {
    shown[0]: format_html('<i class="suit{}">{}</i>', " red" if suit in "DH" else "", shown)
    for suit, shown in SUITS.items()
}


def suited(text: str) -> SafeString:
    """Text with the signs of suits in it, those of the red ones in red.

    >>> suited("J♦")
    'J<i class="suit red">♦︎</i>'
    """
    # A long sheet has thousands of them, and nearly none has a sign.
    marked = html.escape(text)
    for sign, shown in SIGNS.items():
        if sign in text:
            marked = marked.replace(sign, shown)
    return SafeString(marked)


def name_shown(name: str) -> SafeString:
    """A name in a sentence, in whatever direction it is written."""
    return format_html("<bdi>{}</bdi>", name)


def names_shown(names: Mapping[int, str], seats: Iterable[int]) -> SafeString:
    """The names on these seats as a list in a sentence: Ann, Bo and Cy."""
    return listed([name_shown(names[seat]) for seat in seats])


def in_parts(sentence: SafeString) -> list[str]:
    """A sentence with its names set apart: what stands before a name, the name, what follows …

    >>> in_parts(format_html("{} takes over from {}", name_shown("Gil & Co"), name_shown("Bo")))
    ['', 'Gil & Co', ' takes over from ', 'Bo', '']
    """
    return [unescape(strip_tags(part)) for part in BDI.split(sentence)]


def as_text(text: str) -> str:
    """A sentence for where no page is: in a file, or in a line of news that a script puts into one.

    >>> as_text(format_html("{} takes over", name_shown("Gil & Co")))
    'Gil & Co takes over'
    """
    return unescape(strip_tags(text))


def listed(parts: Sequence[str]) -> SafeString:
    """Parts as a list in a sentence.

    >>> listed(["Ann"]), listed(["Ann", "Bo"]), listed(["Ann", "Bo", "Cy"])
    ('Ann', 'Ann and Bo', 'Ann, Bo and Cy')
    """
    if len(parts) < 2:
        return format_html_join(" ", "{}", ((part,) for part in parts))
    return format_html("{} and {}", format_html_join(", ", "{}", ((part,) for part in parts[:-1])), parts[-1])


def plain_list(parts: Sequence[str]) -> str:
    """The same where nothing is HTML: in a notice, an email, a message to a program."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def with_commas(parts: Iterable[str]) -> SafeString:
    """Parts with commas between, where "and" would stand between two numbers."""
    return format_html_join(", ", "{}", ((part,) for part in parts))


def capital(text: str) -> str:
    """The text as a sentence begins."""
    return text[:1].upper() + text[1:]


def with_names(sentence: str, names: str) -> SafeString:
    """A sentence of the rules with the names where ``{names}`` stands."""
    before, _, after = sentence.partition("{names}")
    return format_html("{}{}{}", before, names, after)


def joined(parts: Iterable[str]) -> SafeString:
    """Sentences one after the other."""
    return format_html_join(" ", "{}", ((part,) for part in parts if part))


def hands_text(numbers: Sequence[int]) -> str:
    """Numbers of hands in ascending order, in words.

    >>> hands_text([4]), hands_text([5, 6, 7]), hands_text([2, 5, 9])
    ('hand 4', 'hands 5 to 7', 'hands 2, 5 and 9')
    """
    if len(numbers) == 1:
        return f"hand {numbers[0]}"
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"hands {numbers[0]} to {numbers[-1]}"
    return f"hands {', '.join(str(number) for number in numbers[:-1])} and {numbers[-1]}"


def verb(several: Sequence[object], singular: str, plural: str) -> str:
    """The form of a verb for so many.

    >>> verb([3], "has", "have"), verb([3, 4], "has", "have")
    ('has', 'have')
    """
    return singular if len(several) == 1 else plural


#: The spaces at the beginnings of lines.
INDENT = re.compile(r"\n\s+")


def without_indents(html: str) -> str:
    """The same HTML without the spaces before its lines, which are most of what a page of many rows weighs.

    >>> without_indents(SafeString("<ul>\\n    <li>\\n  </ul>"))
    '<ul>\\n<li>\\n</ul>'
    """
    shorter = INDENT.sub("\n", html)
    return SafeString(shorter) if isinstance(html, SafeString) else shorter
