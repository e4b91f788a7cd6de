"""One walk over a function's tree: the nodes that say what its names are."""

from __future__ import annotations

import ast
import operator
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from bzlgraph.ops.python.summary import TENSORS
from bzlgraph.ops.python.values.arrays import annotated, is_plain
from bzlgraph.ops.python.values.classes.value_classes import ARRAY, NUMBER, OTHER, says
from bzlgraph.ops.python.values.described import described
from bzlgraph.ops.python.values.inner_names import plain
from bzlgraph.python_source.syntax import (
    AnyFunction,
    children,
    dotted,
    last_name,
    parameter_defaults,
    parameter_names,
    statements_below,
    stored_name,
    walk,
)

Scope = AnyFunction | ast.Lambda
Assignment = ast.Assign | ast.AugAssign | ast.AnnAssign | ast.For | ast.comprehension
OWN = ("self", "cls")
FLAGS = ("bool",)
"""Annotations of flags, which may take more than they say: a mode that once was yes or no."""
_NO_RETURNS = (ast.expr, *get_args(Scope), ast.ClassDef)
"""Where a function's own ``return`` cannot stand."""
_TESTING = ast.If | ast.IfExp | ast.While | ast.Assert | ast.BoolOp | ast.UnaryOp
NOTHING_DECIDED: Mapping[str, bool] = {}
NOTHING_KNOWN: Mapping[str, object] = {}


