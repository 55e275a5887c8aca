"""Days on which a night is repeated: every few weeks, or on the same weekday of each month.

Nights have a day and an hour by the clock of the club, so that a change to summer time moves no hour.
"""

from __future__ import annotations

import calendar
import datetime
import itertools
from collections.abc import Iterator

A_WEEK = datetime.timedelta(weeks=1)
A_DAY = datetime.timedelta(days=1)
#: How often: what is posted, and its words.
EVERY_WEEKS = {"1": "every week", "2": "every other week", "3": "every three weeks", "4": "every four weeks"}
#: The weekday of the first night, by where it lies in a month: what is posted, and how many weeks after the first.
IN_A_MONTH = {"first": 0, "second": 1, "third": 2, "fourth": 3}
LAST = "last"
RHYTHMS = EVERY_WEEKS | {which: f"monthly: the {which} such weekday" for which in (*IN_A_MONTH, LAST)}


def days_of(first: datetime.date, rhythm: str) -> Iterator[datetime.date]:
    """The days of a series (of `RHYTHMS`) from the day `first` on, without an end.

    A series by weeks begins on that day. A monthly one goes by its weekday, and begins as soon as there is such a day.

    >>> [f"{day:%d.%m.}" for day in itertools.islice(days_of(datetime.date(2026, 11, 26), "first"), 3)]
    ['03.12.', '07.01.', '04.02.']
    """
    if rhythm in EVERY_WEEKS:
        return (first + k * int(rhythm) * A_WEEK for k in itertools.count())
    days = (in_month(year, month, first.weekday(), rhythm) for year, month in months_from(first))
    return (day for day in days if day >= first)


def months_from(day: datetime.date) -> Iterator[tuple[int, int]]:
    """The year and month of that day, and all after it."""
    return ((day.year + k // 12, k % 12 + 1) for k in itertools.count(day.month - 1))


def in_month(year: int, month: int, weekday: int, which: str) -> datetime.date:
    """The first, second, third, fourth or last such weekday (0 is Monday) of a month.

    >>> in_month(2027, 2, 6, "last"), in_month(2026, 12, 3, "first")
    (datetime.date(2027, 2, 28), datetime.date(2026, 12, 3))
    """
    if which == LAST:
        end = datetime.date(year, month, calendar.monthrange(year, month)[1])
        return end - (end.weekday() - weekday) % 7 * A_DAY
    begin = datetime.date(year, month, 1)
    return begin + (weekday - begin.weekday()) % 7 * A_DAY + IN_A_MONTH[which] * A_WEEK


def take_days(
    first: datetime.date, rhythm: str, *, times: int | None, until: datetime.date | None, most: int
) -> list[datetime.date]:
    """So many days, or all `until` that one, at most `most`; one where neither is given."""
    number = min(times or (most if until else 1), most)
    days = itertools.islice(days_of(first, rhythm), number)
    return list(itertools.takewhile(lambda day: until is None or day <= until, days))


def rhythm_text(day: datetime.date, rhythm: str) -> str:
    """ "every first Thursday", "every other Thursday"."""
    weekday = f"{day:%A}"
    if rhythm in EVERY_WEEKS:
        return {"1": f"every {weekday}", "2": f"every other {weekday}"}.get(
            rhythm, f"{EVERY_WEEKS[rhythm]} on a {weekday}"
        )
    return f"every {rhythm} {weekday} of the month"
