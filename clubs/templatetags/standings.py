"""Template tags for figures and games of a standing."""

from __future__ import annotations

from decimal import Decimal

from django import template

from clubs.standings import schemes
from rules import UnknownGame, find_game

register = template.Library()


@register.filter
def figure_text(value: Decimal | int | None) -> str:
    """A figure without a tail of zeros and with a real minus sign."""
    return schemes.figure_text(value)


@register.filter
def ordinal(place: int) -> str:
    """A place as it is said: 1st, 2nd."""
    return schemes.ordinal(place)


@register.filter
def game_name(slug: str) -> str:
    """What a game is called; the slug itself, if the site does not have the game any more."""
    try:
        return find_game(slug).name
    except UnknownGame:
        return slug
