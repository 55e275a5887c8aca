"""What a game's page says of the hand has its time: data-when and data-unless, for a phone without a script."""

from types import SimpleNamespace

import pytest

from scoresheets.pad.noscript import filled_in

FACE = SimpleNamespace(
    given={}, shown="relish", hand=SimpleNamespace(dealer=1, order=(2, 1)), leader=2,
    steps={"bid": {"picker": 2, "footlong": True, "trump": None}},
    pad=SimpleNamespace(shows={"pile": "two", "none": ""}),
)  # fmt: skip


def is_shown(condition):
    return "hidden" not in filled_in(f"<p {condition}>", FACE)


@pytest.mark.parametrize(("condition", "holds"), [
    ("answered bid", True), ("answered relish", False), ("due relish", True), ("due bid", False),
    ("shows pile", True), ("shows none", False), ("shows nothing", False),
    ("wrote bid picker", True), ("wrote bid picker 2", True), ("wrote bid picker 1", False),
    ("wrote bid footlong true", True), ("wrote bid footlong", True), ("wrote bid trump", False),
    ("wrote relish relish", False), ("wrote relish relish 5", False),
    ("deals 1", True), ("deals 2", False), ("leads 2", True), ("leads 1", False),
])  # fmt: skip
def test_part_of_the_page_has_its_time(condition, holds):
    assert is_shown(f'data-when="{condition}"') == holds
    assert is_shown(f'data-unless="{condition}"') == (not holds)
