"""Uploaded pictures: resized, upright, and without the metadata of a phone."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.core.files.uploadedfile import UploadedFile

from rules.core.problems import Problem

if TYPE_CHECKING:
    from PIL import Image

#: The longer side of the picture of a trophy, in pixels.
SIDE = 512
MOST_BYTES = 12 * 1024 * 1024
#: What a small file may unpack to. A JPEG is unpacked small at once, of other kinds every dot takes its place.
MOST_PIXELS = 25_000_000
MOST_PIXELS_OF_A_JPEG = 60_000_000
KINDS = ("JPEG", "PNG", "WEBP", "GIF")
UNREADABLE = Problem("bad-picture", "The site cannot read this picture. Use a JPEG, PNG, WebP or GIF.", "picture")
TOO_BIG = Problem(
    "big-picture", "This picture is too big: at most 12 MB, and 25 megapixels (60 for a JPEG).", "picture"
)


def made_small(file: UploadedFile, side: int = SIDE) -> bytes | Problem:
    """The picture as WebP, at most so many pixels a side, without its metadata; or what is wrong with it."""
    made = in_sizes(file, (side,))
    return made if isinstance(made, Problem) else made[0].content


@dataclass(frozen=True)
class Picture:
    """A picture as the site keeps it: WebP, without metadata."""

    content: bytes
    width: int
    height: int


def in_sizes(file: UploadedFile, sides: Sequence[int]) -> list[Picture] | Problem:
    """The same picture in several sizes, the largest first: the longer side has at most so many pixels.

    Or what is wrong with it.
    """
    from PIL import Image  # when it is needed: the site starts sooner without it

    if (file.size or 0) > MOST_BYTES:
        return TOO_BIG
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(file, formats=KINDS) as picture:
                most = MOST_PIXELS_OF_A_JPEG if picture.format == "JPEG" else MOST_PIXELS
                if picture.width * picture.height > most:
                    return TOO_BIG
                return list(written(picture, sides))
    except Image.DecompressionBombError:
        return TOO_BIG
    except Exception:  # What a broken picture raises is the library's affair: it has a dozen kinds of it.
        return UNREADABLE


def written(picture: Image.Image, sides: Sequence[int]) -> Iterator[Picture]:
    """Its first image, upright, as WebP, in one size after the other."""
    from PIL import Image, ImageOps

    picture.draft("RGB", (2 * sides[0], 2 * sides[0]))
    upright = ImageOps.exif_transpose(picture)
    is_clear = upright.mode in ("LA", "RGBA", "PA") or "transparency" in upright.info
    plain = upright.convert("RGBA" if is_clear else "RGB")
    for side in sides:
        plain.thumbnail((side, side))
        # A new image takes the dots and nothing else along.
        bare = Image.new(plain.mode, plain.size)
        bare.paste(plain)
        file = io.BytesIO()
        bare.save(file, "WEBP", quality=82)
        yield Picture(file.getvalue(), *bare.size)
