"""The description of the interface (OpenAPI 3.1), made of the addresses of the site and of the shapes of the answers.

Nothing is said twice: what an address gives is said where it is answered (`answers.Endpoint`), the file formats are
described as their files are.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from django.urls import URLPattern, get_resolver

from clubs import __version__
from clubs.api.answers import JSON, Endpoint, as_json
from clubs.api.shapes import COMPONENTS, PROBLEM, Named, component, named_in
from rules.core.files.json_schema import schemas
from rules.core.files.schema import JsonSchema

PREFIX = "api/v1/"
#: A word of a program in a docstring.
QUOTED = re.compile('`([^`]+)`|"([^"]+)"')
PLACE = re.compile(r"<(?:\w+:)?(\w+)>")
#: What stands at the places of an address.
PLACES = {
    "slug": "the address of the club",
    "uid": "the id of the thing, which never changes",
    "which": "the id of a season, or all-time",
}
PAGE = {
    "name": "page", "in": "query", "description": "the page of the list, from 1 on",
    "schema": {"type": "integer", "minimum": 1, "default": 1},
}  # fmt: skip
KEY = {
    "name": "key", "in": "query", "schema": {"type": "string"},
    "description": "the read key, where a program cannot send a header",
}  # fmt: skip
ABOUT = (
    "Reads what a card club shows: nights, tables, sheets, standings, trophies, records. A club that is shown to "
    "everybody needs no key; any other is read with a key that its organisers make. A club that is not shown to you is "
    "answered like one that does not exist. Ids (uid) never change, also when a club moves to another site."
)
PROBLEMS = {
    "400": "Something in the address cannot be read.",
    "401": "The key is wrong, or it was revoked.",
    "404": "There is nothing at this address, or it is not shown to you.",
    "405": "This address does not take that method.",
    "429": "That was too often. Retry-After says how many seconds to wait.",
}
#: Beside those, where an endpoint has them among its `refusals`.
MORE_PROBLEMS = {
    403: "The phone or program can no longer enter scores on this sheet.",
    409: "Somebody else has entered something different there.",
    413: "What was sent is larger than this site takes.",
    422: "It does not fit: `problems` says why; where it is only unwise, it is taken with `sure`.",
}
ONCE = {
    "name": "Idempotency-Key", "in": "header", "required": True,
    "description": "another one for every entry: 16 to 64 letters, digits, - and _. The same again is the same entry.",
    "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{16,64}$"},
}  # fmt: skip


@dataclass(frozen=True)
class Described:
    """An address of the interface, with what each of its methods gives."""

    path: str
    endpoints: tuple[Endpoint, ...]
    places: tuple[str, ...]
    about: str


@cache
def addresses() -> tuple[Described, ...]:
    """Every address of the interface, in the order of the site."""
    return tuple(described_addresses())


def described_addresses() -> Iterator[Described]:
    for pattern in get_resolver().url_patterns:
        route = str(pattern.pattern)
        if not isinstance(pattern, URLPattern) or not route.startswith(PREFIX):
            continue
        endpoints = endpoints_of(pattern.callback)
        if endpoints:
            yield Described(
                "/" + PLACE.sub(r"{\1}", route), endpoints, tuple(PLACE.findall(route)), about_view(pattern.callback)
            )


def about_view(view: object) -> str:
    """What its docstring says, as people print it."""
    return QUOTED.sub(lambda quoted: f"“{quoted[1] or quoted[2]}”", " ".join((inspect.getdoc(view) or "").split()))


def endpoints_of(view: object) -> tuple[Endpoint, ...]:
    """What the view gives, by its methods; nothing for a page that is for people."""
    endpoint = getattr(view, "endpoint", ())
    return (endpoint,) if isinstance(endpoint, Endpoint) else tuple(endpoint)


@cache
def description() -> JsonSchema:
    """The whole document."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Box & Circle", "version": __version__, "description": ABOUT},
        "paths": {address.path: operations(address) for address in addresses()},
        "components": {
            "schemas": components(),
            "securitySchemes": {
                "readKey": {"type": "http", "scheme": "bearer", "description": "a read key of the club"},
                "linkKey": {"type": "http", "scheme": "bearer", "description": "the key of a scorekeeper link"},
            },
        },
    }


