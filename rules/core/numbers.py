"""Numbers as text."""

from __future__ import annotations

MINUS = "\N{MINUS SIGN}"
WORDS = (
    "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip


def bare(number: int) -> str:
    """A number with a real minus sign.

    >>> bare(-3), bare(0), bare(12)
    ('−3', '0', '12')
    """
    return f"{MINUS}{-number}" if number < 0 else str(number)


def signed(number: int) -> str:
    """A number whose sign is always written.

    >>> signed(6), signed(-3), signed(0)
    ('+6', '−3', '0')
    """
    return f"+{number}" if number > 0 else bare(number)


def spelled(number: int) -> str:
    """A small number as a word, a larger one in figures.

    >>> spelled(7), spelled(0), spelled(13)
    ('seven', 'none', '13')
    """
    return WORDS[number] if number < len(WORDS) else str(number)
