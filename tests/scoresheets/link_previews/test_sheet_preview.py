"""What a link to a sheet shows in a chat: how it stands, how it ended, and a picture of that."""

from __future__ import annotations

import re
from html import unescape
from io import BytesIO

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image

from rules.core.numbers import bare
from scoresheets.link_previews.fonts import PACKAGES, font_files, has_other_letters
from scoresheets.link_previews.image import PreviewPicture, fitted, pictures, png_of
from scoresheets.link_previews.of_sheet import preview_of
from scoresheets.link_previews.preview import LinkPreview, PreviewRow
from scoresheets.log.append import Done
from tests.factories import scorer, sure_of
from tests.scoresheets.files.test_import import GAMES, kept

UNFURLER = {"User-Agent": "Mozilla/5.0 (compatible; Twitterbot/1.0)"}


def tags(page: str) -> dict[str, str]:
    """The tags of a preview in the head of a page."""
    found = re.findall(r'<meta (?:property|name)="((?:og|twitter):[\w:]+)"\s+content="([^"]*)">', page)
    return {name: unescape(content) for name, content in found}


def of_page(address: str) -> dict[str, str]:
    answer = Client(headers=UNFURLER).get(address)
    assert answer.status_code == 200
    return tags(answer.text)


def picture_at(address: str) -> Image.Image:
    answer = Client(headers=UNFURLER).get(address.removeprefix("http://testserver"))
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    return Image.open(BytesIO(answer.content))


@pytest.mark.django_db
def test_result_says_who_wins_and_who_takes_the_circle() -> None:
    reading = kept(GAMES["dirty_dog-level_at_both_ends"])
    watch = reverse("watch", args=[reading.record.watch])
    told = of_page(watch)
    assert told["og:title"].startswith(f"{reading.names[reading.sheet.winner]} wins with ")
    assert f"{reading.names[reading.sheet.loser]} takes the circle" in told["og:description"]
    assert told["og:url"] == f"http://testserver{watch}"
    assert told["twitter:card"] == "summary_large_image"
    assert picture_at(told["og:image"]).size == (1200, 630)
    assert (told["og:image:width"], told["og:image:height"]) == ("1200", "630")


@pytest.mark.django_db
def test_title_of_a_finished_game_is_its_result() -> None:
    reading = kept(GAMES["dirty_dog-level_at_both_ends"])
    page = Client().get(reverse("watch", args=[reading.record.watch])).text
    assert "<title>Watching" not in page
    assert f"<title>{reading.names[reading.sheet.winner]} wins with" in page


@pytest.mark.django_db
def test_new_sheet_says_who_plays() -> None:
    sheet = scorer(["Ann", "Bo", "Cy"]).sheet
    told = of_page(reverse("watch", args=[sheet.watch]))
    assert told["og:title"] == "Dirty Dog: Ann, Bo and Cy"


@pytest.mark.django_db
def test_first_hand_says_who_plays_until_it_is_scored() -> None:
    p = scorer(["Ann", "Bo", "Cy"])
    assert [row.place for row in preview_of(p.reading).rows] == ["", "", ""]
    sure_of(next(answer for seat in (1, 2, 3) if isinstance(answer := p.bid(seat, 0), Done)))
    assert re.fullmatch(r"Hand 1 of \d+: Ann, Bo and Cy", preview_of(p.reading).title)


@pytest.mark.django_db
def test_running_game_says_the_hand_who_leads_and_who_is_circled() -> None:
    p = scorer(4)
    watch = reverse("watch", args=[p.sheet.watch])
    before = of_page(watch)
    p.any_hand()
    after, sheet, names = of_page(watch), p.reading.sheet, p.reading.names
    assert re.fullmatch(r"Hand 2 of \d+, .+ leads? with \S+, .+ circled", after["og:title"])
    if len(sheet.boxed) == 1:
        assert f"{names[sheet.boxed[0]]} leads" in after["og:title"]
    assert all(f"{names[seat]} {bare(total)}" in after["og:description"] for seat, total in sheet.totals.items())
    assert before["og:image"] != after["og:image"]


