"""What a correction changed, for the page that follows its Confirm (`?changed=<version>`)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from django.utils.safestring import SafeString

from scoresheets.history import correction_in_words

if TYPE_CHECKING:
    from django.http import HttpRequest

    from scoresheets.reading import SheetReading

VERSION = re.compile(r"[1-9][0-9]{0,8}")


def corrected_version(request: HttpRequest) -> int:
    """The version by which something was corrected just now; 0 for none."""
    version = request.GET.get("changed", "")
    return int(version) if VERSION.fullmatch(version) else 0


def correction_shown(request: HttpRequest, reading: SheetReading) -> SafeString:
    """What was corrected just now, in a sentence; "" for nothing. No query where the address names no version."""
    version = corrected_version(request)
    return correction_in_words(reading, version) if version else SafeString()


def led_on(request: HttpRequest, address: str) -> str:
    """The address of another page, which says what was corrected in the place of this one."""
    version = corrected_version(request)
    return f"{address}?changed={version}" if version else address
