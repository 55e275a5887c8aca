"""`without_indents` for templates."""

from django import template

from scoresheets.wording.markup import without_indents

register = template.Library()
register.filter("without_indents", without_indents, is_safe=True)
