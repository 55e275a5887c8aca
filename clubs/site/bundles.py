"""Bundles: a page loads one style sheet and one script, and a pad one more script later.

A page names its files one by one, as in development, where each is loaded by itself. With `HashedStaticFiles` the tag
`{% bundled %}` of base.html replaces them by two addresses under `/static/bundles/`. An address names the files and a
digest of all of them, so every process can answer it, and browsers keep it for ever:

    /static/bundles/base+page+club.0123456789ab.css
    /static/bundles/pad-bidding.0123456789ab.js          what the page begins with, and all it imports
    /static/bundles/later/pad-bidding.0123456789ab.js    what that loads afterwards

The digest is the same for all bundles of a release: a script never meets the other half of another release.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import cast

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from clubs.site import script_modules
from clubs.site.script_modules import RUNTIME, BundleProblem, Part, all_needed, part_of, written
from clubs.site.storage import HashedStaticFiles

FOLDER, LATER = "bundles/", "later/"
ADDRESS = re.compile(r"(later/)?([\w+-]+)\.([0-9a-f]{12})\.(css|js)")
TYPES = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}
#: A bundle of more files is none of ours.
MOST_FILES = 40
#: Bundles that are kept in memory: far more than there are kinds of pages.
KEPT = 300
FOR_EVER = "max-age=315360000, public, immutable"

HASH = re.compile(r"\.[0-9a-f]{12}(?=\.\w+$)")
#: What a page loads; what stands in <noscript> stays as it is.
TAG = re.compile(
    r"<noscript>.*?</noscript>"
    r'|<link rel="stylesheet" href="(?P<css>[^"]+)"(?: media="(?P<media>[^"]+)")?>'
    r'|<script (?:type="module" src="(?P<js>[^"]+)"|src="(?P<js2>[^"]+)" type="module")></script>',
    re.S,
)


def are_bundled() -> bool:
    """Whether pages load bundles: as soon as the files have names that change."""
    return isinstance(staticfiles_storage, HashedStaticFiles)


def storage() -> HashedStaticFiles:
    return cast(HashedStaticFiles, staticfiles_storage)


#: The service worker has a file of its own, and what is done before the first paint is no module.
NO_MODULES = ("js/sw.js", "js/pages/prefs.js")


def own_files(kind: str) -> dict[str, str]:
    """The path of each of our scripts or style sheets (`js`, `css`) by its name in an address: `pad-bidding`."""
    return files_of(kind, frozenset(storage().hashed_files))


@cache
def files_of(kind: str, collected: frozenset[str]) -> dict[str, str]:
    names = {name for name in collected if name.startswith(f"{kind}/") and name.endswith(f".{kind}")}
    return {name[len(kind) + 1 : -len(kind) - 1].replace("/", "-"): name for name in names.difference(NO_MODULES)}


def digest_of_all() -> str:
    """A digest of all static files as they were collected, and of how bundles are made: twelve digits."""
    return digest_with(storage().manifest_hash)


@cache
def digest_with(manifest_hash: str) -> str:
    ways = [Path(module).read_bytes() for module in (__file__, script_modules.__file__)]
    return hashlib.sha256(b"".join([manifest_hash.encode(), *ways])).hexdigest()[:12]


def address_of(kind: str, names: Iterable[str], digest: str, *, folder: str = FOLDER) -> str:
    return f"{settings.STATIC_URL}{folder}{'+'.join(names)}.{digest}.{kind}"


def with_bundles(head: str) -> str:
    """The head of a page in which one address stands for its style sheets and one for its modules."""
    return replaced(head, digest_of_all()) if are_bundled() else head


#: Conditions of style sheets, by the last part of their name in an address.
WINDOWS = {"(max-width: 19em)": "narrow"}
CONDITIONS = {f"-{name}": condition for condition, name in WINDOWS.items()}
ELEMENTS = {"css": '<link rel="stylesheet" href="{}">', "js": '<script type="module" src="{}"></script>'}


@lru_cache(maxsize=KEPT)
def replaced(head: str, digest: str) -> str:
    files: dict[str, dict[str, None]] = {"css": {}, "js": {}}
    places: dict[str, int] = {}
    kept, at = list[str](), 0
    for match in TAG.finditer(head):
        kind = "css" if match["css"] else "js"
        name = name_in_address(match["css"] or match["js"] or match["js2"], kind)
        if name is None:
            continue
        kept.append(head[at : match.start()])
        at = match.end()
        if kind not in places:
            places[kind] = len(kept)
            kept.append("")
        # A style sheet for some windows stands under its own condition.
        files[kind][f"{name}-{WINDOWS[match['media']]}" if match["media"] else name] = None
    for kind, place in places.items():
        href = address_of(kind, files[kind], digest)
        kept[place] = ELEMENTS[kind].format(href)
    return "".join([*kept, head[at:]])


def name_in_address(href: str | None, kind: str) -> str | None:
    """How one of our files is named in the address of a bundle; None for any other."""
    prefix = f"{settings.STATIC_URL}{kind}/"
    if not href or not href.startswith(prefix):
        return None
    name = HASH.sub("", href[len(prefix) :]).removesuffix(f".{kind}").replace("/", "-")
    return name if name in own_files(kind) else None


# What they consist of


def bundle_at(path: str) -> bytes | None:
    """The bundle at this address, compressed (gzip), or None: of unknown files, or of another release."""
    match = ADDRESS.fullmatch(path.removeprefix(f"{settings.STATIC_URL}{FOLDER}"))
    if match is None or match[3] != digest_of_all() or (match[1] and match[4] == "css"):
        return None
    names = tuple(match[2].split("+"))
    if len(names) > MOST_FILES or len(set(names)) < len(names):
        return None
    try:
        return bundle_of(names, match[4], is_later=bool(match[1]))
    except (KeyError, BundleProblem):
        return None


@lru_cache(maxsize=KEPT)
def bundle_of(names: tuple[str, ...], kind: str, *, is_later: bool) -> bytes:
    """The bundle of these files. Raises `KeyError` for unknown ones; what is raised is not kept."""
    text = styles(names) if kind == "css" else scripts(names, is_later=is_later)
    return gzip.compress(text.encode(), 9, mtime=0)


def text_of(name: str) -> str:
    return Path(staticfiles_storage.path(name)).read_text()


def styles(names: Sequence[str]) -> str:
    """The style sheets of these names, one after the other. Raises `KeyError`."""
    return "\n".join(map(style, names))


def style(name: str) -> str:
    files = own_files("css")
    for ending, condition in CONDITIONS.items():
        if name.endswith(ending):
            return f"@media {condition}{{{shorter_style(text_of(files[name.removesuffix(ending)]))}}}"
    return shorter_style(text_of(files[name]))


NOTHING = r"(?:\s|/\*.*?\*/)"
STYLE_PIECE = re.compile(
    rf"""(?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|{NOTHING}*(?P<sign>[{{}};,]){NOTHING}*|{NOTHING}+""", re.S
)


def shorter_style(text: str) -> str:
    """A style sheet without comments and without space that nothing needs; a rule a line."""

    def shorter(match: re.Match[str]) -> str:
        sign = match["sign"]
        return match["string"] or ("}\n" if sign == "}" else sign) or " "

    return STYLE_PIECE.sub(shorter, text).strip()


def scripts(names: Sequence[str], *, is_later: bool) -> str:
    """The modules of these names with all they import, or with all that is loaded later. Raises `KeyError`."""
    files = own_files("js")
    begin = [files[name].removeprefix("js/") for name in names]
    part = cache(part_at)
    first = all_needed(begin, part, later=False)
    later = [name for name in all_needed(begin, part, later=True) if name not in first]
    if is_later:
        return written(later, part) + "export{parts};\n"
    runtime = RUNTIME.replace("LATER", json.dumps(address_of("js", names, digest_of_all(), folder=FOLDER + LATER)))
    return written(first, part) + runtime.replace("FIRST", json.dumps(begin))


#: A module is read anew only when it has changed.
kept_part = cache(part_of)


def part_at(path: str) -> Part:
    """The module of ours at this path below `static/js/`, as a part of bundles. Raises `KeyError`."""
    return kept_part(path, text_of(own_files("js")[path.removesuffix(".js").replace("/", "-")]))


def send_bundles(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answer for the addresses of bundles: beside the other static files, before anything that may be closed."""
    prefix = f"{settings.STATIC_URL}{FOLDER}"

    def answer(request: HttpRequest) -> HttpResponseBase:
        if request.method not in ("GET", "HEAD") or not request.path_info.startswith(prefix) or not are_bundled():
            return get_response(request)
        bundle = bundle_at(request.path_info)
        return get_response(request) if bundle is None else sent(bundle, request)

    return answer


def sent(bundle: bytes, request: HttpRequest) -> HttpResponse:
    is_squeezed = "gzip" in request.headers.get("Accept-Encoding", "")
    content = bundle if is_squeezed else gzip.decompress(bundle)
    kind = request.path_info.rpartition(".")[2]
    response = HttpResponse(b"" if request.method == "HEAD" else content, content_type=TYPES[kind])
    response["Content-Length"] = str(len(content))
    response["Cache-Control"], response["Vary"] = FOR_EVER, "Accept-Encoding"
    if is_squeezed:
        response["Content-Encoding"] = "gzip"
    return response
