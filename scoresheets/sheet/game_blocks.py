"""Blocks of a game's template, which other pages show.

The template extends `layout`. The pad uses its own layout; another page renders the template with a layout of one
block, with a default where the game has nothing of its own. Parts of a template are in a folder of the same name.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from django.template import TemplateDoesNotExist
from django.template.engine import Engine
from django.template.loader import render_to_string
from django.template.loader_tags import BlockNode, ExtendsNode
from django.utils.safestring import SafeString

from rules.core.game import Game


def template_of(game: Game, part: str = "") -> str:
    """The template of the game, or a part of it such as "blank", which need not be there."""
    return f"scoresheets/games/{game.module}/{part}.html" if part else f"scoresheets/games/{game.module}.html"


def block_of(template: str, layout: str, context: Mapping[str, object]) -> SafeString:
    """The block of the game's template that `layout` consists of; the layout as it is, where there is no template."""
    return render_to_string(drawn_by(template, layout), {**context, "layout": layout})


@cache
def drawn_by(template: str, layout: str) -> str:
    """Which of the two draws it: the game's template only where it has a block of the layout, for that costs more."""
    find_template = Engine.get_default().get_template
    try:
        page = find_template(template)
    except TemplateDoesNotExist:
        return layout
    own = {name for node in page.nodelist if isinstance(node, ExtendsNode) for name in node.blocks}
    blocks = find_template(layout).nodelist.get_nodes_by_type(BlockNode)
    names = {node.name for node in blocks if isinstance(node, BlockNode)}
    return template if own & names else layout
