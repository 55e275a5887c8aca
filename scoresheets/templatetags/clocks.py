"""`{% clock %}`: what goes on at the table for so many minutes, on the pad and on the pages of who watches."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import Context

from scoresheets.pad.timer import clock_of

register = template.Library()


@register.inclusion_tag("scoresheets/pad/timer.html", takes_context=True)
def clock(context: Context, *, called: str = "") -> dict[str, Any]:
    """The clock of the sheet that the page shows, which is `called` so; it has its place also while none runs."""
    reading = context.get("reading") or context["running"].reading
    return {"clock": clock_of(reading), "called": called}
