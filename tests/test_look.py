"""The colours of the site can be told apart: every pair that carries meaning, in every scheme."""

import re
from pathlib import Path

import pytest

CSS = Path(__file__).resolve().parent.parent / "static" / "css"
BASE = (CSS / "base.css").read_text(encoding="utf-8")

# A scheme is what the blocks named here leave standing, the later over the earlier.
LIGHT = ":root {\n  color-scheme: light;"
DARK = ":root {\n    color-scheme: dark;"
HIGH_LIGHT = "@media (prefers-contrast: more) {\n  :root {"
HIGH_DARK = "@media (prefers-contrast: more) and (prefers-color-scheme: dark) {\n  :root {"
SCHEMES = {
    "light": [LIGHT],
    "dark": [LIGHT, DARK],
    "high contrast": [LIGHT, HIGH_LIGHT],
    "high contrast, dark": [LIGHT, DARK, HIGH_LIGHT, HIGH_DARK],
}

GROUNDS = ["paper", "paper-2", "card"]
READ_ON_EVERY_GROUND = ["ink", "ink-2", "link", "made", "set", "warn", "red-suit"]
FILLED = ["felt", "ketchup", "mustard"]
DRAWN_ON_EVERY_GROUND = ["edge", "felt", "box", "circle"]


def colours_of(opening: str) -> dict[str, str]:
    """The properties with a plain colour in the block that begins with `opening`; there must be one such block."""
    assert BASE.count(opening) == 1, opening
    block = BASE.split(opening)[1].split("}")[0]
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))


def scheme(name: str) -> dict[str, str]:
    colours: dict[str, str] = {}
    for opening in SCHEMES[name]:
        colours |= colours_of(opening)
    return colours


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb`, 0 to 1 (WCAG 2.2)."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """1 (the same) to 21 (black on white)."""
    darker, lighter = sorted([luminance(one), luminance(other)])
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_is_measured_as_the_standard_says():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("name", SCHEMES)
def test_text_can_be_read_on_every_ground(name):
    colours, wanted = scheme(name), 7 if name.startswith("high") else 4.5
    for ink in READ_ON_EVERY_GROUND:
        for ground in GROUNDS:
            assert contrast(colours[ink], colours[ground]) >= wanted, (ink, ground)
    for ground in FILLED:
        assert contrast(colours[f"{ground}-ink"], colours[ground]) >= wanted, ground


@pytest.mark.parametrize("name", SCHEMES)
def test_edges_of_controls_and_drawn_marks_can_be_seen_on_every_ground(name):
    colours, wanted = scheme(name), 4.5 if name.startswith("high") else 3
    for stroke in DRAWN_ON_EVERY_GROUND:
        for ground in GROUNDS:
            assert contrast(colours[stroke], colours[ground]) >= wanted, (stroke, ground)


def test_no_colour_stands_in_a_stylesheet_but_as_a_token():
    """So that dark and high contrast reach it; only paper is printed in colours of its own.

    Those of the players are tokens too, held by scoresheets/score_curve/test_curve_colours.py.
    """
    for path in CSS.rglob("*.css"):
        if path.name not in ("base.css",):
            screen = path.read_text(encoding="utf-8").split("@media print")[0]
            assert re.findall(r"#[0-9a-f]{3,8}\b|\brgba?\(", screen) == [], path.name


def test_nothing_is_written_smaller_than_17_px_on_a_screen():
    """One rem is 16 px."""
    for path in CSS.rglob("*.css"):
        screen = path.read_text(encoding="utf-8").split("@media print")[0]
        sizes = re.findall(r"font(?:-size)?:[^;}]*?([\d.]+)rem", screen)
        assert sizes, path.name
        assert [size for size in sizes if float(size) < 1.0625] == [], path.name
