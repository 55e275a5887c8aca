"""Template tags for what a browser needs to know before it offers notices."""

from django import template
from django.template import Context
from django.utils.safestring import SafeString

from clubs.notices.this_browser import shows_notices
from clubs.notices.vapid import public_key

register = template.Library()
register.simple_tag(public_key, name="push_key")


@register.simple_tag(takes_context=True)
def shows_notices_here(context: Context) -> SafeString:
    """The attribute that says that this browser shows notices of the club. One query, or none."""
    request, club = context.get("request"), context["club"]
    return SafeString("data-is-here" if request and shows_notices(request, club) else "")
