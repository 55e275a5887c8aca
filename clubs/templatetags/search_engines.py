"""Template tags about what search engines may list."""

from django import template
from django.template import Context

from clubs.club.search_engines import is_listed

register = template.Library()


@register.simple_tag(takes_context=True)
def canonical_address(context: Context) -> str:
    """The address under which search engines may list the page of a club; "" where they may not."""
    request, club = context.get("request"), context.get("club")
    if request is None or club is None or request.resolver_match is None:
        return ""
    return request.build_absolute_uri(request.path) if is_listed(club, request.resolver_match.url_name or "") else ""
