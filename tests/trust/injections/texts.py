"""Two hundred texts that are markup, formula, header or code elsewhere, and a site in which all texts are such."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from django.apps import apps
from django.db import models

#: In every injection, so that it is known where it comes out; and no letter of a name.
MARK = "zq7"
#: What people write, by column. What only says which of several is no text.
TEXTS = {
    "name", "nickname", "shown_as", "place", "about", "says", "label", "title", "thing", "called", "caption", "reason",
    "why", "club_name", "home", "stakes", "closed", "term", "meaning", "problem",
}  # fmt: skip
TAGS = ("script", "img", "svg", "iframe", "a", "b", "style", "base", "meta", "form", "input", "textarea", "title")
BEFORE = ("", '"', "'", "'>", '">', "-->", "]]>", "</title>", "</script>", "</textarea>", "</svg>", "&lt;")
FORMULAS = ("=", "+", "-", "@", "\t=", " =", "=+", "＝")
CODE = (
    "{{ zq7 }}", "{% zq7 %}", "${zq7}", "#{zq7}", "<%= zq7 %>", "javascript:zq7()", "data:text/html,zq7", "`zq7`",
    "\\u003czq7\\u003e", "%3Czq7%3E", "&#60;zq7&#62;", "\\x3czq7", "zq7\\", "zq7\\n", "../../zq7",
    "zq7;drop table x;--",
    "' or 1=1--zq7", "zq7%00", "$(zq7)", "|zq7", "zq7&x=1", "zq7#x", "zq7?x", "@import 'zq7'", "url(zq7)", "}zq7{",
    "BEGIN:VEVENT zq7", "zq7,;:\\", "zq7: 1", "a\u202ezq7", "\u200bzq7", "zq7\u2028x", "[zq7](http://x)", "\"zq7\":",
)  # fmt: skip


def injections() -> Iterator[str]:
    """Two hundred and more, each with the mark, the short ones first."""
    yield from CODE
    yield from (f"{sign}{MARK}" for sign in FORMULAS)
    for before, tag in itertools.product(BEFORE, TAGS):
        yield f"{before}<{tag} on{MARK}=1>"
    for before in BEFORE:
        yield f"{before} on{MARK}=1 x="
        yield f"{before}<{MARK}>"
    for scheme in ("javascript", "vbscript", "data"):
        yield f"{scheme}:{MARK}//"


def running() -> Iterator[str]:
    """Names that would run something in a browser, or load it, if they were more than text."""
    yield from (
        "<img src=/zq7 onerror=zq7()>", "<svg onload=zq7()>", "<script>zq7()</script>", '"><img src=/zq7>',
        "' onfocus='zq7()' autofocus x='", "</script><script>zq7()</script>", "<iframe src=javascript:zq7()>",
        "<style>*{background:url(/zq7)}</style>", "<base href=/zq7/>", "</title><img src=/zq7>",
        "</template><img src=/zq7>", "<link rel=stylesheet href=/zq7>", "</bdi></b><script src=/zq7></script>",
        "<meta http-equiv=refresh content=0;/zq7>",
    )  # fmt: skip


def write_everywhere(begin: int = 0, texts: Sequence[str] = ()) -> int:
    """Every text that somebody wrote becomes an injection, each row of its own as long as there are some.

    The first row gets the one at `begin`, of all or of these `texts`. How many texts that were.
    """
    told, written = itertools.islice(itertools.cycle(texts or injections()), begin, None), 0
    for app in ("clubs", "scoresheets"):
        for model in apps.get_app_config(app).get_models():
            names = [
                one.name
                for one in model._meta.fields
                if isinstance(one, models.CharField | models.TextField) and one.name in TEXTS and not one.choices
            ]
            for row in model._base_manager.all() if names else ():
                for name in names:
                    if getattr(row, name):
                        setattr(row, name, fitting(next(told), model._meta.get_field(name).max_length))
                        written += 1
                model._base_manager.filter(pk=row.pk).update(**{name: getattr(row, name) for name in names})
    return written


def fitting(text: str, most: int | None) -> str:
    return text[:most] if most else text
