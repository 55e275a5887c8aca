"""Our scripts as parts of one file: each ES module becomes a function, whose result is what the module exports.

The house style makes that simple: imports stand first and end with a semicolon, scripts import each other in no circle,
and only functions, classes and constants are exported. Whatever else a script does is refused with a `BundleProblem`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass


class BundleProblem(Exception):
    """A script is written in a way in which it cannot become part of a bundle."""


IMPORT = re.compile(r'^import\s*(?:(\{[^}]*\})\s*from|\*\s*as\s+(\w+)\s+from)?\s*"(\.[^"]+)";', re.M)
IMPORT_LATER = re.compile(r'\bimport\(\s*"(\.[^"]+)"\s*\)')
EXPORT = re.compile(r"^export\s+((?:async\s+)?(?:function|class|const)\s+)(\w+)", re.M)
EXPORT_LIST = re.compile(r"^export\s*\{([^}]*)\};", re.M)
#: What of modules cannot be had in a function; `import(` with a name that is only known later is one of it.
LEFT_OVER = re.compile(r"^(?:export|await)\b.*|^import[^(\w].*|\bimport(?:\.meta|\().*", re.M)


@dataclass(frozen=True)
class Part:
    """A module as a function: its body, the names of those it imports, and of those it loads `later`."""

    text: str
    imports: tuple[str, ...]
    later: tuple[str, ...]


def part_of(name: str, text: str) -> Part:
    """The module `name` (`pad/session.js`) with this text, without comments. Raises `BundleProblem`."""
    imports, later, exports = list[str](), list[str](), list[str]()

    def path(to: str) -> str:
        return posixpath.normpath(posixpath.join(posixpath.dirname(name), to))

    def imported(match: re.Match[str]) -> str:
        names, whole, to = match.groups()
        imports.append(path(to))
        given = re.sub(r"\s+as\s+", ":", names) if names else whole
        return (f"const {given}=" if given else "") + f'use("{imports[-1]}");'

    def loaded(match: re.Match[str]) -> str:
        later.append(path(match[1]))
        return f'load("{later[-1]}")'

    def declared(match: re.Match[str]) -> str:
        exports.append(match[2])
        return match[1] + match[2]

    def listed(match: re.Match[str]) -> str:
        for given in filter(None, map(str.strip, match[1].split(","))):
            inside, _, outside = given.partition(" as ")
            exports.append(f"{outside}:{inside}" if outside else inside)
        return ""

    for pattern, replaced in ((IMPORT, imported), (IMPORT_LATER, loaded), (EXPORT, declared), (EXPORT_LIST, listed)):
        text = pattern.sub(replaced, text)
    if problem := LEFT_OVER.search(text):
        raise BundleProblem(f"{name} cannot become part of a bundle: {problem[0]}")
    return Part(f"{without_comments(text)}\nreturn{{{','.join(exports)}}};", tuple(imports), tuple(later))


#: The pieces of a script. A template (`…`) is read by `pieces`, because one may stand in another.
PIECE = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
    |(?P<space>\s+)
    |(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
    |(?P<word>[\w$]+)
    |(?P<sign>.)""",
    re.X | re.S,
)
TEMPLATE = re.compile(r"(?:\\.|\$(?!\{)|[^\\`$])*(?:`|\$\{)", re.S)
EXPRESSION = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/\w*")
#: After these a slash begins a regular expression; after any other word, or a bracket that closes, it divides.
BEFORE_EXPRESSION = {"return", "typeof", "case", "in", "of", "void", "delete", "await", "yield", "else", "do"}


def pieces(text: str) -> Iterator[tuple[str, str]]:
    """The kind of each piece and its text; kinds: comment, space, string, word, sign. Templates come as strings."""
    at, before = 0, ""
    #: For each template that is open: how many braces are open within its ${…}.
    depths = list[int]()
    while at < len(text):
        if text[at] == "}" and depths and depths[-1] == 0:
            depths.pop()
            kind, piece = "string", "}" + matched(TEMPLATE, text, at + 1)
        elif text[at] == "`":
            kind, piece = "string", "`" + matched(TEMPLATE, text, at + 1)
        elif text[at] == "/" and text[at + 1] not in "/*" and begins_expression(before):
            kind, piece = "string", matched(EXPRESSION, text, at)
        else:
            kind, piece = plain_piece(text, at)
            if depths and piece in "{}":
                depths[-1] += 1 if piece == "{" else -1
        if kind == "string" and piece.endswith("${"):
            depths.append(0)
        yield kind, piece
        at += len(piece)
        if kind not in ("comment", "space"):
            before = piece


def plain_piece(text: str, at: int) -> tuple[str, str]:
    match = PIECE.match(text, at)
    return (match.lastgroup or "sign", match[0]) if match else ("sign", text[at])


def matched(pattern: re.Pattern[str], text: str, at: int) -> str:
    match = pattern.match(text, at)
    if match is None:
        raise BundleProblem(f"Something is opened and not closed: {text[at : at + 60]}")
    return match[0]


def begins_expression(before: str) -> bool:
    """Whether a slash after the piece `before` begins a regular expression."""
    if before.endswith("${"):
        return True
    return before in BEFORE_EXPRESSION or not (before[-1:].isalnum() or before[-1:] in tuple("_$)]}\"'`/"))


#: Between these and anything else no space is needed.
SIGNS = frozenset("{}()[];,:?=<>!&|")


def without_comments(text: str) -> str:
    """The script without comments, indents and spaces that nothing needs. Lines stay lines: an error names one."""
    shorter = list[str]()
    space = ""
    for kind, piece in pieces(text):
        if kind in ("comment", "space"):
            space = "\n" if "\n" in space + piece else " "
            continue
        if space and shorter and (space == "\n" or not (shorter[-1][-1] in SIGNS or piece[0] in SIGNS)):
            shorter.append(space)
        shorter.append(piece)
        space = ""
    return "".join(shorter)


def all_needed(names: Iterable[str], part: Callable[[str], Part], *, later: bool) -> list[str]:
    """The names with all they import, each after what it imports; `later`: also with what they load afterwards.

    `part` is the part of a name; it may raise `KeyError`.
    """
    order = dict[str, None]()

    def add(name: str) -> None:
        if name in order:
            return
        for needed in part(name).imports:
            add(needed)
        order[name] = None
        if later:
            for needed in part(name).later:
                add(needed)

    for name in names:
        add(name)
    return list(order)


#: What runs the parts. A part that is not here comes with the file `LATER`; if that fails, it is asked for again.
RUNTIME = """\
const made={};
const use=(name)=>(made[name]??=parts[name](use,load));
let coming=null;
async function load(name){
if(!(name in parts)){
coming??=import(LATER);
try{Object.assign(parts,(await coming).parts);}
catch(error){coming=null;throw error;}
}
return use(name);
}
for(const name of FIRST){
try{use(name);}
catch(error){setTimeout(()=>{throw error;});}
}
"""


def written(names: Iterable[str], part: Callable[[str], Part]) -> str:
    """The modules as one object of functions."""
    functions = (f'"{name}"(use,load){{\n{part(name).text}\n}},\n' for name in names)
    return f"const parts={{\n{''.join(functions)}}};\n"
