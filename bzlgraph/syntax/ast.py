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
from typing import ClassVar

from bzlgraph.base.span import Position, Span


class Node:
    """Base of all nodes: positional constructor over ``__slots__``, structural ``repr``."""

    __slots__ = ("end", "start")
    fields: ClassVar[tuple[str, ...]] = ()
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


class Ident(Expr):
    """A name in use or being bound."""

    __slots__ = ("name",)
    fields = ("name",)

    def __init__(self, start: int, end: int, name: str) -> None:
        self.start = start
        self.end = end
        self.name = name


class Literal(Expr):
    """An int, float, string (decoded) or bytes literal. ``True``/``False``/``None`` are plain names in Starlark."""

    __slots__ = ("value",)
    fields = ("value",)

    def __init__(self, start: int, end: int, value: int | float | str | bytes) -> None:
        self.start = start
        self.end = end
        self.value = value


class ListExpr(Expr):
    """``[a, b]``"""

    __slots__ = ("items",)
    fields = ("items",)

    def __init__(self, start: int, end: int, items: list[Expr]) -> None:
        self.start = start
        self.end = end
        self.items = items


class TupleExpr(Expr):
    """``(a, b)`` or, where the grammar allows, ``a, b``."""

    __slots__ = ("items", "parenthesized")
    fields = ("items", "parenthesized")

    def __init__(self, start: int, end: int, items: list[Expr], parenthesized: bool) -> None:
        self.start = start
        self.end = end
        self.items = items
        self.parenthesized = parenthesized


class DictExpr(Expr):
    """``{k: v}``; keys and values are parallel lists."""

    __slots__ = ("keys", "values")
    fields = ("keys", "values")

    def __init__(self, start: int, end: int, keys: list[Expr], values: list[Expr]) -> None:
        self.start = start
        self.end = end
        self.keys = keys
        self.values = values


class Unary(Expr):
    """``-x``, ``+x``, ``~x`` or ``not x``."""

    __slots__ = ("op", "operand")
    fields = ("op", "operand")

    def __init__(self, start: int, end: int, op: str, operand: Expr) -> None:
        self.start = start
        self.end = end
        self.op = op
        self.operand = operand


class Binary(Expr):
    """A left-associative chain of arithmetic or bit operators of one precedence.

    ``operands`` has one more element than ``ops``; ``op_starts[i]`` is the offset of ``ops[i]``.
    """

    __slots__ = ("op_starts", "operands", "ops")
    fields = ("operands", "ops", "op_starts")

    def __init__(self, start: int, end: int, operands: list[Expr], ops: list[str], op_starts: list[int]) -> None:
        self.start = start
        self.end = end
        self.operands = operands
        self.ops = ops
        self.op_starts = op_starts


class Compare(Expr):
    """``a OP b`` for ``== != < <= > >= in`` and ``not in``; comparisons do not associate."""

    __slots__ = ("left", "op", "op_start", "right")
    fields = ("left", "op", "op_start", "right")

    def __init__(self, start: int, end: int, left: Expr, op: str, op_start: int, right: Expr) -> None:
        self.start = start
        self.end = end
        self.left = left
        self.op = op
        self.op_start = op_start
        self.right = right


class Logical(Expr):
    """``a and b and c`` or ``a or b or c``."""

    __slots__ = ("op", "operands")
    fields = ("op", "operands")

    def __init__(self, start: int, end: int, op: str, operands: list[Expr]) -> None:
        self.start = start
        self.end = end
        self.op = op
        self.operands = operands


class Conditional(Expr):
    """``then if test else otherwise``"""

    __slots__ = ("otherwise", "test", "then")
    fields = ("then", "test", "otherwise")

    def __init__(self, start: int, end: int, then: Expr, test: Expr, otherwise: Expr) -> None:
        self.start = start
        self.end = end
        self.then = then
        self.test = test
        self.otherwise = otherwise


class Param(Node):
    """A parameter. ``kind`` is "" (plain), "*" (``*args``, or a bare ``*`` when ``name`` is None) or "**"."""

    __slots__ = ("default", "kind", "name")
    fields = ("kind", "name", "default")

    def __init__(self, start: int, end: int, kind: str, name: Ident | None, default: Expr | None) -> None:
        self.start = start
        self.end = end
        self.kind = kind
        self.name = name
        self.default = default


