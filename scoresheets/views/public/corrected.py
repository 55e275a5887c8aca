"""The page after a change of the sheet, and the sentence it shows (`?changed=<version>`)."""

from __future__ import annotations

import re

from django.http import HttpRequest
from django.utils.safestring import SafeString

from scoresheets.corrections.links import RETURN_PAGES, return_address
from scoresheets.history.change_text import change_in_words
from scoresheets.log.state import SheetReading

VERSION = re.compile(r"[1-9][0-9]{0,8}")


def corrected_version(request: HttpRequest) -> int:
    """The version by which something was corrected just now; 0 for none."""
    version = request.GET.get("changed", "")
    return int(version) if VERSION.fullmatch(version) else 0


def correction_shown(request: HttpRequest, reading: SheetReading) -> SafeString:
    """What was corrected just now, in a sentence; "" for nothing. No query where the address names no version."""
    version = corrected_version(request)
    return change_in_words(reading, version) if version else SafeString()


def came_from(request: HttpRequest) -> str:
    """The page from which somebody came to change something, as `RETURN_PAGES` calls it; "" for none of them."""
    fields = request.POST if request.method == "POST" else request.GET
    return word if (word := fields.get("from", "")) in RETURN_PAGES else ""


def led_back(request: HttpRequest, code: str, *, version: int = 0) -> str:
    """The page from which somebody came, else the sheet; with what `version` changed, 0 where nothing was."""
    address = return_address(code, came_from(request) or "sheet")
    return f"{address}?changed={version}" if version else address


def led_on(request: HttpRequest, address: str) -> str:
    """The address of another page, which says what was corrected in the place of this one."""
    version = corrected_version(request)
    return f"{address}?changed={version}" if version else address