@dataclass(slots=True)
class FunctionParts:
    """What was met: names that are bound, parameters (of functions inside apart), indexed names, and some nodes."""

    bound: set[str] = field(default_factory=set)
    stored: Counter[str] = field(default_factory=Counter)
    """How often names are bound in the body, parameters or not."""
    parameters: set[str] = field(default_factory=set)
    own_parameters: set[str] = field(default_factory=set)
    """Those of the function itself."""
    inner_parameters: set[str] = field(default_factory=set)
    handed: set[str] = field(default_factory=set)
    """Those of functions inside that are only called: what calls give them is assigned to them."""
    handed_on: dict[str, list[ast.expr]] = field(default_factory=dict)
    """What calls give each of these."""
    member_parameters: set[str] = field(default_factory=set)
    """Those of functions inside that are given to ``map``: members of lists of Python."""
    left_out: set[str] = field(default_factory=set)
    """Those of functions inside that a constant stands for where a call gives nothing."""
    inside: dict[str, set[str]] = field(default_factory=dict)
    """Function inside -> its parameters."""
    mapped: set[str] = field(default_factory=set)
    arrays: set[str] = field(default_factory=set)
    """Names that are annotated as arrays."""
    classes: dict[str, str] = field(default_factory=dict)
    """Those that are annotated as nothing else, but for numbers that stand for one, and names that are annotated as
    numbers -> the classes that they may be of."""
    lists: set[str] = field(default_factory=set)
    """``*args`` that are annotated so: each is a tuple of arrays."""
    rest: str = ""
    """``*args`` of the function itself, "" for none."""
    plain: set[str] = field(default_factory=set)
    """Parameters that are annotated as numbers, texts and the like."""
    collections: set[str] = field(default_factory=set)
    """Parameters that are a tuple, a list, a dict or a text by default: ``+`` puts two of them together."""
    listed: set[str] = field(default_factory=set)
    """Parameters that are lists of tensors by the function's documentation."""
    sliced: set[str] = field(default_factory=set)
    assignments: list[Assignment] = field(default_factory=list)
    calls: list[ast.Call] = field(default_factory=list)
    named: set[str] = field(default_factory=set)
    """Names that are used in another way than being called."""
    tests: list[ast.expr] = field(default_factory=list)
    """What must be true or false: tests of branches and loops, and operands of ``and``, ``or`` and ``not``."""
    returned: list[ast.expr] = field(default_factory=list)
    inner: list[tuple[str, list[ast.expr]]] = field(default_factory=list)
    """Functions inside, and those that a local name is assigned: the name, what it may give."""

    @property
    def inside_parameters(self) -> set[str]:
        """Those of all functions inside."""
        return self.inner_parameters | self.handed | self.member_parameters

    def used_names(self) -> set[str]:
        """Names that are used, called ones included, as they are written."""
        return self.named | {name for each in self.calls if (name := dotted(each.func))}

    def take_inside(self, function: Scope, sorts: bool) -> None:
        """Take in a function inside; what one sorts by, or ``map`` calls, is about values of Python."""
        name = "" if isinstance(function, ast.Lambda) else function.name
        taken = {each.arg for each in function.args.args if each.arg not in OWN and not sorts}
        if not isinstance(function, ast.Lambda) and name not in self.named:
            handed = _handed(function, self.calls)
            self.assignments += handed
            self.stored.update(each.targets[0].id for each in handed if isinstance(each.targets[0], ast.Name))
            self.handed |= taken if handed else set()
            for each in handed:
                self.handed_on.setdefault(dotted(each.targets[0]), []).append(each.value)
            taken -= self.handed
        constants = {name for name, default in parameter_defaults(function.args) if isinstance(default, ast.Constant)}
        self.left_out |= constants & taken
        (self.member_parameters if name in self.mapped else self.inner_parameters).update(taken)
        if not isinstance(function, ast.Lambda):
            self.bound.add(name)
            self.inside[name] = taken
            self.inner.append((name, _returned(function)))

    def take(self, parameter: ast.arg) -> None:
        """Take in a parameter with what it is annotated as."""
        self.parameters.add(parameter.arg)
        if annotated(parameter.annotation):
            self.arrays.add(parameter.arg)
            alike = set(says(parameter.annotation) or OTHER) <= {ARRAY, NUMBER}
            self.classes |= {parameter.arg: NUMBER + ARRAY} if alike else {}
        elif is_plain(parameter.annotation):
            self.plain.add(parameter.arg)
            flag = parameter.annotation is not None and last_name(parameter.annotation) in FLAGS
            self.classes |= {parameter.arg: NUMBER} if not flag and says(parameter.annotation) == NUMBER else {}

    def take_call(self, node: ast.Call) -> None:
        """Take in a call."""
        self.calls.append(node)
        self.mapped.update(_mapped(node))

    def take_node(self, node: ast.AST) -> None:
        """Take in a statement or an expression that says something of names."""
        if isinstance(node, Assignment):
            self.assignments.append(node)
            self.inner += _named_lambda(node)
            self.tests += node.ifs if isinstance(node, ast.comprehension) else ()
        elif isinstance(node, ast.arg):
            self.take(node)
        elif isinstance(node, ast.Return):
            self.returned += [node.value] if node.value is not None else []
        elif isinstance(node, _TESTING):
            self.tests += _tests(node)
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and _is_slices(node.slice):
            self.sliced.add(node.value.id)

    def take_together(self, parameters: ast.arguments) -> list[str]:
        """Take in the defaults of parameters; those that collect what is given."""
        self.collections.update(name for name, default in parameter_defaults(parameters) if _is_collection(default))
        return [each.arg for each in (parameters.vararg, parameters.kwarg) if each is not None]


def parts_of(function: Scope, decided: Mapping[str, bool] = NOTHING_DECIDED) -> FunctionParts:
    """The parts of a function, those inside included, but for branches that are ``decided`` not to run."""
    parts = FunctionParts(own_parameters={each.arg for each in walk(function.args) if isinstance(each, ast.arg)})
    parts.rest = function.args.vararg.arg if function.args.vararg is not None else ""
    not_bound: set[str] = set()
    many: set[str] = set()
    called: set[ast.expr] = set()
    inside: list[Scope] = []
    for node in _walk(function, decided):
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                parts.stored[node.id] += 1
            elif node not in called:
                parts.named.add(node.id)
        elif isinstance(node, ast.Call):
            called.add(node.func)
            parts.take_call(node)
        elif isinstance(node, ast.arguments):
            many.update(parts.take_together(node))
        elif isinstance(node, Scope):
            inside += [node] if node is not function else []
        elif isinstance(node, ast.Global):
            not_bound.update(node.names)
        else:
            parts.take_node(node)
        if isinstance(node, ast.pattern) and (captured := stored_name(node)):
            parts.stored[captured] += 1
    if not isinstance(function, ast.Lambda):
        said = described(ast.get_docstring(function) or "")
        parts.listed.update(name for name, kind in said.items() if kind == TENSORS)
    sort_keys = {each.value for call in parts.calls for each in call.keywords if each.arg == "key"}
    for node in inside:
        parts.take_inside(node, node in sort_keys)
    parts.lists = parts.arrays & many
    parts.arrays -= many
    parts.stored.update(parts.bound)
    parts.bound |= parts.stored.keys() | parts.parameters
    parts.bound -= not_bound
    return parts


