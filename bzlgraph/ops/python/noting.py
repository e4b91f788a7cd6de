"""What is read of a function's body so far: the state of a reader, and how it notes an event."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from bzlgraph.ops.python.arguments import given_by, of_method, of_operands, ways_of
from bzlgraph.ops.python.bodies import given_bodies, with_partials
from bzlgraph.ops.python.standing import Needs, Standing, Ways
from bzlgraph.ops.python.summary import (
    FALSEHOOD,
    GIVES_ANYTHING,
    NOTHING,
    OR,
    PYTHON,
    UNSURE,
    Branch,
    Event,
    Parameter,
)
from bzlgraph.ops.python.values import flow
from bzlgraph.ops.python.values.classes.indices import NOTHING_HELD, Held
from bzlgraph.ops.python.values.inner_names import plain
from bzlgraph.ops.python.values.local_names import LocalNames
from bzlgraph.python_source.syntax import children, dotted, source_of

IF, ON, UNLESS, WHEN = "if", "on", "unless", "when"
"""Kinds of branches (``Branch``)."""
_OPPOSITES: Mapping[type[ast.cmpop], str] = {ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in"}
"""What a comparison is where it fails. Of others that may not be so: nothing is less than nan, nor is it not less."""
_NOT_AS_ONE = (ast.BoolOp, ast.BinOp, ast.Compare, ast.IfExp, ast.Lambda, ast.NamedExpr)
"""Tests that need brackets behind ``not``."""
ON_TENSORS = ("operator", "maybe", "mixed")
CALLS = ("call", "method", "own", "attribute", "super", "parameter", "unknown")
"""Kinds of events that are calls with arguments."""


@dataclass(slots=True, eq=False)
class Way:
    """A branch that one reads in, what it asks, and the one around it. ``number`` is that of the branch once something
    is noted there: a text is made of those only."""

    kind: str
    asked: ast.AST | str
    line: int
    around: Way | None
    fails: bool = False
    against: Ways = ()
    ways: Ways = ()
    number: int = -1

    def text(self, lines: Sequence[bytes]) -> str:
        """What must be so."""
        if isinstance(self.asked, str) or not self.fails:
            return self.asked if isinstance(self.asked, str) else source_of(self.asked, lines)
        match self.asked:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return source_of(operand, lines)
            case ast.Compare(left=left, ops=[operator], comparators=[right]) if type(operator) in _OPPOSITES:
                return f"{source_of(left, lines)} {_OPPOSITES[type(operator)]} {source_of(right, lines)}"
        text = source_of(self.asked, lines)
        return f"not ({text})" if isinstance(self.asked, _NOT_AS_ONE) else f"not {text}"


@dataclass(slots=True)
class Noting:
    """What is known where one reads. ``names`` are those that the function binds itself.

    ``_binop`` of a class below visits a ``BinOp``, and so on; of what has no such method all parts are visited.
    """

    names: LocalNames
    in_class: bool = False
    derives: bool = False
    """Whether the function gives its own gradient: functions inside that are named so run only when asked for it."""
    decided: Mapping[str, bool] = field(default_factory=dict)
    """Tests whose answer is known (``function_parts.answer``)."""
    found: list[Event] = field(default_factory=list)
    standing: Standing = field(default_factory=Standing)
    """What names have to do with parameters."""
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    result: set[ast.AST] = field(default_factory=set)
    """What the function returns is made of."""
    needed: tuple[str, ...] = ()
    """What must be so of parameters for what is read now to happen."""
    choices: dict[tuple[str, str], tuple[bool, tuple[str, ...], Way | None]] = field(default_factory=dict)
    """(local name, what it is assigned) -> whether that surely happens, what it needs, and the branch it is in."""
    once: set[str] = field(default_factory=set)
    """Names that one line binds."""
    partials: dict[str, ast.Call] = field(default_factory=dict)
    """Those that are a function with some of its arguments, ``partial(f, x)`` -> that."""
    either: dict[str, tuple[ast.IfExp, Needs]] = field(default_factory=dict)
    """Names that are one of two parameters, by a test -> that, and what it needs to hold, and not to."""
    held: Held = NOTHING_HELD
    """What the function's names hold, for indices."""
    fixed: set[str] = field(default_factory=set)
    """Names that are the same wherever they are used, in functions inside, too."""
    only_called: set[str] = field(default_factory=set)
    """Names of the function itself that are used in no other way."""
    inside: set[str] = field(default_factory=set)
    """Functions inside that surely run, here or where what the function gives back is called."""
    given_back: set[str] = field(default_factory=set)
    """Those of them that run only where what it gives back is called."""
    within: str = ""
    """The one of ``given_back`` that one reads in."""
    bodies: Mapping[str, str] = field(default_factory=dict)
    """The names that stand for a function inside (``bodies``)."""
    read_in: tuple[str, ...] = ()
    """The functions inside that one reads in, the outermost first."""
    begun: dict[str, Way | None] = field(default_factory=dict)
    """Those that were read -> the branch that each begins in."""
    branches: int = 0
    specials: int = 0
    tested: int = 0
    """Inside how many tests: what ``if`` asks is no tensor of a graph, unless one knows better."""
    returns: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """By the id of each ``return`` that was read: what it needs."""
    given_to: tuple[str, str] = ("", "")
    """The function that is given the name that one reads, and the position or the name that it is given by."""
    gives: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    """The dtypes of what it returns."""
    outcomes: list[tuple[tuple[str, ...], str]] = field(default_factory=list)
    """What each ``return`` that was read needs, and gives."""
    filled: dict[str, str] = field(default_factory=dict)
    """Parameters that are a text where they were None -> both ("x:=text")."""
    made: list[str] = field(default_factory=list)
    """The classes of what it returns."""
    way: Way | None = None
    """The innermost branch that one reads in."""
    noted: list[Branch] = field(default_factory=list)
    """The branches that something was noted in."""
    lines: Sequence[bytes] = ()
    """Those of the file: what a branch asks is told as it is written."""

    def _may_replace(self, names: set[str], value: str) -> None:
        """What these names stood for before may be gone where they are called."""
        for (name, text), (_, needs, way) in self.choices.items():
            if name in names and text != value:
                self.choices[name, text] = (False, needs, way)

    def _note(
        self,
        kind: str,
        text: str,
        node: ast.AST,
        handed: str = "",
        made_by: str = "",
        on: str = "",
        operands: Sequence[ast.expr] = (),
    ) -> None:
        if kind in ON_TENSORS and self.tested and self.names.library:
            return  # a traced array has no truth value
        if kind == "call" and isinstance(node, ast.Call) and (name := self._one_of_two(node)):
            return self._note_either(name, text, node, handed)
        if kind in ("call", "name") and self.names.library and self.names.full(text).startswith("operator."):
            kind, text = "maybe", f"__{text.rpartition('.')[2]}__"
        line, certain = getattr(node, "lineno", 0), not self.branches
        gives: tuple[tuple[str, str], ...] = GIVES_ANYTHING if kind in CALLS else ()
        if kind in CALLS and isinstance(node, ast.Call):
            gives = given_by(node, self._standing(), self._known, self.names.outer)
        elif kind == "operator" and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            gives = of_method(given_by(node, self._standing(), self._known, self.names.outer))
            operands = [node.func.value]
        if operands:
            gives += of_operands([(str(at), each) for at, each in enumerate(operands)], self.standing)
        if kind in CALLS and isinstance(node, ast.Call) and not self.names.library:
            gives = (*with_partials(gives, node, self.partials, self.names.outer), *given_bodies(node, self.bodies))
        about = line, certain, self.specials > 0, handed, self.needed, gives, made_by
        where = self._branch(self.way), self.within, (), self.read_in
        self.found.append(Event(kind, text, *about, node in self.result, on, *where))

    def _one_of_two(self, node: ast.Call) -> str:
        """The name that a call is given of which a test decides what it is, "" for none."""
        return next((each.id for each in node.args if isinstance(each, ast.Name) and each.id in self.either), "")

    def _note_either(self, name: str, text: str, node: ast.Call, handed: str) -> None:
        """Note a call for each of the two values that one argument may be."""
        value, needs = self.either.pop(name)
        names = self.standing.names
        for side, fails in ((value.body, False), (value.orelse, True)):
            meant = dotted(side) if dotted(side) == name else names[dotted(side)]
            self.standing.names = {**names, name: meant}
            with self._in(IF, value.test, value, needs[fails], fails=fails):
                self._note("call", text, node, handed)
        self.standing.names = names
        self.either[name] = value, needs

    def _branch(self, way: Way | None) -> int:
        """The number of a branch, which is noted where it is not yet."""
        if way is None:
            return -1
        if way.number < 0:
            around = self._branch(way.around)
            way.number = len(self.noted)
            self.noted.append(Branch(way.kind, plain(way.text(self.lines)), way.line, around, way.against, way.ways))
        return way.number

    def _enter(self, kind: str, asked: ast.AST | str, at: ast.AST, fails: bool = False, against: Ways = ()) -> None:
        """Read on in a branch."""
        self.way = Way(kind, asked, getattr(at, "lineno", 0), self.way, fails, against)
        if kind == IF and isinstance(asked, ast.expr):
            ways, against = (ways_of(asked, each, self._standing(), self.names.outer) for each in (not fails, fails))
            self.way.ways = ways if len(ways) > 1 and all(ways) else ()
            self.way.against = against if all(against) else ()

    @contextmanager
    def _in(
        self, kind: str, asked: ast.AST | str, at: ast.AST, needs: tuple[str, ...] = (), fails: bool = False
    ) -> Iterator[None]:
        """Read something in a branch that may not happen, and that needs something of parameters."""
        before = self.way, self.branches, self.needed
        self._enter(kind, asked, at, fails)
        self.branches, self.needed = self.branches + 1, self.needed + needs
        yield
        self.way, self.branches, self.needed = before

    def _standing(self) -> Standing:
        """What names have to do with parameters where one reads now."""
        known = self.standing
        if not (self.names.here or known.instead):
            return known
        return replace(known, names={**flow.standing(self.names, known.names, known.handed), **known.instead})

    def _known(self, node: ast.expr) -> str:
        """What is known of a value that a call gives; nothing of a parameter that may be left out, whatever else says
        so, and of a name that some line sets to None no more than that it is no tensor."""
        named = [*self.standing.names.get(node.id, "").split(OR), node.id] if isinstance(node, ast.Name) else []
        if any(name in self.parameters and self.parameters[name].default in (NOTHING, FALSEHOOD) for name in named):
            return UNSURE
        return self.names.known(node)

    def _exists(self, value: ast.expr) -> bool:
        """Whether a value is surely not None."""
        return self.names.known(value) not in (PYTHON, UNSURE)

    def _source(self, value: ast.expr) -> str:
        """What a value would be if a call gave it."""
        return given_by(ast.Call(value, [value], []), self._standing(), self._known, self.names.outer)[0][1]

    def _visit_all(self, nodes: Iterable[ast.AST]) -> None:
        for each in nodes:
            self._visit(each)

    def _visit(self, node: ast.AST) -> None:
        visitor: Callable[..., None] | None = getattr(self, f"_{type(node).__name__.lower()}", None)
        if visitor is not None:
            visitor(node)
        else:
            self._visit_all(children(node))
