"""`{% of_the_game "scoresheets/sheet/game_sheet.html" %}`: a block of the game's own template, within another page."""

from __future__ import annotations

from django import template
from django.template import Context
from django.utils.safestring import SafeString

from rules import find_game
from scoresheets.sheet.game_blocks import block_of, template_of

register = template.Library()


@register.simple_tag(takes_context=True)
def of_the_game(context: Context, layout: str) -> SafeString:
    """The block that `layout` consists of, as the game of `sheet` has it. It is told everything this page is told."""
    told = {str(name): value for name, value in context.flatten().items()}
    return block_of(template_of(find_game(context["sheet"].game)), layout, told)
