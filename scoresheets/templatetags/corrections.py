"""`{% correction_link sheet.code "7" "result" seat=3 as change %}`: where a number on a page is corrected."""

from __future__ import annotations

from django import template

from scoresheets.corrections.links import correction_link

register = template.Library()
register.simple_tag(correction_link)
