"""Numbers as text."""

from __future__ import annotations

MINUS = "\N{MINUS SIGN}"
NO_BREAK = "\N{NO-BREAK SPACE}"
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


def percent(part: int, whole: int) -> int:
    """A share in whole percent, a half rounded up; 100 and 0 only where it is all or nothing.

    >>> percent(1, 3), percent(0, 5), percent(999, 1000), percent(1, 1000), percent(0, 0)
    (33, 0, 99, 1, 0)
    """
    if not whole:
        return 0
    rounded = (200 * part + whole) // (2 * whole)
    return min(99, max(1, rounded)) if 0 < part < whole else rounded


def percent_text(part: int, whole: int) -> str:
    """The same as text, with a no-break space; "" where there is nothing to have a share of.

    >>> percent_text(188, 262), percent_text(0, 0)
    ('72\xa0%', '')
    """
    return f"{percent(part, whole)}{NO_BREAK}%" if whole else ""
