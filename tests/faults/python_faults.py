"""Faults of Python code: where one can be put into a function, and modules that carry some, switched off.

A module with faults is made when it is imported; no file is changed. At the place of fault 17 stands
`<faulty> if fault_is_on(17) else <right>`, so that one run of the tests tells which of them reach which fault, and a
second run with one fault switched on tells whether they find it.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import NamedTuple

#: The name under which every module finds the switch.
SWITCH = "fault_is_on"

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
SIGNS: dict[type[ast.operator], type[ast.operator]] = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add}
FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}


class Place(NamedTuple):
    """Where a fault is in its file, and of which kind."""

    line: int
    column: int
    kind: str


def faulty_expressions(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """What could stand there by mistake, each with its kind."""
    match node:
        case ast.Compare(ops=[operator]):
            yield "comparison", ast.Compare(node.left, [COMPARISONS[type(operator)]()], node.comparators)
        case ast.BoolOp():
            yield "and, or", ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        case ast.UnaryOp(op=ast.Not()):
            yield "not", node.operand
        case ast.Constant(value=bool()):
            yield "yes, no", ast.Constant(not node.value)
        case ast.Constant(value=int()):
            yield "number", ast.Constant(node.value + 1)
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in SIGNS and not is_text(left, right):
            yield "sign", ast.BinOp(left, SIGNS[type(operator)](), right)
        case ast.Call(func=ast.Name(id=name)) if name in FUNCTIONS:
            yield "function", ast.Call(ast.Name(FUNCTIONS[name], ast.Load()), node.args, node.keywords)
        case ast.IfExp():
            yield "condition", ast.IfExp(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)


def is_text(*nodes: ast.expr) -> bool:
    return any(isinstance(node, ast.JoinedStr | ast.List | ast.Tuple) or is_string(node) for node in nodes)


def is_string(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def faulty_statements(node: ast.stmt) -> Iterator[tuple[str, ast.stmt]]:
    """What could stand instead of a statement by mistake, each with its kind."""
    match node:
        case ast.Expr(value=ast.Call()):
            yield "call left out", ast.Pass()
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield "nothing returned", ast.Return(ast.Constant(None))
        case ast.If():
            yield "condition", ast.If(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)


class Faults(ast.NodeTransformer):
    """Finds the places for faults in the functions of a module, and puts in those that were `chosen`, by number."""

    def __init__(self, chosen: Mapping[Place, int]) -> None:
        self.chosen = chosen
        self.places: dict[Place, None] = {}
        self.is_inside = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        outside, self.is_inside = self.is_inside, True
        node.body = [self.visit(statement) for statement in node.body]
        self.is_inside = outside
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value:
            node.value = self.visit(node.value)
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        node.body = [self.visit(statement) for statement in node.body]
        return node

    def visit(self, node: ast.AST) -> ast.AST:
        if not self.is_inside or not isinstance(node, ast.expr | ast.stmt):
            return super().visit(node)
        original = deepcopy(node)
        right = super().visit(node)
        if isinstance(original, ast.expr) and isinstance(right, ast.expr):
            for kind, faulty in faulty_expressions(original):
                if (number := self.number(original, kind)) is not None:
                    right = ast.IfExp(is_on(number), faulty, right)
        elif isinstance(original, ast.stmt) and isinstance(right, ast.stmt):
            for kind, faulty in faulty_statements(original):
                if (number := self.number(original, kind)) is not None:
                    right = ast.If(is_on(number), [faulty], [right])
        return ast.copy_location(right, original)

    def number(self, node: ast.expr | ast.stmt, kind: str) -> int | None:
        """The number of the chosen fault of that kind there, if there is one; the place is noted.

        In `a + b + c` two sums begin at the same place: the inner one has it.
        """
        place = Place(node.lineno, node.col_offset, kind)
        if place in self.places:
            return None
        self.places[place] = None
        return self.chosen.get(place)


def is_on(number: int) -> ast.expr:
    return ast.Call(ast.Name(SWITCH, ast.Load()), [ast.Constant(number)], [])


def places_in(source: str) -> list[Place]:
    """All places for faults in the functions of a module."""
    faults = Faults({})
    faults.visit(ast.parse(source))
    return list(faults.places)


def with_faults(source: bytes | str, path: str, chosen: Mapping[Place, int]) -> CodeType:
    """The code of a module with these faults in it, all switched off."""
    tree = Faults(chosen).visit(ast.parse(source))
    return compile(ast.fix_missing_locations(tree), path, "exec")


class FaultyLoader(SourceFileLoader):
    """Loads a module with its faults, and leaves no compiled file."""

    def __init__(self, name: str, path: str, chosen: Mapping[Place, int]) -> None:
        super().__init__(name, path)
        self.chosen = chosen

    def get_code(self, fullname: str) -> CodeType | None:
        path = self.get_filename(fullname)
        return with_faults(self.get_data(path), path, self.chosen)


class FaultyImports(MetaPathFinder):
    """Lets modules be imported with the faults that were chosen for their files; `chosen` has them by absolute path."""

    def __init__(self, chosen: Mapping[str, Mapping[Place, int]]) -> None:
        self.chosen = chosen

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target)
        if spec and spec.origin in self.chosen:
            spec.loader = FaultyLoader(fullname, spec.origin, self.chosen[spec.origin])
            return spec
        return None


def install(chosen: Mapping[str, Mapping[Place, int]], switch: Callable[[int], bool]) -> None:
    """Have faults in the modules that are imported from now on. `switch(number)` says whether one is on."""
    setattr(builtins, SWITCH, switch)
    sys.meta_path.insert(0, FaultyImports(chosen))


def loaded_already(paths: Iterable[str]) -> list[str]:
    """Those of the files that were imported too early to have a fault in them."""
    files = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
    return [path for path in paths if path in files]
