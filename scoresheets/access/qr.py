"""QR codes of addresses, for pages and paper."""

from __future__ import annotations

from functools import lru_cache

import segno
from django.utils.safestring import SafeString, mark_safe


def qr_code(address: str) -> SafeString:
    """The address as a QR code, drawn with the page: it prints, and nothing else has to be loaded."""
    code = segno.make(address, error="m", micro=False)
    drawn = code.svg_inline(border=4, dark="#000", light="#fff", omitsize=True, svgclass="qr", lineclass=None)
    # What is in it are squares.
    return mark_safe(drawn)  # noqa: S308


@lru_cache(maxsize=256)
def qr_of(address: str) -> SafeString:
    """The same, remembered: for addresses that are shown often, and not for keeper links, which nothing here keeps."""
    return qr_code(address)
