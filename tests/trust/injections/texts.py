"""Two hundred texts that are markup, formula, header or code elsewhere, and a site in which all texts are such."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

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


class Told:
    """Texts one after the other, without end, from the one at `begin`. `columns`: for which each was told."""

    def __init__(self, begin: int, texts: Sequence[str] = ()) -> None:
        self.rest = itertools.islice(itertools.cycle(texts or injections()), begin, None)
        self.columns: list[str] = []
        self.column = ""

    def next(self, most: int | None) -> str:
        self.columns.append(self.column)
        return next(self.rest)[:most]


#: Of texts in a JSON column, a name and a note.
LONGEST_NAME, LONGEST_NOTE = 40, 200


def said_in_entry(data: dict[str, Any], told: Told) -> dict[str, Any]:
    """A note, or the name of somebody who came later."""
    longest = {"note": LONGEST_NOTE, "name": LONGEST_NAME}
    return data | {key: told.next(most) for key, most in longest.items() if data.get(key)}


def names_instead(names: dict[str, str], told: Told) -> dict[str, str]:
    return {player: told.next(LONGEST_NAME) for player in names}


def names_told(names: list[str], told: Told) -> list[str]:
    return [told.next(LONGEST_NAME) for _ in names]


#: What people write in a JSON column, by model and column. Everything else there is a number or a choice.
IN_JSON: dict[tuple[str, str], Callable[[Any, Told], Any]] = {
    ("Entry", "data"): said_in_entry,
    ("Sheet", "aliases"): names_instead,
    ("Sheet", "coming"): names_told,
}


def write_everywhere(begin: int = 0, texts: Sequence[str] = ()) -> list[str]:
    """Every text that somebody wrote becomes an injection, each row of its own as long as there are some.

    The first row gets the one at `begin`, of all or of these `texts`, and the others those after it, always in the
    same order. The column of each text.
    """
    told = Told(begin, texts)
    for app in ("clubs", "scoresheets"):
        for model in apps.get_app_config(app).get_models():
            fields = [one for one in model._meta.fields if is_text(one)]
            for row in model._base_manager.order_by("pk") if fields else ():
                now = {one.name: getattr(row, one.name) for one in fields}
                then = {one.name: anew(one, now[one.name], told) for one in fields if now[one.name]}
                if any(then[name] != now[name] for name in then):
                    model._base_manager.filter(pk=row.pk).update(**then)
    return told.columns


def is_text(field: models.Field[Any, Any]) -> bool:
    """Whether people write something in that column."""
    if (field.model.__name__, field.name) in IN_JSON:
        return True
    return isinstance(field, models.CharField | models.TextField) and field.name in TEXTS and not field.choices


def anew(field: models.Field[Any, Any], value: Any, told: Told) -> Any:
    """What stands in a column, with the next texts in the place of those that somebody wrote."""
    told.column = f"{field.model.__name__}.{field.name}"
    in_json = IN_JSON.get((field.model.__name__, field.name))
    return in_json(value, told) if in_json else told.next(field.max_length)