@pytest.mark.django_db
def test_unknown_sheet_has_no_picture() -> None:
    assert Client().get(reverse("watch_preview", args=["x" * 22])).status_code == 404


@pytest.mark.django_db
def test_looking_again_reads_nothing(django_assert_num_queries) -> None:
    sheet = scorer(4).sheet
    watch, client = reverse("watch", args=[sheet.watch]), Client()
    client.get(watch)
    with django_assert_num_queries(1):
        client.get(watch)


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.django_db
@pytest.mark.thorough(but=6)
def test_every_game_has_a_preview(game: str) -> None:
    preview = preview_of(kept(GAMES[game]))
    assert preview.title
    assert preview.rows
    assert "<" not in preview.title + preview.text
    assert png_of(preview).startswith(b"\x89PNG")


# The picture


def picture_of(*names: str, title: str = "Jo leads") -> PreviewPicture:
    rows = tuple(PreviewRow(name, "12", f"{at}.") for at, name in enumerate(names, 1))
    return PreviewPicture(LinkPreview(title, "Dirty Dog", "", rows))


def test_every_package_brings_a_font() -> None:
    for package in PACKAGES:
        assert any(f"/{package}/" in file for file in font_files()), package


LONG = "Wilhelmina Featherstonehaugh-Montgomery"


@pytest.mark.parametrize("count", [1, 4, 5, 6, 9, 10])
def test_rows_stay_on_the_picture_and_beside_each_other(count: int) -> None:
    picture = picture_of(*[LONG] * count)
    assert len(picture.rows) == count
    for drawn in picture.rows:
        assert 250 < drawn.y - drawn.size / 2 < drawn.y + drawn.size / 2 < 560
        assert drawn.right <= 1140
        assert "".join(line.text for line in drawn.name).replace(" ", "") == LONG.replace(" ", "")
    columns = {drawn.x for drawn in picture.rows}
    assert len(columns) == (1 if count <= 5 else 2)


def test_more_than_ten_are_counted() -> None:
    picture = picture_of(*["Ann"] * 13)
    assert (len(picture.rows), picture.more) == (10, "and 3 more")


def test_name_is_written_smaller_before_it_is_shortened() -> None:
    assert fitted("Ann", 300, 40) == (["Ann"], 40)
    lines, size = fitted(LONG, 300, 40)
    assert len(lines) == 2
    assert size < 30
    assert fitted("M" * 40, 100, 40)[0][-1].endswith("…")


def test_long_title_is_broken_between_words() -> None:
    picture = picture_of(title="Joséphine de la Tour-Maubourg and Bartholomew Featherstonehaugh lead with thirty-three")
    words = " ".join(line.text for line in picture.title).rstrip("…").split()
    assert all(word in picture.preview.title.split() for word in words[:-1])


@pytest.mark.parametrize(
    "name", ["王小明", "محمد علي", "सुनीता", "สมชาย", "한지민", "さくら", "Ελένη", "Юля", "தமிழ்", "తెలుగు", "ខ្មែរ"]
)
def test_letters_of_many_scripts_are_drawn(name: str) -> None:
    """A letter that no font has would be an empty box, and two of them alike."""
    pictures.clear()
    assert not has_other_letters(name)
    unknown = "\u0558" * len(name)  # nobody's letter
    assert len({png_of(picture_of(text).preview) for text in (name, unknown)}) == 2
    assert ink(name) != pytest.approx(ink(unknown), rel=0.02)


def ink(name: str) -> int:
    """How many pixels of its row are dark."""
    drawn = Image.open(BytesIO(png_of(picture_of(name).preview))).convert("L").crop((150, 250, 1000, 560))
    return sum(drawn.histogram()[:128])


@pytest.mark.parametrize("text", ["<script>x</script>", '"&<', "\x00\x1b", "{{ x }}", "]]>", "👩‍👩‍👧‍👦" * 5, "\ufffe"])
def test_hostile_text_is_text(text: str) -> None:
    preview = LinkPreview(text, text, text, (PreviewRow(text, text, text),))
    assert png_of(preview).startswith(b"\x89PNG")
    assert png_of(LinkPreview(text, text, text)).startswith(b"\x89PNG")
