"""The syntax tree of a Starlark file: small slotted nodes with character offsets.

Every node has ``start`` and ``end`` (offsets into ``File.text``, end exclusive); ``File.position`` and
``File.span`` turn them into 1-based lines and columns only when somebody asks, because most nodes are never
asked. Nodes are built by the parser and read by everyone else; nobody changes a node after parsing.

Shape notes:
* a chain of left-associative operators of one precedence (``a + b - c``) is ONE ``Binary`` node with n operands,
  so generated files with thousands of ``+`` do not nest;
* ``and``/``or`` chains are one ``Logical`` node;
* parentheses leave no node, only a wider ``start``/``end`` on tuples.

>>> Ident(0, 3, "foo")
Ident(0, 3, 'foo')
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, TypeVar, dataclass_transform

from bzlgraph.base.span import Position, Span, line_starts

N = TypeVar("N", bound="Node")


@dataclass_transform(eq_default=False)
def _node(kind: type[N]) -> type[N]:
    """Give a kind of node slots and a positional constructor: start, end, and what its class declares."""
    made = dataclass(slots=True, eq=False, repr=False)(kind)
    made.fields = made.__match_args__[2:]
    return made


@_node
class Node:
    """Base of all nodes: ``fields`` are what a kind of node declares, in order; structural ``repr``."""

    fields: ClassVar[tuple[str, ...]]
    start: int
    end: int

    def __repr__(self) -> str:
        values = ", ".join(repr(getattr(self, name)) for name in ("start", "end", *self.fields))
        return f"{type(self).__name__}({values})"


class Expr(Node):
    """An expression."""

    __slots__ = ()


class Stmt(Node):
    """A statement."""

    __slots__ = ()


@_node
class Ident(Expr):
    """A name in use or being bound."""

    name: str


@_node
class Literal(Expr):
    """An int, float, string (decoded) or bytes literal. ``True``/``False``/``None`` are plain names in Starlark."""

    value: int | float | str | bytes


@_node
class ListExpr(Expr):
    """``[a, b]``"""

    items: list[Expr]


@_node
class TupleExpr(Expr):
    """``(a, b)`` or, where the grammar allows, ``a, b``."""

    items: list[Expr]
    parenthesized: bool


@_node
class DictExpr(Expr):
    """``{k: v}``; keys and values are parallel lists."""

    keys: list[Expr]
    values: list[Expr]


@_node
class Unary(Expr):
    """``-x``, ``+x``, ``~x`` or ``not x``."""

    op: str
    operand: Expr


@_node
class Binary(Expr):
    """A left-associative chain of arithmetic or bit operators of one precedence.

    ``operands`` has one more element than ``ops``; ``op_starts[i]`` is the offset of ``ops[i]``.
    """

    operands: list[Expr]
    ops: list[str]
    op_starts: list[int]


@_node
class Compare(Expr):
    """``a OP b`` for ``== != < <= > >= in`` and ``not in``; comparisons do not associate."""

    left: Expr
    op: str
    op_start: int
    right: Expr


@_node
class Logical(Expr):
    """``a and b and c`` or ``a or b or c``."""

    op: str
    operands: list[Expr]


@_node
class Conditional(Expr):
    """``then if test else otherwise``"""

    then: Expr
    test: Expr
    otherwise: Expr


@_node
class Param(Node):
    """A parameter. ``kind`` is "" (plain), "*" (``*args``, or a bare ``*`` when ``name`` is None) or "**"."""

    kind: str
    name: Ident | None
    default: Expr | None


@_node
class Lambda(Expr):
    """``lambda params: body``"""

    params: list[Param]
    body: Expr


@_node
class Arg(Node):
    """A call argument. ``kind`` is "" (positional, or named when ``name`` is set), "*" or "**"."""

    kind: str
    name: str | None
    value: Expr


@_node
class Call(Expr):
    """``func(args)``; ``paren`` is the offset of the opening parenthesis (Bazel's location of a call)."""

    func: Expr
    args: list[Arg]
    paren: int


@_node
class Dot(Expr):
    """``value.name``; ``name_start`` is the offset of the name."""

    value: Expr
    name: str
    name_start: int


@_node
class Index(Expr):
    """``value[key]``; ``bracket`` is the offset of ``[``."""

    value: Expr
    key: Expr
    bracket: int


@_node
class Slice(Expr):
    """``value[low:high:step]``; ``bracket`` is the offset of ``[``."""

    value: Expr
    low: Expr | None
    high: Expr | None
    step: Expr | None
    bracket: int


@_node
class ForClause(Node):
    """``for target in iterable`` of a comprehension."""

    target: Expr
    iterable: Expr


@_node
class IfClause(Node):
    """``if test`` of a comprehension."""

    test: Expr


@_node
class Comprehension(Expr):
    """``[body for ...]`` when ``key`` is None, else ``{key: body for ...}``; the first clause is a ``ForClause``."""

    key: Expr | None
    body: Expr
    clauses: list[ForClause | IfClause]


@_node
class ExprStmt(Stmt):
    """An expression evaluated for its effect (or a doc string)."""

    value: Expr


@_node
class Assign(Stmt):
    """``target = value`` (``op`` is None) or ``target OP= value`` (``op`` such as ``+``)."""

    target: Expr
    op: str | None
    op_start: int
    value: Expr


@_node
class Def(Stmt):
    """``def name(params): body``"""

    name: Ident
    params: list[Param]
    body: list[Stmt]


@_node
class If(Stmt):
    """``if``/``elif``/``else``: parallel ``tests`` and ``bodies``, then ``otherwise`` (empty when absent)."""

    tests: list[Expr]
    bodies: list[list[Stmt]]
    otherwise: list[Stmt]


@_node
class For(Stmt):
    """``for target in iterable: body``"""

    target: Expr
    iterable: Expr
    body: list[Stmt]


@_node
class While(Stmt):
    """``while test: body`` (only where a dialect allows it)."""

    test: Expr
    body: list[Stmt]


@_node
class Return(Stmt):
    """``return`` with an optional value."""

    value: Expr | None


@_node
class Branch(Stmt):
    """``pass``, ``break`` or ``continue``."""

    keyword: str


@_node
class LoadBinding(Node):
    """One name of a load: ``local = "original"`` (or just ``"original"``)."""

    local: str
    original: str
    original_start: int


@_node
class Load(Stmt):
    """``load("module", "a", b = "c")``"""

    module: Literal
    bindings: list[LoadBinding]


@_node
class Comment(Node):
    """A comment; ``text`` includes the ``#``. ``suffix`` is True when code stands before it on the line."""

    text: str
    suffix: bool


class File(Node):
    """A parsed file.

    ``text`` is the source after CRLF became LF and a BOM was dropped. Most files are parsed only to be run, so comments
    are looked for when somebody asks: ``dump.find_comments`` finds them in ``text``.
    """

    __slots__ = ("_line_starts", "body", "path", "text")
    fields = ("path", "body")

    def __init__(self, path: str, text: str, body: list[Stmt]) -> None:
        self.start = 0
        self.end = len(text)
        self.path = path
        self.text = text
        self.body = body
        self._line_starts: list[int] | None = None

    @property
    def line_starts(self) -> list[int]:
        """Offsets of the first character of every line."""
        if self._line_starts is None:
            self._line_starts = line_starts(self.text)
        return self._line_starts

    def position(self, offset: int) -> Position:
        """The 1-based line and column of an offset."""
        starts = self.line_starts
        line = bisect_right(starts, offset)
        return Position(line, offset - starts[line - 1] + 1)

    def span(self, node: Node) -> Span:
        """Where a node stands, both ends 1-based, the end exclusive."""
        return Span(self.position(node.start), self.position(node.end))


def children(node: Node) -> list[Node]:
    """The direct child nodes of a node, in field order (lists flattened)."""
    return [child for _, _, child in numbered_children(node)]


def numbered_children(node: Node) -> Iterator[tuple[str, int, Node]]:
    """The nodes directly below a node in the order of its fields, each with its field and its place there."""
    for name in node.fields:
        value = getattr(node, name)
        for index, item in enumerate(value if isinstance(value, list) else (value,)):
            for each in item if isinstance(item, list) else (item,):
                if isinstance(each, Node):
                    yield name, index, each
