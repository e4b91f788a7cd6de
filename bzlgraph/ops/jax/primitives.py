"""Primitives, as the modules of JAX define them.

``x_p = Primitive("x")``, or another call with the name as a literal among its positional arguments or as ``name=``,
makes a primitive. What ``Primitive`` itself makes is one whatever the variable is called.

``x_p.def_bind_with_trace(rule)`` says what ``x_p.bind`` does in a trace. With a rule that binds nothing (``stage`` of
0.10 gives the trace its value) no jaxpr holds the primitive: it only lifts values of Python.

``lgamma_p = standard_unop(_float, 'lgamma')``, ``rem_p = standard_naryop([_int | _float, _int | _float], 'rem')``: of
numbers a primitive says what it accepts, as sets of kinds of NumPy that are written, put together or named.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from bzlgraph.ops.jax.code import Definition, PythonCode
from bzlgraph.ops.python.values.dtypes import ORDER
from bzlgraph.python_source.syntax import dotted, last_name, literal_texts, walk

FOLDER = "jax"
ENDINGS = ("_p", "_p_wrapper")
MAKER = "Primitive"
IN_TRACES, BINDING = "def_bind_with_trace", frozenset(["bind_with_trace", "process_primitive"])
"""What says how a trace binds a primitive, and what such a rule calls to bind it."""
MAX_NAMES = 6
"""Names that stand for each other."""
_KINDS = {
    "bool_": "b", "integer": "i", "floating": "f", "complexfloating": "c", "float32": "f", "float64": "f",
}  # fmt: skip
NEEDLES = (b"_p =", b"_p: ", b"_p : ", b"_p_wrapper =", MAKER.encode() + b"(")


@dataclass(frozen=True, slots=True)
class Primitive:
    """``variable`` is what it is called in its module, ``name`` what it is called in jaxprs. ``lifts``: it is in none,
    as it only lifts values of Python into traces. ``accepts``: the kinds of dtypes of each operand (``dtypes``), () for
    nobody knows."""

    name: str
    variable: str
    path: str
    line: int
    lifts: bool = False
    accepts: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """What it is known by: two modules may use the same name."""
        return self.path, self.variable


def primitive_of(found: Definition | None) -> Primitive | None:
    """The primitive that a definition makes, None for none."""
    if found is None or not isinstance(found.node, ast.Call):
        return None
    if not found.name.endswith(ENDINGS) and last_name(found.node.func) != MAKER:
        return None
    given = [*found.node.args, *(each.value for each in found.node.keywords if each.arg == "name")]
    names = [text for each in given if isinstance(each, ast.Constant) for text in literal_texts(each)]
    return Primitive(names[0], found.name, found.path, found.line) if names else None


def stands_for_primitive(name: str, found: Definition | None) -> bool:
    """Whether a name is a primitive's where it is used, by itself or by what it is there."""
    return found is not None and (name.endswith(ENDINGS) or primitive_of(found) is not None)


def all_primitives(code: PythonCode, folder: str = FOLDER) -> Iterator[Primitive]:
    """Every primitive of the tree."""
    paths = code.tree.containing(folder, (f".{IN_TRACES}(".encode(),))
    lifting = {key for path in paths for key in code.within(path, partial(_lifting, path, code))}
    for path in code.tree.containing(folder, NEEDLES):
        found = code.within(path, lambda: ((primitive_of(each), each) for each in code.definitions(path)))  # noqa: B023
        for each, definition in found:
            if each is not None:
                yield replace(each, lifts=each.key in lifting, accepts=_accepting(code, definition))


def _accepting(code: PythonCode, found: Definition) -> tuple[str, ...]:
    for each in found.node.args if isinstance(found.node, ast.Call) else ():
        parts = each.elts if isinstance(each, ast.List) else [each]
        kinds = tuple(_kinds(code, found.path, part) for part in parts)
        if kinds and all(kinds):
            return kinds
    return ()


def _kinds(code: PythonCode, path: str, node: ast.expr, depth: int = 0) -> str:
    """The kinds of a set of dtypes, in their order, "" for anything else."""
    match node:
        case ast.Set(elts=parts):
            found = [_KINDS.get(last_name(each), "") for each in parts]
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            found = [_kinds(code, path, each, depth) for each in (left, right)]
        case ast.Name() | ast.Attribute() if depth < MAX_NAMES and (named := code.definition(path, dotted(node))):
            value = named.node if isinstance(named.node, ast.expr) else node
            found = [_kinds(code, named.path, value, depth + 1)]
        case _:
            found = []
    return "".join(each for each in ORDER if any(each in kinds for kinds in found)) if all(found) else ""


def _lifting(path: str, code: PythonCode) -> Iterator[tuple[str, str]]:
    """The primitives of which a module says that traces do not bind them."""
    for statement in code.body(path):
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=named, attr=said), args=[rule])) if said == IN_TRACES:
                made = primitive_of(code.definition(path, dotted(named)))
                found = code.definition(path, dotted(rule))
                called = {last_name(each) for each in walk(found.node)} if found is not None else BINDING
                if made is not None and called.isdisjoint(BINDING):
                    yield made.key
