"""What the code of the site never does: run text as code, ask the database with texts put together, hash weakly."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

pytestmark = [pytest.mark.promise(18), pytest.mark.sqlite]

PROJECT = Path(__file__).parents[3]
CODE = ("rules", "scoresheets", "clubs")
#: Functions that run text, read objects from it, or hash or encrypt in a way that is broken. As far as their names go.
NEVER = {
    "eval", "exec", "os.system", "os.popen", "pickle.loads", "pickle.load", "marshal.loads", "yaml.load",
    "hashlib.md5", "hashlib.sha1", "random.seed", "RawSQL", "ElementTree.parse", "minidom.parse", "etree.parse",
}  # fmt: skip
#: Modules of ciphers. Push messages are encrypted by http_ece, and TLS by the server.
CIPHERS = re.compile(r"Crypto\b|cryptography.hazmat.primitives.ciphers")
#: Where a page takes HTML: rows and parts of pages that this site has drawn, or text that `html` has escaped.
TAKES_HTML = {"pad/sheet_panel.js", "lib/fragment.js", "lib/html.js", "pages/curve.js"}


@cache
def trees() -> dict[str, ast.Module]:
    files = [file for folder in CODE for file in (PROJECT / folder).rglob("*.py") if "migrations" not in file.parts]
    return {str(file.relative_to(PROJECT)): ast.parse(file.read_text()) for file in files}


@cache
def calls() -> list[tuple[str, str, ast.Call]]:
    """Every call: in which file, of what, as it is written."""
    nodes = ((name, node) for name, tree in trees().items() for node in ast.walk(tree))
    return [(name, ast.unparse(node.func), node) for name, node in nodes if isinstance(node, ast.Call)]


@pytest.mark.thorough
def test_no_text_is_run_as_code_and_nothing_is_hashed_weakly() -> None:
    assert [(name, called) for name, called, _ in calls() if called in NEVER] == []
    imports = [
        (name, node.module)
        for name, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and CIPHERS.match(node.module or "")
    ]
    assert imports == []


@pytest.mark.thorough
def test_no_program_is_started_through_a_shell() -> None:
    shells = [name for name, _, call in calls() for word in call.keywords if word.arg == "shell"]
    assert shells == []
    started = {name: call for name, called, call in calls() if called in ("subprocess.run", "subprocess.Popen")}
    # A list of words, never one text.
    assert started
    assert [name for name, call in started.items() if isinstance(call.args[0], (ast.Constant, ast.JoinedStr))] == []


@pytest.mark.thorough
def test_no_value_is_put_into_the_text_of_a_question_to_the_database() -> None:
    """Only names of tables and columns are, which no visitor chooses; values go beside it."""
    told = [
        (name, ast.unparse(call.args[0]))
        for name, called, call in calls()
        if called.endswith((".execute", ".executemany", ".raw", ".extra")) and call.args
        if isinstance(call.args[0], (ast.JoinedStr, ast.BinOp)) or called.endswith((".raw", ".extra"))
    ]
    in_braces = {(name, word) for name, text in told for word in re.findall(r"{([^}]*)}", text)}
    names_of_the_database = re.compile(r"quote|table|column|sequence|name|key|database")
    assert [row for row in in_braces if not names_of_the_database.search(row[1])] == []


def test_scripts_show_text_as_text() -> None:
    folder = PROJECT / "static" / "js"
    scripts = {str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*.js")}
    assert len(scripts) > 20
    takes = {name for name, text in scripts.items() if re.search(r"\.(inner|outer)HTML\s*=|insertAdjacentHTML", text)}
    assert takes == TAKES_HTML
    runs = re.compile(r"\beval\(|new Function|document\.write|setTimeout\(\s*[\"'`]")
    assert [name for name, text in scripts.items() if runs.search(text)] == []


def test_no_template_switches_escaping_off() -> None:
    switches = re.compile(r"autoescape off|\|\s*safe(seq)?\b|javascript:|\son\w+=")
    files = {file: file.read_text() for file in (PROJECT / "templates").rglob("*.html")}
    assert len(files) > 100
    assert [str(file.relative_to(PROJECT)) for file, text in files.items() if switches.search(text)] == []
