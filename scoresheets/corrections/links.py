"""Links to the form that corrects a row, and the page after its Confirm.

A link names the tapped number and its page: the form shows that number and leads back to that page.
"""

from __future__ import annotations

from django.urls import reverse
from django.utils.http import urlencode

#: The pages that a form may lead back to, by the names of their addresses. No other is ever led to.
RETURN_PAGES = ("pad", "sheet", "history", "read_back", "result", "draw")


def correction_link(code: str, part: str, came_from: str, *, seat: int | None = None, ask: str = "") -> str:
    """The address of the form that corrects the row `part` ("4", "tie-1", "open") of a sheet.

    `seat` and `ask` say which number was tapped, `came_from` on which of `RETURN_PAGES`.
    """
    parameters = {"seat": seat, "ask": ask, "from": came_from}
    query = urlencode({name: value for name, value in parameters.items() if value})
    return f"{reverse('correct', args=[code, part])}?{query}"


def return_address(code: str, came_from: str) -> str:
    """The page of the sheet from which somebody came; "" where it is none of `RETURN_PAGES`."""
    return reverse(came_from, args=[code]) if came_from in RETURN_PAGES else ""
