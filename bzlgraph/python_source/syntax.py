"""Parsing of any Python, and what a syntax tree says by itself: names, definitions, imports, parameters, texts.

>>> tree = parse_any(b"from . import a as b\\nif b:\\n  c = b.d.e\\n  def f(x, y=1): pass\\n")
>>> [name for name, _statement in definitions(tree.body)]
['c', 'f']
>>> list(imported_names(tree.body[0], ("pkg",)))
[('b', 'pkg.a')]
>>> dotted(tree.body[1].body[0].value), parameter_names(tree.body[1].body[1].args)
('b.d.e', ['x', 'y'])
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from bzlgraph.python_source.newer import older

AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef
COUNTED = ast.Call(ast.Name("range", ast.Load()), [], [])
"""What a number goes through that counts."""
COMPOUND = ast.If | ast.For | ast.While | ast.With | ast.Try

OLDEST = (3, 11)
"""The oldest Python that runs this: what newer ones can read beyond it is read in one way under all of them."""
_PRINT = re.compile(rb"^([ \t]*)print[ \t]+(?![=(.])(.*)$", re.MULTILINE)
_EXCEPT = re.compile(rb"^([ \t]*except[ \t]+[^:\n]+?),[ \t]*(\w+)[ \t]*:", re.MULTILINE)
_ASYNC = re.compile(rb"\basync\b(?=[ \t]*[=,)])")


def parse_any(data: bytes) -> ast.Module:
    """The syntax tree, the same whatever Python runs this: what a newer one added is left out, and Python 2's ``print``
    statement and ``except E, e`` are rewritten line by line, where the file cannot be read as it is.

    Raises SyntaxError, ValueError (NUL bytes), RecursionError or MemoryError.
    """
    return parse_lines(data)[0]


def parse_lines(data: bytes) -> tuple[ast.Module, list[bytes]]:
    """The same, with the lines that the places of its nodes are in (``source_of``)."""
    with warnings.catch_warnings(action="ignore"):  # what Python thinks of a file's escapes is no part of an answer
        try:
            return ast.parse(data, feature_version=OLDEST), data.splitlines()
        except SyntaxError as problem:
            for rewritten in (_as_older(data), _as_python_3(data), _as_python_3(_as_older(data))):
                if rewritten != data:
                    with suppress(SyntaxError):
                        return ast.parse(rewritten, feature_version=OLDEST), rewritten.splitlines()
            raise problem from None


def source_of(node: ast.AST, lines: Sequence[bytes]) -> str:
    """What a node is in the source, in one line.

    >>> tree, lines = parse_lines(b"if (a.b ==\\n    'c'): pass\\nif d: pass")
    >>> [source_of(each.test, lines) for each in tree.body]
    ["a.b == 'c'", 'd']
    """
    line, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
    if line != last or not 0 < line <= len(lines):
        return ast.unparse(node)
    return lines[line - 1][node.col_offset : node.end_col_offset].decode("utf-8", "replace")  # type: ignore[attr-defined]


def _as_older(data: bytes) -> bytes:
    try:
        return older(data.decode("utf-8-sig")).encode()
    except UnicodeError:
        return data


def _as_python_3(data: bytes) -> bytes:
    return _ASYNC.sub(b"async_", _EXCEPT.sub(rb"\1 as \2:", _PRINT.sub(rb"\1print(\2)", data)))


class _Fields(dict[type[ast.AST], tuple[str, ...]]):
    """The fields of each kind of node that may hold nodes with anything in them."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        holding = kind._fields if kind is not ast.Constant else ()
        fields = self[kind] = tuple(each for each in holding if each not in _EMPTY)
        return fields


_EMPTY = frozenset(("ctx", "op", "ops", "id", "attr", "arg", "kind", "level", "module", "type_comment"))
"""Fields of texts, numbers, and of nodes without fields: whether a name is read or stored, which operator it is."""
_FIELDS = _Fields()
_BODIES = ("body", "handlers", "orelse", "finalbody", "cases")
"""Fields with statements, or with what holds statements, in the order of all nodes that have them."""


