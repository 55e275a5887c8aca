"""A page of asks as a phone without a script gets it: what has not its time is hidden, what stands is filled in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django.utils.safestring import SafeString, mark_safe

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoresheets.asks_face import AsksFace

#: `data-when="told hunt-4"`, `data-unless="due tricks"`.
CONDITION = re.compile(r'data-(?P<how>when|unless)="(?P<what>told|due|shows) (?P<name>[^"]+)"')


def filled_in(page: str, pad: Mapping[str, Any], face: AsksFace) -> SafeString:
    """The rendered asks with parts hidden that have not their time."""

    def settled(found: re.Match[str]) -> str:
        holds = {
            "told": found["name"] in pad["steps"],
            "due": found["name"] == face.shown,
            "shows": bool(pad["shows"].get(found["name"])),
        }[found["what"]]
        return found[0] if holds == (found["how"] == "when") else f"{found[0]} hidden"

    # It was rendered and escaped before.
    return mark_safe(CONDITION.sub(settled, page))  # noqa: S308