@cache
def description_content() -> bytes:
    """The same as it is sent: it does not change as long as the site runs."""
    return as_json(description())


def operations(address: Described) -> JsonSchema:
    return {endpoint.method.lower(): operation(address, endpoint) for endpoint in address.endpoints}


def operation(address: Described, endpoint: Endpoint) -> JsonSchema:
    parameters: list[object] = [
        {"name": name, "in": "path", "required": True, "description": PLACES[name], "schema": {"type": "string"}}
        for name in address.places
    ]
    parameters += [PAGE] if endpoint.is_paged else []
    parameters += [KEY] if endpoint.takes_key_in_address else []
    parameters += [
        {"name": name, "in": "query", "description": about, "schema": {"type": "string"}}
        for name, about in endpoint.query.items()
    ]
    parameters += [ONCE] if endpoint.body else []
    described: JsonSchema = {
        "summary": endpoint.summary, "description": endpoint.about or address.about, "parameters": parameters,
        "security": security(endpoint), "responses": responses(endpoint),
    }  # fmt: skip
    if endpoint.body:
        described["requestBody"] = {"required": True, "content": {JSON: {"schema": endpoint.body.schema()}}}
    return described


def responses(endpoint: Endpoint) -> JsonSchema:
    """What is answered, by status."""
    described: JsonSchema = {"200": success(endpoint)}
    if not endpoint.body:
        described["304"] = {"description": "What you have (If-None-Match) is what there is."}
    described |= {status: {"description": about, "content": problem()} for status, about in PROBLEMS.items()}
    for status, shape in endpoint.refusals.items():
        content = {JSON: {"schema": shape.schema()}}
        described[str(status)] = {"description": MORE_PROBLEMS[status], "content": content}
    return described


def security(endpoint: Endpoint) -> list[object]:
    """Which keys it takes; {}: none is needed, where what is asked for is public."""
    if endpoint.takes_link:
        return [{"linkKey": []}]
    return [{}, {"readKey": []}] if endpoint.takes_key else [{}]


def success(endpoint: Endpoint) -> JsonSchema:
    schema = endpoint.shape.schema() if endpoint.shape else {"type": "string"}
    headers: JsonSchema = {} if endpoint.body else {"ETag": {"schema": {"type": "string"}}}
    if endpoint.is_paged:
        headers["Link"] = {"schema": {"type": "string"}, "description": "first, prev, next and last page (RFC 8288)"}
    return {"description": endpoint.summary, "headers": headers, "content": {endpoint.media: {"schema": schema}}}


def problem() -> JsonSchema:
    return {JSON: {"schema": PROBLEM.schema()}}


def components() -> JsonSchema:
    """Every schema that has a name, by its name; those of the file formats as they stand in `fixtures/schemas`."""
    endpoints = [endpoint for address in addresses() for endpoint in address.endpoints]
    shapes = [PROBLEM, *(shape for endpoint in endpoints for shape in shapes_of(endpoint))]
    used: dict[str, Named] = {named.name: named for shape in shapes for named in named_in(shape)}
    formats = {component(name): (name, schema) for name, schema in schemas().items()}
    parts: JsonSchema = {}
    for name in sorted(used):
        parts[name] = as_component(name, formats[name][1]) if name in formats else used[name].inside.schema()
    return parts


def shapes_of(endpoint: Endpoint) -> Iterator[object]:
    """What it gives, takes and refuses with."""
    yield from (endpoint.shape, endpoint.body, *endpoint.refusals.values())


def as_component(name: str, schema: JsonSchema) -> JsonSchema:
    """The schema of a file format within the document: what it refers to stands below its own name."""
    whole = cast("JsonSchema", moved(schema, f"{COMPONENTS}{name}/$defs/"))
    whole.pop("$schema", None)
    return whole


def moved(part: Any, to: str) -> Any:
    """A part of a schema whose references lead to definitions that stand at `to`."""
    if isinstance(part, list):
        return [moved(member, to) for member in part]
    if not isinstance(part, dict):
        return part
    return {
        key: to + value.removeprefix("#/$defs/") if key == "$ref" else moved(value, to) for key, value in part.items()
    }
