"""A page of asks as a phone without a script gets it: what has not its time is hidden, what stands is filled in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django.utils.safestring import SafeString, mark_safe

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoresheets.asks_face import AsksFace

#: `data-when="told hunt-4"`, `data-unless="due tricks"`, `data-when="wrote bid picker 2"`.
CONDITION = re.compile(r'data-(?P<how>when|unless)="(?P<what>told|due|shows|wrote|leads|deals) (?P<name>[^"]+)"')


def filled_in(page: str, pad: Mapping[str, Any], face: AsksFace) -> SafeString:
    """The rendered asks with parts hidden that have not their time."""

    def settled(found: re.Match[str]) -> str:
        holds = {
            "told": found["name"] in pad["steps"],
            "due": found["name"] == face.shown,
            "shows": bool(pad["shows"].get(found["name"])),
            "wrote": wrote(pad["steps"], *found["name"].split(" ")),
            "leads": found["name"] == str(face.hand["order"][0]),
            "deals": found["name"] == str(face.hand["dealer"]),
        }[found["what"]]
        return found[0] if holds == (found["how"] == "when") else f"{found[0]} hidden"

    # It was rendered and escaped before.
    return mark_safe(CONDITION.sub(settled, page))  # noqa: S308


def wrote(steps: Mapping[str, Mapping[str, Any]], ask: str, field: str = "", value: str | None = None) -> bool:
    """Whether a value stands in a field of an ask, or just this one, said as a post says it.

    >>> wrote({"bid": {"picker": 2, "footlong": True}}, "bid", "footlong", "true")
    True
    """
    given = steps.get(ask, {}).get(field)
    if value is None:
        return given is not None
    return (str(given).lower() if isinstance(given, bool) else str(given)) == value
