"""What a game draws itself: its one template, of which other pages show a block.

The template extends `layout`. The pad lets it have its own; who wants one block of it gives a layout that consists of
that block, with what is shown where the game has nothing of its own. Its parts lie in a folder of the same name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.template.loader import render_to_string

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.utils.safestring import SafeString

    from rules.core.game import Game


def template_of(game: Game, part: str = "") -> str:
    """The template of the game, or a part of it such as "blank", which need not be there."""
    name = game.slug.replace("-", "_")
    return f"scoresheets/games/{name}/{part}.html" if part else f"scoresheets/games/{name}.html"


def block_of(template: str, layout: str, context: Mapping[str, object]) -> SafeString:
    """The block of the game's template that `layout` consists of; the layout as it is, where there is no template."""
    return render_to_string([template, layout], {**context, "layout": layout})
