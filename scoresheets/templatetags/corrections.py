"""`{% correction_link sheet.code "7" "result" seat=3 as change %}`: the link to correct a number on a page."""

from __future__ import annotations

from django import template

from scoresheets.corrections.links import correction_link

register = template.Library()
register.simple_tag(correction_link)
