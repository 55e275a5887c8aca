"""`without_indents`: a page of many rows without the spaces before its lines, which are most of what it weighs."""

from __future__ import annotations

import re

from django import template
from django.utils.safestring import SafeString

register = template.Library()

INDENT = re.compile(r"\n\s+")


@register.filter(is_safe=True)
def without_indents(html: str) -> str:
    """The same HTML, with a line break where lines were indented.

    >>> without_indents(SafeString("<ul>\\n    <li>\\n  </ul>"))
    '<ul>\\n<li>\\n</ul>'
    """
    found = INDENT.sub("\n", html)
    return SafeString(found) if isinstance(html, SafeString) else found
