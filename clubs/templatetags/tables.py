"""A template tag with a cache for the people of a table on the pages of a night.

A night of twenty tables takes a twentieth of a second to render, and of all its tables a new hand changes one.
"""

from __future__ import annotations

from collections.abc import Collection

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from scoresheets.caches.versioned_cache import VersionedCache
from scoresheets.sheet.summary import Standpoint
from scoresheets.wording.markup import without_indents

register = template.Library()

#: Letters in all: a table has some two thousand.
rendered: VersionedCache[SafeString] = VersionedCache(2_000_000)


@register.simple_tag
def people_of_table(people: list[Standpoint], mine: Collection[int] = ()) -> SafeString:
    """Everybody at a table with their total; `mine`: the players (ids) that are the reader."""
    standpoints = [(person, person.player in mine) for person in people]
    key = tuple(standpoints)
    html = rendered.get(key)
    if html is None:
        html = SafeString(without_indents(render_to_string("clubs/tables/people.html", {"standpoints": standpoints})))
        rendered.put(key, html, size=len(html))
    return html
