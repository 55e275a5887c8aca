"""`{% total_cell cell %}`: the cell of a scored hand. A long sheet has a thousand: templates take half a second for it.

It renders the same as `scoresheets/sheet/small.html` and `scoresheets/sheet/marks.html`; a test compares them.
"""

from __future__ import annotations

import html
from collections.abc import Iterable

from django import template
from django.utils.safestring import SafeString

from scoresheets.sheet.parts import Cell

register = template.Library()

#: Points of so many signs fit beside the total in any column.
SHORT = 3
#: A pencil stroke is one of three shapes, chosen by the total.
STROKE = (
    '<svg class="pencil {0}" viewBox="0 0 100 60" preserveAspectRatio="none" aria-hidden="true">'
    '<use href="#{1}-{2}" /></svg>'
)
SIGN = (
    '<span class="sign" title="{0}: {1}"><span aria-hidden="true">{2}</span>'
    '<span class="visually-hidden">{0}</span></span>'
)


@register.simple_tag
def total_cells(cells: Iterable[Cell]) -> SafeString:
    """The cells of a row in which everybody has a total."""
    return SafeString("".join(map(total_cell, cells)))


@register.simple_tag
def total_cell(cell: Cell) -> SafeString:
    """The `<td>` of a total, with what stands beside it."""
    classes = "cell"
    if cell.missed:
        classes += " set"
    if cell.is_long:
        classes += " long"
    if cell.plus or cell.card:
        classes += " tied"
    if cell.card:
        beside = f'<span class="bt num"><span class="visually-hidden">drew </span>{escaped(cell.card)}</span>'
    else:
        beside = small(cell) if cell.small or cell.points else ""
    plus = f'<span class="plus num">{escaped(cell.plus)}</span>' if cell.plus else ""
    signs = "".join(SIGN.format(escaped(sign.term), escaped(sign.reason), escaped(sign.sign)) for sign in cell.signs)
    return SafeString(f'<td>\n<div class="{classes}">{beside}{marks(cell)}{plus}{signs}</div>\n</td>')


def small(cell: Cell) -> str:
    """What stands small beside the total, and what is heard instead."""
    lines = "".join(f'<span aria-hidden="true">{escaped(line)}</span>' for line in cell.small)
    gained = ""
    if cell.points:
        width = " nil" if cell.points == "0" else " long" if len(cell.points) > SHORT else ""
        gained = f'<span class="gained{width}" aria-hidden="true">{escaped(cell.points)}</span>'
    aloud = f'<span class="visually-hidden">{escaped(cell.aloud)}</span>'
    return f'<span class="bt num">{aloud}{gained}{lines}</span>'


def marks(cell: Cell) -> str:
    """The total with its box or circle, and with the way to its reason."""
    total = cell.total or 0
    shape = 0 if total % 3 == 0 else 1 if total % 2 == 0 else 2
    classes, strokes, heard = "mark", "", ""
    if cell.boxed:
        classes, heard = f"{classes} boxed", ", in the box"
        strokes = STROKE.format("box", "box", shape)
    if cell.circled:
        classes, heard = f"{classes} circled", f"{heard}, in the circle"
        strokes += STROKE.format("ring", "ring", shape)
    number = f'{"−" if total < 0 else ""}{abs(total)}<span class="visually-hidden">{heard}</span>'
    if cell.why:
        number = f'<a href="{escaped(cell.why)}">{number}</a>'
    return f'<span class="{classes}">{strokes}{number}</span>'


def escaped(text: str) -> str:
    """As Django escapes it; its own function takes most of its time to find out whether the text is a lazy one."""
    return text if isinstance(text, SafeString) else html.escape(text)
