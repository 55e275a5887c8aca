"""The fonts of the pictures, from installed packages: a server has few of its own, and names are in any script."""

from __future__ import annotations

import sysconfig
from functools import cache
from pathlib import Path

SANS, SERIF = "Noto Sans", "Noto Serif"
#: Each has its fonts somewhere in its folder. The first two come with Latin, Greek and Cyrillic.
PACKAGES = (
    "fontpkg_noto_sans", "fontpkg_noto_serif", "fontpkg_noto_sans_arabic", "fontpkg_noto_sans_devanagari",
    "fontpkg_noto_sans_khmer", "fontpkg_noto_sans_tamil", "fontpkg_noto_sans_telugu", "fontpkg_noto_sans_thai",
    "noto_cjk_sans_otc",
)  # fmt: skip
#: The letters they have, from and to. For any other the fonts of the machine are asked as well, which takes longer.
COVERED = (
    (0x0000, 0x058F), (0x0600, 0x06FF), (0x0750, 0x077F), (0x08A0, 0x097F), (0x0B80, 0x0BFF), (0x0C00, 0x0C7F),
    (0x0E00, 0x0E7F), (0x1100, 0x11FF), (0x1780, 0x17FF), (0x1E00, 0x214F), (0x2190, 0x21FF), (0x2200, 0x22FF),
    (0x2E80, 0xABFF), (0xAC00, 0xD7FF), (0xF900, 0xFAFF), (0xFE00, 0xFE0F), (0xFF00, 0xFFEF), (0x20000, 0x3FFFF),
)  # fmt: skip


@cache
def font_files() -> list[str]:
    """The paths of the upright fonts of all packages."""
    installed = Path(sysconfig.get_path("purelib"))
    return [str(file) for package in PACKAGES for file in fonts_in(installed / package) if "Italic" not in file.name]


def fonts_in(folder: Path) -> list[Path]:
    return [file for file in sorted(folder.rglob("*")) if file.suffix in (".ttf", ".otf", ".ttc", ".otc")]


def has_other_letters(text: str) -> bool:
    """Whether it has a letter that none of the packages draws.

    >>> has_other_letters("Ann 王小明 محمد"), has_other_letters("Ann 🎉")
    (False, True)
    """
    return any(not any(first <= ord(letter) <= last for first, last in COVERED) for letter in text)
