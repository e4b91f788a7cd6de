"""Which names and expressions of a function are surely values of Python, on which operators make no op.

Two kinds: a "number" (a text, a shape, an array of NumPy too: a member of it is one again) and a "collection", whose
members may be tensors: ``+`` and ``*`` put collections together. A name is plain when all that it is bound to is. A
parameter is plain when the function uses it as no tensor can be used: ``range(n)``, ``len(sizes)``, ``if n < 3`` (no
tensor of a graph has a truth value), unless it asks first what the parameter is; so is a member that one goes through:
``[i + n if i < 0 else i for i in axes]``.

>>> function = ast.parse('''
... def f(x, n, size):
...   dims = list(x.shape)
...   last = dims[-1] if n > 1 else x
...   sizes = [dims[0]]
...   for each in size:
...     sizes.append(each)
...   return sizes
... ''').body[0]
>>> from bzlgraph.ops.python.values.function_parts import parts_of
>>> sorted(PlainValues.of(parts_of(function), {}).names.items())
[('dims', 'number'), ('n', 'number'), ('size', 'collection'), ('sizes', 'collection')]
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from bzlgraph.ops.python.values.function_parts import FunctionParts, is_text
from bzlgraph.ops.python.values.here import Here
from bzlgraph.ops.python.values.members import GIVES_COLLECTIONS, filled
from bzlgraph.python_source.syntax import dotted, last_name, loop_members, walk

NUMBER, COLLECTION = "number", "collection"
ONE, LIST, GIVEN, MIXED = "tensor", "list", "given", "mixed"
"""Other kinds of values: a tensor, a list of them, what the caller gave, a tensor on some ways only."""
GIVES_NUMBERS = frozenset(
    "len range xrange int float bool str repr type id isinstance issubclass hasattr callable ord chr hash".split()
)
"""Functions of Python that give numbers, texts or truth values, whatever they are given."""
GIVES_ALIKE = frozenset("list tuple sorted set frozenset reversed max min abs sum round divmod zip map filter".split())
"""Functions of Python that give numbers when they are given such."""
STATIC = frozenset(
    "constant_value constant_value_as_shape get_shape get_static_value as_dtype TensorShape Dimension"
    " dimension_value dimension_at_index".split()
)
"""Functions of TensorFlow that give what is known before a graph runs."""
FACTS = frozenset("shape ndims ndim dtype name".split())
"""Attributes of tensors that are no tensors."""
TYPES = frozenset("Tensor Variable EagerTensor Array ndarray Tracer".split())
_NUMPY = ("numpy", "math", "itertools", "functools", "operator", "collections")
_ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq, ast.In, ast.NotIn)
_SIZES = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_ASK = ("isinstance", "constant_value", "get_static_value", "is_tensor", "is_tf_type", "executing_eagerly")
_METHODS_OF_TEXTS = frozenset("format join startswith endswith lower upper strip split rsplit replace".split())
_METHODS_OF_COLLECTIONS = frozenset("append extend insert items keys values setdefault".split())

Binding = tuple[str, "ast.expr | None"]
"""A name, and an expression that it is of the kind of; None for what nobody knows."""


@dataclass(slots=True)
class PlainValues:
    """What is known of the names of one function. ``imports``: local names of modules."""

    imports: Mapping[str, str]
    names: dict[str, str] = field(default_factory=dict)
    here: Here = field(default_factory=Here)
    """What names are where one reads now (``flow``)."""

    @classmethod
    def of(cls, parts: FunctionParts, imports: Mapping[str, str], library: bool = False) -> PlainValues:
        """Everything that is bound begins as a number, and is what its bindings leave of that."""
        used = dict.fromkeys(parts.plain, NUMBER) | dict.fromkeys(parts.collections, COLLECTION)
        bindings = list(_bindings(parts))
        through = {} if library else _members_used_as(parts)
        used |= _used_as(parts, library) | through
        made = cls(imports)
        known: dict[str, list[ast.expr | None]] = {}
        for name, value in bindings:
            known.setdefault(name, []).append(value)
        put = filled(parts)
        whole = {name for name, values in known.items() if len(values) == parts.stored[name]}
        given = parts.parameters - (parts.handed - parts.own_parameters)
        bound = {name for name in whole if name not in given or name in used}
        made.names = dict.fromkeys(bound, NUMBER) | {
            name: kind for name, kind in used.items() if name in bound or not parts.stored[name]
        }
        changed = True
        while changed:
            changed = False
            for name in (bound - through.keys()) & made.names.keys():
                kinds = [made.kind(each) if each is not None else "" for each in known[name]]
                held = [made.kind(each) or COLLECTION for each in put.get(name, ())]
                now = _lowest([made.names[name], *kinds, *held])
                if now != made.names[name]:
                    changed = True
                    made.here.forget()
                    made.names.pop(name)
                    if now:
                        made.names[name] = now
        return made

    def is_plain(self, node: ast.expr) -> bool:
        """Whether an expression is surely no tensor."""
        return bool(self.kind(node))

    def kind(self, node: ast.expr) -> str:
        """NUMBER, COLLECTION, or "" for what may be a tensor."""
        return self.here.found("kind", node, self._kind) if isinstance(node, ast.BinOp) else self._kind(node)

    def _kind(self, node: ast.expr) -> str:
        match node:
            case ast.Name(id=name):
                found = self.here.get(name) or self.names.get(name, "")
                return found if found in (NUMBER, COLLECTION) else ""
            case ast.Call():
                return self._of_call(node)
            case ast.Constant() | ast.JoinedStr():
                return NUMBER
            case ast.Attribute(value=value, attr=attribute):
                return NUMBER if attribute in FACTS or self.kind(value) == NUMBER else ""
            case ast.Subscript(value=value, slice=ast.Slice()):
                return self.kind(value)
            case ast.Subscript(value=value):
                return NUMBER if self.kind(value) == NUMBER else ""
            case ast.Starred(value=value) | ast.UnaryOp(operand=value):
                return NUMBER if isinstance(getattr(node, "op", None), ast.Not) else self.kind(value)
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                return NUMBER if all(self.kind(each) == NUMBER for each in parts) else COLLECTION
            case ast.ListComp(elt=part) | ast.SetComp(elt=part) | ast.GeneratorExp(elt=part):
                return NUMBER if self.kind(part) == NUMBER else COLLECTION
            case ast.Dict() | ast.DictComp():
                return COLLECTION
            case ast.BinOp(left=left, op=operator, right=right):
                return self._of_operator(operator, left, right)
            case ast.Compare(left=left, ops=operators, comparators=others):
                named = all(isinstance(each, ast.Is | ast.IsNot | ast.In | ast.NotIn) for each in operators)
                return NUMBER if named or all(map(self.is_plain, (left, *others))) else ""
            case ast.BoolOp(values=parts):
                return self._together(parts)
            case ast.IfExp(body=body, orelse=orelse):
                return self._together([body, orelse])
        return ""

    def _together(self, parts: list[ast.expr]) -> str:
        return _lowest([self.kind(each) for each in parts])

    def _of_operator(self, operator: ast.operator, left: ast.expr, right: ast.expr) -> str:
        kinds = (self.kind(left), self.kind(right))
        if isinstance(operator, ast.Mod) and is_text(left):
            return NUMBER
        if isinstance(operator, ast.Add | ast.Mult) and COLLECTION in kinds:
            return COLLECTION
        return NUMBER if kinds == (NUMBER, NUMBER) else COLLECTION if all(kinds) else ""

    def _of_call(self, node: ast.Call) -> str:
        text = dotted(node.func)
        last = node.func.attr if isinstance(node.func, ast.Attribute) else text
        head = text.partition(".")[0]
        if text in GIVES_NUMBERS or last in STATIC:
            return NUMBER
        if self.imports.get(head, "").partition(".")[0] in _NUMPY and "." in text:
            return NUMBER
        if text in GIVES_ALIKE and node.args and all(self.kind(each) == NUMBER for each in node.args):
            return NUMBER
        if text in GIVES_COLLECTIONS:
            return COLLECTION
        if isinstance(node.func, ast.Attribute):
            if is_text(node.func.value):
                return NUMBER
            return NUMBER if self.kind(node.func.value) == NUMBER and last not in _METHODS_OF_COLLECTIONS else ""
        return ""


def _lowest(kinds: list[str]) -> str:
    """What is true of all: nothing, or a collection, or a number."""
    return "" if "" in kinds else COLLECTION if COLLECTION in kinds else NUMBER


def _bindings(parts: FunctionParts) -> Iterator[Binding]:
    for each in parts.assignments:
        if isinstance(each, ast.For | ast.comprehension):
            for target, through in loop_members(each.target, each.iter):
                yield from _of_target(target, _member(through))
        elif each.value is not None:
            targets = each.targets if isinstance(each, ast.Assign) else [each.target]
            for target in targets:
                yield from _of_target(target, each.value)


def _of_target(target: ast.expr, value: ast.expr | None) -> Iterator[Binding]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple | ast.List):
        values: list[ast.expr | None] = [_member(value)] * len(target.elts)
        if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts):
            values = list(value.elts)
        for left, right in zip(target.elts, values, strict=True):
            yield from _of_target(left.value if isinstance(left, ast.Starred) else left, right)


def _member(value: ast.expr | None) -> ast.expr | None:
    """One of several: ``value[...]``."""
    return ast.Subscript(value, ast.Constant(0), ast.Load()) if value is not None else None


def _used_as(parts: FunctionParts, library: bool) -> dict[str, str]:
    """Parameters that are used as no tensor of a graph can be; those of which the function asks what they are are
    left out."""
    asked = {
        each.id
        for call in parts.calls
        if last_name(call.func).lstrip("_") in _ASK
        for argument in call.args[:1]
        for each in walk(argument)
        if isinstance(each, ast.Name)
    }
    found: dict[str, str] = {}
    for test in parts.tests:
        found.update((name, NUMBER) for name in compared(test))
    for each in parts.assignments:
        if isinstance(each, ast.For | ast.comprehension) and isinstance(each.iter, ast.Name) and not library:
            found.setdefault(each.iter.id, COLLECTION)  # a tensor of a graph is not gone through
    for call in parts.calls:
        function, first = dotted(call.func), call.args[0] if call.args else None
        if function in ("range", "xrange"):
            found.update((each.id, NUMBER) for each in call.args if isinstance(each, ast.Name))
        elif function == "len" and isinstance(first, ast.Name) and not library:
            found.setdefault(first.id, COLLECTION)
        elif isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name):
            if call.func.attr in _METHODS_OF_TEXTS:
                found.setdefault(call.func.value.id, NUMBER)
            elif call.func.attr in _METHODS_OF_COLLECTIONS:
                found.setdefault(call.func.value.id, COLLECTION)
    return {name: kind for name, kind in found.items() if name in parts.parameters - asked}


def _members_used_as(parts: FunctionParts) -> dict[str, str]:
    """The names of members that one goes through, of which an order is asked or a length."""
    bound = Counter(
        each.id
        for loop in parts.assignments
        if isinstance(loop, ast.For | ast.comprehension)
        for each in walk(loop.target)
        if isinstance(each, ast.Name)
    )
    found = {
        call.args[0].id: COLLECTION
        for call in parts.calls
        if dotted(call.func) == "len" and call.args and isinstance(call.args[0], ast.Name)
    }
    for test in parts.tests:
        if isinstance(test, ast.Compare) and all(isinstance(each, _SIZES) for each in test.ops):
            found.update((name, NUMBER) for name in compared(test))
    return {name: kind for name, kind in found.items() if bound[name] and bound[name] == parts.stored[name]}


def compared(test: ast.expr) -> Iterator[str]:
    """The names that are numbers or texts because a test compares them."""
    if isinstance(test, ast.Compare) and all(isinstance(each, _ORDERED) for each in test.ops):
        members = isinstance(test.ops[0], ast.In | ast.NotIn)
        for each in (test.left, *(() if members else test.comparators)):
            yield from _names_of(each)


def _names_of(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.UnaryOp):
        yield from _names_of(node.operand)
    elif isinstance(node, ast.BinOp):
        yield from _names_of(node.left)
        yield from _names_of(node.right)