def answer(test: ast.expr, decided: Mapping[str, bool], known: Mapping[str, object] = NOTHING_KNOWN) -> bool | None:
    """What a test is known to give, None when the arguments decide. ``decided``: functions without arguments that
    always answer the same, by their last name; ``known``: names that are constants.

    >>> tests = "not a", "a is None", "b == 'x' and c", "b in ('x', 'y')", "c or a != 2"
    >>> known = {"a": None, "b": "y"}
    >>> [answer(ast.parse(each, mode="eval").body, {}, known) for each in tests]
    [True, True, False, True, True]
    """
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = answer(test.operand, decided, known)
        return None if inner is None else not inner
    if isinstance(test, ast.BoolOp):
        stops = isinstance(test.op, ast.Or)
        parts = [answer(each, decided, known) for each in test.values]
        return stops if stops in parts else (None if None in parts else not stops)
    if isinstance(test, ast.Call):
        return decided.get(last_name(test.func))
    if isinstance(test, ast.Compare):
        return _compared(test, known)
    if isinstance(test, ast.Name) and test.id in known:
        return bool(known[test.id])
    return decided.get(test.id) if isinstance(test, ast.Name) else None


def decided_names(parts: FunctionParts, decided: Mapping[str, bool]) -> dict[str, bool]:
    """The local names that are assigned once, what is known to be true or false: ``in_graph = not eager()``.

    >>> made = parts_of(ast.parse("def f(x):\\n  graph = not eager()\\n  y = x\\n  z = eager()\\n  z = x").body[0])
    >>> decided_names(made, {"eager": False})
    {'graph': True}
    """
    found: dict[str, bool] = {}
    others = parts.own_parameters | parts.inner_parameters | parts.member_parameters
    for each in (one for one in parts.assignments if isinstance(one, ast.Assign) and len(one.targets) == 1):
        name = each.targets[0].id if isinstance(each.targets[0], ast.Name) else ""
        known = answer(each.value, decided) if parts.stored[name] == 1 and name not in others else None
        if known is not None:
            found[name] = known
    return found


def _compared(test: ast.Compare, known: Mapping[str, object]) -> bool | None:
    """What a comparison of constants gives, None for one of something else."""
    compare = _COMPARING.get(type(test.ops[0]))
    sides = [_constant(each, known) for each in (test.left, *test.comparators)]
    if compare is None or len(sides) != 2 or None in sides or not known:
        return None
    try:
        return bool(compare(*(value for each in sides if each is not None for value in each)))
    except TypeError:  # it fails when it runs
        return None


def _constant(node: ast.expr, known: Mapping[str, object]) -> tuple[object] | None:
    """The constant that a name or an expression is, as a tuple of it; None for any other."""
    if isinstance(node, ast.Constant):
        return (node.value,)
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        parts = [_constant(each, known) for each in node.elts]
        return None if None in parts else ([each[0] for each in parts if each is not None],)
    return (known[node.id],) if isinstance(node, ast.Name) and node.id in known else None


_COMPARING: Mapping[type[ast.cmpop], Callable[[Any, Any], object]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda one, other: one in other,
    ast.NotIn: lambda one, other: one not in other,
}


def leaves(body: Sequence[ast.AST]) -> bool:
    """Whether statements end the function."""
    return bool(body) and isinstance(body[-1], ast.Return | ast.Raise)


def ends(node: ast.If) -> bool:
    """Whether the body of an ``if`` ends what it stands in without an error, on all ways."""
    last = node.body[-1]
    if isinstance(last, ast.If) and last.orelse:
        return ends(last) and ends(ast.If(last.test, last.orelse, []))
    return isinstance(last, ast.Return | ast.Continue | ast.Break)


