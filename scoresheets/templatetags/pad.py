"""Template tags for the page of a game: on a pad of prompts, on the sheet and on the watch page.

A tag of the pad writes the current value and a data attribute, by which static/js/pad/prompts.js keeps it up to date.
"""

from __future__ import annotations

import re
from typing import Any

from django import template
from django.template.base import NodeList, Parser, Token
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from rules import find_game
from scoresheets.pad.generated import AnyAsk, any_asks_of
from scoresheets.pad.noscript import filled_in
from scoresheets.pad.prompt_pad import PromptPad
from scoresheets.pad.timer import clock_of
from scoresheets.sheet.game_blocks import block_of, template_of
from scoresheets.wording.markup import name_shown

register = template.Library()

SEAT = re.compile(r"seat (\d+)")


def face_of(context: template.Context) -> PromptPad:
    face: PromptPad = context["face"]
    return face


@register.inclusion_tag("scoresheets/pad/prompt_fields.html", takes_context=True)
def ask(context: template.Context, name: str, *more: str | int) -> dict[str, Any]:
    """What every post of a form carries, for the ask or the event of that name, and the place of its reason.

    The parts of its name may be given one by one: `{% ask "hunt" rank %}` is the ask "hunt-7".
    """
    name = "-".join(map(str, (name, *more)))
    face = face_of(context)
    is_event = name in context["game"].events
    is_here = name == face.shown
    return {
        "csrf_token": context.get("csrf_token"),
        "face": face,
        "ask": f"{name}-{face.pad.event}" if is_event else f"{face.pad.prefix}{name}",
        "name": name,
        "event": name if is_event else "",
        "saw": "" if is_event else face.saw(name),
        "again": name in face.steps,
        "due": is_here,
        "reason": face.reason if is_here else "",
        "sure": is_here and face.unwise,
    }


@register.simple_block_tag(takes_context=True)
def only_in_front(context: template.Context, content: str, name: str) -> SafeString:
    """Around the section of an ask: it is part of the page only while it is in front, for games that have many asks.

    Until then it waits in a `<template>`, of which a browser lays out nothing; the template stays and keeps its place.
    It is not for sections with a widget, which would not find its parts when it is loaded.
    """
    is_here = name == face_of(context).shown
    inside, beside = ("", content) if is_here else (content, "")
    return format_html('<template data-only-in-front="{}">{}</template>{}', name, inside, beside)


@register.simple_tag(takes_context=True)
def shut(context: template.Context, name: str, *more: str | int) -> SafeString:
    """Inside the tag of a control: it is shut while the game says that it cannot be meant (`Game.shut`).

    The parts of its name may be given one by one: `{% shut "slipped" seat %}` is "slipped 3".
    """
    name = " ".join(map(str, (name, *more)))
    is_shut = name in face_of(context).pad.shut
    return format_html('data-shut="{}"{}', name, mark_safe(" disabled") if is_shut else "")


@register.simple_tag(takes_context=True)
def shows(context: template.Context, name: str, *more: str | int) -> SafeString:
    """Words of the game that change with the hand (`Game.shows`): `{% shows "won" seat %}` are those named "won-3"."""
    name = "-".join(map(str, (name, *more)))
    return format_html('<span data-shows="{}">{}</span>', name, face_of(context).pad.shows.get(name, ""))


@register.simple_tag(name="answer", takes_context=True)
def step_in_words(context: template.Context, name: str, *more: str | int) -> SafeString:
    """The answer to an ask of this hand, in words; the name of the ask in one or several parts, as in `ask`."""
    name = "-".join(map(str, (name, *more)))
    return format_html(
        '<span data-answer="{}">{}</span>', name, names_apart(face_of(context).pad.step_texts.get(name, []))
    )


def names_apart(parts: list[str]) -> SafeString:
    """A sentence whose names are set apart."""
    return format_html_join(
        "", "{}", ((name_shown(part) if i % 2 else conditional_escape(part),) for i, part in enumerate(parts))
    )


@register.simple_tag(name="name_of", takes_context=True)
def name_by_role(context: template.Context, role: str | int) -> SafeString:
    """The name of a player, by role: "dealer", "leads", "next dealer" or "seat 3"; a seat also by its number."""
    face = face_of(context)
    role = f"seat {role}" if isinstance(role, int) else role
    by_number = SEAT.fullmatch(role)
    seats = {"dealer": face.hand.dealer, "leads": face.leader, "next dealer": face.next_dealer}
    seat = int(by_number[1]) if by_number else seats[role]
    return format_html('<bdi data-name-of="{}">{}</bdi>', role, face.name(seat) if seat is not None else "")


@register.simple_tag(takes_context=True)
def any_asks(context: template.Context) -> list[AnyAsk]:
    """Every ask of the hand, laid out from its fields: for games that have no page of their own."""
    return any_asks_of(context["reading"])


@register.tag
def filled(parser: Parser, token: Token) -> Filled:  # noqa: ARG001
    """Around what a game says: parts have their time, and a form that was refused has its values, without a script."""
    nodes = parser.parse(("endfilled",))
    parser.delete_first_token()
    return Filled(nodes)


class Filled(template.Node):
    """The tag of that name."""

    def __init__(self, nodelist: NodeList) -> None:
        self.nodelist = nodelist

    def render(self, context: template.Context) -> SafeString:
        return filled_in(self.nodelist.render(context), face_of(context))


@register.inclusion_tag("scoresheets/pad/timer.html", takes_context=True)
def clock(context: template.Context, *, called: str = "") -> dict[str, Any]:
    """The clock of the sheet that the page shows, which is `called` so; it has its place also while none runs."""
    reading = context.get("reading") or context["running"].reading
    return {"clock": clock_of(reading), "called": called}


@register.simple_tag(takes_context=True)
def of_the_game(context: template.Context, layout: str) -> SafeString:
    """The block that `layout` consists of, as the game of `sheet` has it, with the context of this page."""
    values = {str(name): value for name, value in context.flatten().items()}
    return block_of(template_of(find_game(context["sheet"].game)), layout, values)