class Lambda(Expr):
    """``lambda params: body``"""

    __slots__ = ("body", "params")
    fields = ("params", "body")

    def __init__(self, start: int, end: int, params: list[Param], body: Expr) -> None:
        self.start = start
        self.end = end
        self.params = params
        self.body = body


class Arg(Node):
    """A call argument. ``kind`` is "" (positional, or named when ``name`` is set), "*" or "**"."""

    __slots__ = ("kind", "name", "value")
    fields = ("kind", "name", "value")

    def __init__(self, start: int, end: int, kind: str, name: str | None, value: Expr) -> None:
        self.start = start
        self.end = end
        self.kind = kind
        self.name = name
        self.value = value


class Call(Expr):
    """``func(args)``; ``paren`` is the offset of the opening parenthesis (Bazel's location of a call)."""

    __slots__ = ("args", "func", "paren")
    fields = ("func", "args", "paren")

    def __init__(self, start: int, end: int, func: Expr, args: list[Arg], paren: int) -> None:
        self.start = start
        self.end = end
        self.func = func
        self.args = args
        self.paren = paren


class Dot(Expr):
    """``value.name``; ``name_start`` is the offset of the name."""

    __slots__ = ("name", "name_start", "value")
    fields = ("value", "name", "name_start")

    def __init__(self, start: int, end: int, value: Expr, name: str, name_start: int) -> None:
        self.start = start
        self.end = end
        self.value = value
        self.name = name
        self.name_start = name_start


class Index(Expr):
    """``value[key]``; ``bracket`` is the offset of ``[``."""

    __slots__ = ("bracket", "key", "value")
    fields = ("value", "key", "bracket")

    def __init__(self, start: int, end: int, value: Expr, key: Expr, bracket: int) -> None:
        self.start = start
        self.end = end
        self.value = value
        self.key = key
        self.bracket = bracket


class Slice(Expr):
    """``value[low:high:step]``; ``bracket`` is the offset of ``[``."""

    __slots__ = ("bracket", "high", "low", "step", "value")
    fields = ("value", "low", "high", "step", "bracket")

    def __init__(
        self, start: int, end: int, value: Expr, low: Expr | None, high: Expr | None, step: Expr | None, bracket: int
    ) -> None:
        self.start = start
        self.end = end
        self.value = value
        self.low = low
        self.high = high
        self.step = step
        self.bracket = bracket


class ForClause(Node):
    """``for target in iterable`` of a comprehension."""

    __slots__ = ("iterable", "target")
    fields = ("target", "iterable")

    def __init__(self, start: int, end: int, target: Expr, iterable: Expr) -> None:
        self.start = start
        self.end = end
        self.target = target
        self.iterable = iterable


class IfClause(Node):
    """``if test`` of a comprehension."""

    __slots__ = ("test",)
    fields = ("test",)

    def __init__(self, start: int, end: int, test: Expr) -> None:
        self.start = start
        self.end = end
        self.test = test


class Comprehension(Expr):
    """``[body for ...]`` when ``key`` is None, else ``{key: body for ...}``; the first clause is a ``ForClause``."""

    __slots__ = ("body", "clauses", "key")
    fields = ("key", "body", "clauses")

    def __init__(self, start: int, end: int, key: Expr | None, body: Expr, clauses: list[ForClause | IfClause]) -> None:
        self.start = start
        self.end = end
        self.key = key
        self.body = body
        self.clauses = clauses


class ExprStmt(Stmt):
    """An expression evaluated for its effect (or a doc string)."""

    __slots__ = ("value",)
    fields = ("value",)

    def __init__(self, start: int, end: int, value: Expr) -> None:
        self.start = start
        self.end = end
        self.value = value


class Assign(Stmt):
    """``target = value`` (``op`` is None) or ``target OP= value`` (``op`` such as ``+``)."""

    __slots__ = ("op", "op_start", "target", "value")
    fields = ("target", "op", "op_start", "value")

    def __init__(self, start: int, end: int, target: Expr, op: str | None, op_start: int, value: Expr) -> None:
        self.start = start
        self.end = end
        self.target = target
        self.op = op
        self.op_start = op_start
        self.value = value