def children(node: ast.AST) -> list[ast.AST]:
    """What ``ast.iter_child_nodes`` gives, but for operators and for whether a name is read or stored, in a third of
    the time."""
    found: list[ast.AST] = []
    for field in _FIELDS[type(node)]:
        value = getattr(node, field, None)
        if isinstance(value, list):
            found += [each for each in value if isinstance(each, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """What ``ast.walk`` gives, in its order, but for what ``children`` leaves out."""
    waiting = [node]
    for each in waiting:
        yield each
        if _FIELDS[type(each)]:  # half of all are names and constants
            waiting += children(each)


def is_none(node: ast.AST | None) -> bool:
    """Whether an expression is ``None`` as it is written."""
    return isinstance(node, ast.Constant) and node.value is None


def stored_name(node: ast.AST) -> str:
    """The name that a node binds, "" for none: ``x = ...``, ``case [x, *_]``."""
    if isinstance(node, ast.Name):
        return node.id if isinstance(node.ctx, ast.Store) else ""
    return (node.name or "") if isinstance(node, ast.MatchAs | ast.MatchStar) else ""


def statements_below(node: ast.AST) -> Iterator[ast.AST]:
    """A statement and all inside of it, as ``walk`` gives them (with ``except`` and ``case``): no expressions."""
    waiting = [node]
    for each in waiting:
        yield each
        for field in _BODIES:
            inside = getattr(each, field, None)
            if isinstance(inside, list):
                waiting += inside


def dotted(node: ast.AST) -> str:
    """``a.b.c`` as text, "" for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    text = ""
    while isinstance(node, ast.Attribute):
        text = f".{node.attr}{text}"
        node = node.value
    return node.id + text if text and isinstance(node, ast.Name) else ""


def last_name(node: ast.AST) -> str:
    """``c`` of ``a.b.c``, "" for what is no dotted name."""
    return dotted(node).rpartition(".")[2]


def one_of(node: ast.expr | None) -> list[ast.expr]:
    """The expressions one of which gives the value: both of ``a if x else b``."""
    if isinstance(node, ast.IfExp):
        return [*one_of(node.body), *one_of(node.orelse)]
    return [node] if node is not None else []


def literal_texts(node: ast.expr) -> tuple[str, ...]:
    """The literal strings of an expression: itself, or the members of a list or tuple."""
    if isinstance(node, ast.Constant):
        return (node.value,) if isinstance(node.value, str) else ()
    if isinstance(node, ast.List | ast.Tuple):
        return tuple(text for each in node.elts for text in literal_texts(each))
    return literal_texts(node.value) if isinstance(node, ast.Starred) else ()


def flattened(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements, each compound one (``COMPOUND``) followed by those inside it; functions and classes stay whole."""
    for statement in body:
        yield statement
        if isinstance(statement, COMPOUND):
            yield from flattened(directly_inside(statement))


def directly_inside(statement: COMPOUND) -> list[ast.stmt]:
    """The statements of a compound one, in order."""
    handlers = [each for handler in getattr(statement, "handlers", ()) for each in handler.body]
    rest = [*getattr(statement, "orelse", ()), *getattr(statement, "finalbody", ())]
    return [*statement.body, *handlers, *rest]


def definitions(body: Iterable[ast.stmt]) -> Iterator[tuple[str, ast.stmt]]:
    """The functions, classes and assigned names of a module or class, below ``if`` and ``try`` too, with statements."""
    for statement in flattened(body):
        if isinstance(statement, AnyFunction | ast.ClassDef):
            yield statement.name, statement
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            yield from ((target.id, statement) for target in targets if isinstance(target, ast.Name))


def imported_names(node: ast.stmt, package: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(local name, dotted name from the top) of an import; ("*", module) for all of a module.

    ``package`` is what relative imports start from.
    """
    if isinstance(node, ast.Import):
        for each in node.names:
            top = each.name.partition(".")[0]
            yield each.asname or top, each.name if each.asname else top
    elif isinstance(node, ast.ImportFrom):
        above = package[: len(package) - node.level + 1] if node.level else ()
        module = ".".join((*above, *([node.module] if node.module else [])))
        for each in node.names:
            star = each.name == "*"
            yield (each.name if star else each.asname or each.name), module if star else f"{module}.{each.name}"


def starred_modules(body: Sequence[ast.stmt], package: Sequence[str]) -> list[str]:
    """The modules of ``from module import *`` in a file, each before those whose names it replaces: the last first, but
    of those in one compound statement the first.

    >>> starred_modules(ast.parse("from a import *\\nif x:\\n  from b import *\\nelse:\\n  from c import *").body, ())
    ['b', 'c', 'a']
    """
    found: dict[str, None] = {}
    for statement in reversed(body):
        for each in flattened([statement]):
            found.update((module, None) for name, module in imported_names(each, package) if name == "*")
    return list(found)


def parameter_names(parameters: ast.arguments) -> list[str]:
    """The parameters that are given by position."""
    return [each.arg for each in (*parameters.posonlyargs, *parameters.args)]


def parameter_defaults(parameters: ast.arguments) -> Iterator[tuple[str, ast.expr]]:
    """(parameter, default) of those that have one."""
    named = parameter_names(parameters)
    yield from zip(named[len(named) - len(parameters.defaults) :], parameters.defaults, strict=True)
    for each, default in zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True):
        if default is not None:
            yield each.arg, default


def first_call(node: ast.Call) -> ast.Call:
    """``make(a)`` of ``make(a).with(b).repeat(c)``."""
    while isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call):
        node = node.func.value
    return node


def loop_members(target: ast.expr, through: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """(target, what it goes through) of ``for i, each in enumerate(x)``, ``for a, b in zip(x, y)``, ``for each in x``;
    what counts goes through a range.

    >>> loop = ast.parse("[0 for i, (each, other) in enumerate(zip(xs, ys))]", mode="eval").body.generators[0]
    >>> [(ast.unparse(target), ast.unparse(through)) for target, through in loop_members(loop.target, loop.iter)]
    [('i', 'range()'), ('each', 'xs'), ('other', 'ys')]
    """
    called = dotted(through.func) if isinstance(through, ast.Call) else ""
    given = through.args if isinstance(through, ast.Call) else []
    parts = target.elts if isinstance(target, ast.Tuple | ast.List) else []
    if called == "enumerate" and given and len(parts) == 2:
        yield parts[0], COUNTED
        yield from loop_members(parts[1], given[0])
    elif called == "zip" and len(given) == len(parts) and parts:
        for left, right in zip(parts, given, strict=True):
            yield from loop_members(left, right)
    elif called == "reversed" and given:
        yield from loop_members(target, given[0])
    else:
        yield target, through
