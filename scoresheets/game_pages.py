"""What a game draws itself: its one template, of which other pages show a block.

The template extends `layout`. The pad lets it have its own; who wants one block of it gives a layout that consists of
that block, with what is shown where the game has nothing of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.template.loader import render_to_string

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.utils.safestring import SafeString

    from rules.core.game import Game


def page_of(game: Game) -> str:
    """The template of the game."""
    return f"scoresheets/games/{game.slug.replace('-', '_')}.html"


def block_of(page: str, layout: str, context: Mapping[str, object]) -> SafeString:
    """The block of the game's template that `layout` consists of; the layout as it is, where there is no template."""
    return render_to_string([page, layout], {**context, "layout": layout})
