"""Template tags of the account pages."""

from django import template
from django.forms import BoundField
from django.template import Context
from django.utils.safestring import SafeString

from clubs.accounts.adapter import SAID
from clubs.notices.mail import mail_is_printed

register = template.Library()
register.simple_tag(mail_is_printed)


@register.simple_tag(takes_context=True)
def said_before(context: Context) -> str:
    """What went wrong on the page before, which led here; it is said once."""
    request = context.get("request")
    return str(request.session.pop(SAID, "")) if request else ""


@register.simple_tag
def control_of(field: BoundField, hint: str = "") -> SafeString:
    """The control of a field, without the placeholder that repeats its label; what is said below it belongs to it."""
    # The form's own words of help stand on no page, and would be pointed to.
    field.help_text = ""
    attributes: dict[str, str | bool] = {"placeholder": ""}
    if hint or field.errors:
        attributes["aria-describedby"] = f"{field.id_for_label}-said"
    return field.as_widget(attrs=attributes)
