"""Shapes of the answers, beside those of the file formats (`rules.core.files.schema`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rules.core.files.schema import AnyObject, JsonSchema, ListOf, Members, OrNull, Shape, Text, Whole, fault
from rules.core.problems import Problem

#: Where the description keeps a schema.
COMPONENTS = "#/components/schemas/"


@dataclass(frozen=True)
class Number:
    """A number, whole or not."""

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        if isinstance(value, bool) or not isinstance(value, int | float):
            yield fault(where, "a number belongs here")

    def schema(self) -> JsonSchema:
        return {"type": "number"}


@dataclass(frozen=True)
class Named:
    """A shape that has a name in the description, and stands there once."""

    name: str
    inside: Shape

    def faults(self, value: object, where: str) -> Iterator[Problem]:
        yield from self.inside.faults(value, where)

    def schema(self) -> JsonSchema:
        return {"$ref": f"{COMPONENTS}{self.name}"}


def file_format(name: str) -> Named:
    """A document of a file format, such as "score-sheet/1": it is described as its files are."""
    return Named(component(name), AnyObject())


def component(name: str) -> str:
    """What a file format is called among the components, which have no slash in their names.

    >>> component("score-sheet/1")
    'score-sheet-1'
    """
    return name.replace("/", "-")


def page_of(key: str, inside: Shape, more: Mapping[str, Shape] | None = None) -> Members:
    """A page of a list, which stands at `key`; `more` stands on every page."""
    paging: dict[str, Shape] = {"count": Whole(0), "page": Whole(1), "pages": Whole(1), "next": OrNull(Text())}
    return Members({**(more or {}), **paging, key: ListOf(inside)}, {})


#: What is answered where something is wrong: a sentence, and a word for a program.
PROBLEM = Named("Problem", Members({"problem": Text()}, {"code": Text()}))


def named_in(shape: object) -> Iterator[Named]:
    """The shapes with a name that stand in a shape, the outer one first."""
    if isinstance(shape, Named):
        yield shape
    for part in parts_of(shape):
        yield from named_in(part)


def parts_of(shape: object) -> Iterator[object]:
    """What a shape is made of."""
    match shape:
        case Members():
            yield from (*shape.required.values(), *shape.optional.values())
        case Named() | ListOf() | OrNull():
            yield shape.inside
