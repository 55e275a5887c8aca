"""The preview of a link, as tags in the head of its page (Open Graph, Twitter card) and as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from scoresheets.wording.badges import Badge

#: So many rows are told in the sentence.
MOST_TOLD = 10


@dataclass(frozen=True)
class PreviewRow:
    """A line of the picture: somebody with a figure, and what is drawn round it. `place` is "" where there is none."""

    name: str
    figure: str = ""
    place: str = ""
    boxed: bool = False
    circled: bool = False
    #: Which of the three strokes it is, as on the sheet.
    stroke: int = 0
    #: What stands beside the name of a player.
    badge: Badge | None = None


@dataclass(frozen=True)
class LinkPreview:
    """What is said of a page. `about` is the small line over the title: the game, the club, the day."""

    title: str
    about: str = ""
    text: str = ""
    rows: tuple[PreviewRow, ...] = ()
    #: A mark of the score curve, which is drawn only when somebody asks for the picture; "": there is none.
    curve: str = ""

    @property
    def description(self) -> str:
        """The sentence with what is on the picture, for who cannot see it."""
        rows = self.rows[:MOST_TOLD]
        places = [" ".join(part for part in (row.place, row.name, row.figure) if part) for row in rows]
        if len(self.rows) > MOST_TOLD:
            places.append(f"and {len(self.rows) - MOST_TOLD} more")
        return " ".join(part for part in (self.text, f"{', '.join(places)}." if places else "") if part)

    def picture_at(self, path: str) -> str:
        """The path of its picture with its version."""
        return f"{path}?v={self.version}"

    @property
    def version(self) -> str:
        """The same for whatever looks the same: chats keep the picture of an address for days."""
        return sha256(repr(self).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class HeadTags:
    """A preview in the head of its page, and what its Share button sends.

    `address` is the whole address under which the page is handed out, `picture` that of its picture and `picture_path`
    the path of that on this site.
    """

    preview: LinkPreview
    address: str
    picture: str
    picture_path: str
