"""`{% bundled %}`: the style sheets and modules between it and `{% endbundled %}` come in one file each."""

from __future__ import annotations

from django import template
from django.template.base import NodeList, Parser, Token
from django.template.context import Context
from django.utils.safestring import SafeString

from clubs.site.bundles import with_bundles

register = template.Library()


class Bundled(template.Node):
    """The part of a page in which its files are named."""

    def __init__(self, nodelist: NodeList) -> None:
        self.nodelist = nodelist

    def render(self, context: Context) -> SafeString:
        # It was rendered by a template: what had to be escaped is.
        return SafeString(with_bundles(self.nodelist.render(context)))


@register.tag
def bundled(parser: Parser, _: Token) -> Bundled:
    """Up to `endbundled`, replace style sheets and modules of ours by one bundle each (`clubs/site/bundles.py`)."""
    nodelist = parser.parse(("endbundled",))
    parser.delete_first_token()
    return Bundled(nodelist)
