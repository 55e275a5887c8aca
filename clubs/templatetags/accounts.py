"""What the pages of the door want to know of the site."""

from django import template
from django.conf import settings
from django.template import Context

from clubs.accounts import SAID
from clubs.house import PRINTED

register = template.Library()


@register.simple_tag
def mail_is_printed() -> bool:
    """Whether mail goes nowhere but to the terminal of the site."""
    return settings.EMAIL_BACKEND == PRINTED


@register.simple_tag(takes_context=True)
def said_before(context: Context) -> str:
    """What went wrong on the page before, which led here; it is said once."""
    request = context.get("request")
    return str(request.session.pop(SAID, "")) if request else ""