class Def(Stmt):
    """``def name(params): body``"""

    __slots__ = ("body", "name", "params")
    fields = ("name", "params", "body")

    def __init__(self, start: int, end: int, name: Ident, params: list[Param], body: list[Stmt]) -> None:
        self.start = start
        self.end = end
        self.name = name
        self.params = params
        self.body = body


class If(Stmt):
    """``if``/``elif``/``else``: parallel ``tests`` and ``bodies``, then ``otherwise`` (empty when absent)."""

    __slots__ = ("bodies", "otherwise", "tests")
    fields = ("tests", "bodies", "otherwise")

    def __init__(
        self, start: int, end: int, tests: list[Expr], bodies: list[list[Stmt]], otherwise: list[Stmt]
    ) -> None:
        self.start = start
        self.end = end
        self.tests = tests
        self.bodies = bodies
        self.otherwise = otherwise


class For(Stmt):
    """``for target in iterable: body``"""

    __slots__ = ("body", "iterable", "target")
    fields = ("target", "iterable", "body")

    def __init__(self, start: int, end: int, target: Expr, iterable: Expr, body: list[Stmt]) -> None:
        self.start = start
        self.end = end
        self.target = target
        self.iterable = iterable
        self.body = body


class While(Stmt):
    """``while test: body`` (only where a dialect allows it)."""

    __slots__ = ("body", "test")
    fields = ("test", "body")

    def __init__(self, start: int, end: int, test: Expr, body: list[Stmt]) -> None:
        self.start = start
        self.end = end
        self.test = test
        self.body = body


class Return(Stmt):
    """``return`` with an optional value."""

    __slots__ = ("value",)
    fields = ("value",)

    def __init__(self, start: int, end: int, value: Expr | None) -> None:
        self.start = start
        self.end = end
        self.value = value


class Branch(Stmt):
    """``pass``, ``break`` or ``continue``."""

    __slots__ = ("keyword",)
    fields = ("keyword",)

    def __init__(self, start: int, end: int, keyword: str) -> None:
        self.start = start
        self.end = end
        self.keyword = keyword


class LoadBinding(Node):
    """One name of a load: ``local = "original"`` (or just ``"original"``)."""

    __slots__ = ("local", "original", "original_start")
    fields = ("local", "original", "original_start")

    def __init__(self, start: int, end: int, local: str, original: str, original_start: int) -> None:
        self.start = start
        self.end = end
        self.local = local
        self.original = original
        self.original_start = original_start


class Load(Stmt):
    """``load("module", "a", b = "c")``"""

    __slots__ = ("bindings", "module")
    fields = ("module", "bindings")

    def __init__(self, start: int, end: int, module: Literal, bindings: list[LoadBinding]) -> None:
        self.start = start
        self.end = end
        self.module = module
        self.bindings = bindings


class Comment(Node):
    """A comment; ``text`` includes the ``#``. ``suffix`` is True when code stands before it on the line."""

    __slots__ = ("suffix", "text")
    fields = ("text", "suffix")

    def __init__(self, start: int, end: int, text: str, suffix: bool) -> None:
        self.start = start
        self.end = end
        self.text = text
        self.suffix = suffix


class File(Node):
    """A parsed file.

    ``text`` is the source after CRLF became LF and a BOM was dropped. Most files are parsed only to be run, so comments
    are looked for when somebody asks: ``bzlgraph.syntax.comments`` finds them in ``text`` and attaches them to nodes.
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
        starts = self._line_starts
        if starts is None:
            starts = [0]
            find = self.text.find
            at = find("\n")
            while at >= 0:
                starts.append(at + 1)
                at = find("\n", at + 1)
            self._line_starts = starts
        return starts

    def position(self, offset: int) -> Position:
        """The 1-based line and column of an offset."""
        line = bisect_right(self.line_starts, offset)
        return Position(line, offset - self.line_starts[line - 1] + 1)

    def span(self, node: Node) -> Span:
        """Where a node stands, both ends 1-based, the end exclusive."""
        return Span(self.position(node.start), self.position(node.end))


def children(node: Node) -> list[Node]:
    """The direct child nodes of a node, in field order (lists flattened)."""
    found: list[Node] = []
    for name in node.fields:
        value = getattr(node, name)
        if isinstance(value, Node):
            found.append(value)
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, Node):
                    found.append(item)
                elif isinstance(item, list):
                    found.extend(each for each in item if isinstance(each, Node))
    return found
