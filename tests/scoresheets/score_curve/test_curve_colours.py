"""The colours of the players: seen on every ground, and told apart by who sees no red or no green."""

import math
import re
from itertools import combinations, pairwise

import pytest

from scoresheets.wording.badges import COLOUR_NAMES, COLOURS, DASHES, INKS, STROKES
from tests.test_look import BASE, CSS, GROUNDS, contrast, scheme

CURVE = (CSS / "curve.css").read_text(encoding="utf-8")
LIGHTS = ("light", "dark")
#: What an eye makes of linear red, green and blue that has no cones for red, or for green (Machado, Oliveira and
#: Fernandes 2009, severity 1).
EYES = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
}
#: In OKLab; about 0.02 is what an eye sees between two areas side by side.
LEAST, LEAST_OF_SIX = 0.085, 0.09


def colours_of(light: str) -> list[str]:
    """The colours of the players, the first player's first."""
    tokens = scheme(light)
    return [tokens[f"player-{number}"] for number in range(1, STROKES + 1)]


def linear(colour: str) -> list[float]:
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]


def seen(colour: str, eye: str) -> tuple[float, float, float]:
    """The colour in OKLab, as that eye sees it."""
    rgb = linear(colour)
    red, green, blue = (min(1, max(0, sum(a * b for a, b in zip(row, rgb, strict=True)))) for row in EYES[eye])
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    medium = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )


def nearest(colours: list[str], eye: str) -> tuple[float, str, str]:
    return min((math.dist(seen(one, eye), seen(other, eye)), one, other) for one, other in combinations(colours, 2))


def test_distance_is_measured_as_such_eyes_see_it():
    assert math.dist(seen("#ffffff", "all cones"), seen("#000000", "all cones")) == pytest.approx(1, abs=0.001)
    red, green = "#c04020", "#6b7a20"
    assert nearest([red, green], "no red")[0] < nearest([red, green], "all cones")[0] / 1.5


@pytest.mark.parametrize("light", LIGHTS)
def test_every_colour_is_seen_on_every_ground(light: str):
    grounds = scheme(light)
    colours = colours_of(light)
    assert len(set(colours)) == STROKES == 10
    for colour in colours:
        for ground in GROUNDS:
            assert contrast(colour, grounds[ground]) >= 3, (colour, ground)


@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.parametrize("eye", EYES)
def test_colours_are_told_apart(light: str, eye: str):
    colours = colours_of(light)
    assert nearest(colours, eye)[0] >= LEAST, nearest(colours, eye)
    assert nearest(colours[:6], eye)[0] >= LEAST_OF_SIX, nearest(colours[:6], eye)


@pytest.mark.parametrize("light", LIGHTS)
def test_letter_on_every_badge_can_be_read(light: str):
    tokens = scheme(light)
    for number in range(1, STROKES + 1):
        ink, ground = tokens[f"player-{number}-ink"], tokens[f"player-{number}"]
        assert contrast(ink, ground) >= 4.5, (number, ink, ground)
        assert f".p{number} {{ color: var(--player-{number}); --letter: var(--player-{number}-ink) }}" in BASE


def test_picture_is_drawn_in_the_colours_of_the_day():
    assert list(COLOURS) == colours_of("light")
    assert list(INKS) == [scheme("light")[f"player-{number}-ink"] for number in range(1, STROKES + 1)]


def test_every_colour_has_a_name_of_its_own():
    assert len(set(COLOUR_NAMES)) == len(COLOURS) == STROKES


def test_no_two_dashes_are_alike():
    assert len(set(DASHES)) == STROKES
    drawn = [tuple(map(int, dash.split())) for dash in DASHES if dash]
    shares = sorted((round(sum(dash[::2]) / sum(dash), 2), len(dash), sum(dash)) for dash in drawn)
    assert all(one != other for one, other in pairwise(shares))
    assert all(len(dash) % 2 == 0 for dash in drawn)


def test_score_curve_has_no_colour_of_its_own():
    """As in every other stylesheet: so that dark and high contrast reach it."""
    screen = CURVE.split("@media print")[0]
    assert re.findall(r"#[0-9a-f]{3,8}\b|\brgba?\(", screen) == []