def failed(statement: ast.stmt) -> list[ast.expr]:
    """The tests that have failed where what follows a statement runs: ``if`` and ``elif`` whose bodies leave."""
    tests = []
    while isinstance(statement, ast.If) and leaves(statement.body):
        tests.append(statement.test)
        if len(statement.orelse) != 1:
            break
        statement = statement.orelse[0]
    return tests


def may_return(statement: ast.AST) -> bool:
    """Whether a statement holds a ``return`` of the function itself."""
    if isinstance(statement, ast.Return):
        return True
    return not isinstance(statement, _NO_RETURNS) and any(map(may_return, children(statement)))


def _walk(function: Scope, decided: Mapping[str, bool]) -> Iterator[ast.AST]:
    """The nodes of a function as ``ast.walk`` gives them, without those that are decided not to run."""
    if not decided:
        yield from walk(function)
        return
    waiting: list[ast.AST] = [function]
    for node in waiting:
        yield node
        outcome = answer(node.test, decided) if isinstance(node, ast.If | ast.IfExp) else None
        if isinstance(node, ast.If | ast.IfExp) and outcome is not None:
            body = node.body if outcome else node.orelse
            waiting += [node.test, *(body if isinstance(body, list) else [body])]
        else:
            waiting += children(node)


def _handed(function: AnyFunction, calls: list[ast.Call]) -> list[ast.Assign]:
    """What calls give a function inside, as assignments to its parameters; nothing where that is not all written."""
    made: list[ast.Assign] = []
    names = parameter_names(function.args)
    defaults, own = dict(parameter_defaults(function.args)), {plain(name): name for name in names}
    for call in (each for each in calls if isinstance(each.func, ast.Name) and each.func.id == function.name):
        given = dict(zip(names, call.args, strict=False))
        given |= {own.get(each.arg, each.arg): each.value for each in call.keywords if each.arg}
        if not (defaults | given).keys() >= set(names) or any(isinstance(each, ast.Starred) for each in call.args):
            return []
        for name, value in (defaults | given).items():
            made.append(ast.Assign([ast.Name(name, ast.Store())], value))
    return made


def _tests(node: ast.AST) -> list[ast.expr]:
    """What a statement or an expression asks whether it is true."""
    if isinstance(node, ast.BoolOp):
        return node.values
    if isinstance(node, ast.UnaryOp):
        return [node.operand] if isinstance(node.op, ast.Not) else []
    return [node.test] if isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert) else []


def is_text(node: ast.expr) -> bool:
    """Whether an expression is a text as it is written, or is made one."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in ("str", "repr")
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def text_of(node: ast.expr) -> str:
    """A text as it is written, "" for anything else."""
    value = node.value if isinstance(node, ast.Constant) else ""
    if isinstance(value, bytes):
        value = value.decode("ascii", "replace")
    return value if isinstance(value, str) else ""


def _is_collection(default: ast.expr) -> bool:
    return is_text(default) or isinstance(default, ast.Tuple | ast.List | ast.Dict | ast.Set)


def _returned(function: AnyFunction) -> list[ast.expr]:
    returns = (node for node in statements_below(function) if isinstance(node, ast.Return))
    return [node.value for node in returns if node.value is not None]


def _mapped(call: ast.Call) -> set[str]:
    """``map(f, names)``: the function that is called with the members of a list."""
    first = call.args[0] if call.args else None
    own = isinstance(call.func, ast.Name) and call.func.id in ("map", "filter")
    return {first.id} if own and isinstance(first, ast.Name) else set()


def _named_lambda(node: Assignment) -> list[tuple[str, list[ast.expr]]]:
    """``f = lambda x: ...``"""
    if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda)):
        return []
    return [(target.id, [node.value.body]) for target in node.targets if isinstance(target, ast.Name)]


def _is_slices(index: ast.expr) -> bool:
    """``x[a:b, c]``: only arrays and tensors can do that."""
    return isinstance(index, ast.Tuple) and any(map(_is_of_arrays, index.elts))


def _is_of_arrays(index: ast.expr) -> bool:
    return isinstance(index, ast.Slice) or (isinstance(index, ast.Constant) and index.value in (None, ...))
