"""The parts of an index, as far as they are known before anything is traced: as it is written, or by what names hold.

A letter for each kind of part, sorted: a number ("i"), an array ("a"), ``None`` ("n"), a slice with a step that may be
negative ("r"), or with another one ("t"), any other slice or ``...`` ("s"); and "m" where there may be several parts.
Behind them, each behind "|", the classes of other parts, hidden (``calls_told``). "" is an index with a part of which
nothing is known.

>>> def of(text, before="pass"):
...     body = ast.parse(f"{before}\\n{text}").body
...     classes = {"k": "i", "y": "a", "p": ":p/ia"}
...     held = Held([each for each in body if isinstance(each, ast.Assign)], {"order": 1, "all": 2, "made": 1})
...     return parts_of(body[-1].value.slice, held, lambda node: classes.get(dotted(node), "acinot"))
>>> texts = "x[0]", "x[1:n, None]", "x[..., -1]", "x[::-1]", "x[::2]", "x[::k]", "x[j]", "x[True]", "x[k, :]", "x[y, 0]"
>>> [of(each) for each in texts]
['i', 'mns', 'ims', 'r', 't', 'r', '', '', 'ims', 'aim']
>>> texts = "x[tuple(slice(n) for n in sizes)]", "x[slice(a, b, c), 0]", "x[[0, 1]]", "x[0 if a else -1]", "x[p, 0]"
>>> [of(each) for each in texts]
['ms', 'imr', 'a', 'i', 'im|∶p/ia']
>>> of("x[order]", "order = slice(None, None, -1) if a else slice(None)"), of("x[all]", "all = slice(n)")
('mrs', '')
>>> of("x[tuple(made)]", "made = [slice(None)] * n; made[k] = slice(1, None)")
'ms'
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping

from bzlgraph.ops.python.summary import OR
from bzlgraph.ops.python.values.arrays import is_ellipsis, is_new_axis
from bzlgraph.ops.python.values.classes.calls_told import hidden
from bzlgraph.ops.python.values.classes.value_classes import ANY, ARRAY, NUMBER
from bzlgraph.python_source.syntax import dotted, is_none

NEW_AXIS, STEP, STRIDE, PART, SEVERAL = "nrtsm"
MAX_DEPTH = 4
Classes = Callable[[ast.expr], str]


class Held:
    """What local names hold by all lines that assign them something. ``stored``: how often each name is bound."""

    def __init__(self, assignments: Iterable[ast.AST], stored: Mapping[str, int]) -> None:
        self._values: dict[str, list[ast.expr]] = {}
        self._members: dict[str, list[ast.expr]] = {}
        self._stored = stored
        for each in assignments:
            match each:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self._values.setdefault(name, []).append(value)
                case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name))], value=value):
                    self._members.setdefault(name, []).append(value)

    def values(self, node: ast.expr) -> list[ast.expr]:
        """What a name may be, nothing where that is not known."""
        name = dotted(node)
        found = self._values.get(name, [])
        return found if len(found) == self._stored.get(name) and name not in self._members else []

    def lists(self, node: ast.expr) -> tuple[list[ast.expr], list[ast.expr]]:
        """The lists that a name may be, and what is put in their places."""
        name = dotted(node)
        found = self._values.get(name, [])
        return (found, self._members.get(name, [])) if len(found) == self._stored.get(name) else ([], [])


NOTHING_HELD = Held([], {})


def parts_of(index: ast.expr, held: Held, classes: Classes) -> str:
    """The parts of an index. ``classes``: those of an expression where one reads now (``value_classes``)."""
    kinds = {*_of_index(index, held, classes, MAX_DEPTH), *([] if _is_one(index, held) else [SEVERAL])}
    letters = "".join(sorted(each for each in kinds if len(each) == 1))
    return "" if "" in kinds else OR.join([letters, *sorted(each for each in kinds if len(each) > 1)])


def _is_one(index: ast.expr, held: Held) -> bool:
    """Whether an index is one part, if it is known which: no tuple."""
    return not isinstance(index, ast.Tuple | ast.Call | ast.BinOp) and not held.values(index)


def _of_index(index: ast.expr, held: Held, classes: Classes, depth: int) -> list[str]:
    match index:
        case ast.Tuple(elts=parts):
            return [kind for each in parts for kind in _kinds(each, held, classes, depth)]
        case ast.Call(func=ast.Name(id="tuple"), args=[members]):
            return _of_members(members, held, classes, depth)
        case ast.BinOp(op=ast.Mult() | ast.Add()):
            kinds = _of_members(index, held, classes, depth)
            return kinds if "" not in kinds else _kinds(index, held, classes, depth)
        case ast.Name() if depth and (values := held.values(index)):
            kinds = [kind for each in values for kind in _of_index(each, held, classes, depth - 1)]
            return kinds if "" not in kinds else _kinds(index, held, classes, depth)
    return _kinds(index, held, classes, depth)


def _of_members(node: ast.expr, held: Held, classes: Classes, depth: int) -> list[str]:
    """The kinds of the members of a list of parts, "" among them where they are not known."""
    match node:
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return [kind for each in parts for kind in _kinds(each, held, classes, depth)]
        case ast.GeneratorExp(elt=part) | ast.ListComp(elt=part):
            return _kinds(part, held, classes, depth)
        case ast.BinOp(left=left, op=ast.Mult()):
            return _of_members(left, held, classes, depth)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [kind for each in (left, right) for kind in _of_members(each, held, classes, depth)]
        case ast.Name() if depth:
            lists, others = held.lists(node)
            found = [kind for each in lists for kind in _of_members(each, held, classes, depth - 1)]
            return [*(found or [""]), *(kind for each in others for kind in _kinds(each, held, classes, depth - 1))]
    return [""]


def _kinds(part: ast.expr, held: Held, classes: Classes, depth: int) -> list[str]:
    """The kinds of which a part of an index may be, "" for one that is not known."""
    match part:
        case ast.IfExp(body=body, orelse=other):
            return [*_kinds(body, held, classes, depth), *_kinds(other, held, classes, depth)]
        case ast.Slice(step=step) | ast.Call(func=ast.Name(id="slice"), args=[_, _, step], keywords=[]):
            return [PART if step is None or is_none(step) else STRIDE if _is_number(step) else STEP]
        case ast.Call(func=ast.Name(id="slice"), args=[_] | [_, _], keywords=[]):
            return [PART]
        case ast.UnaryOp(op=ast.USub(), operand=number) if _is_number(number):
            return [NUMBER]
        case ast.Constant() | ast.Attribute(attr="newaxis"):
            kind = NUMBER if _is_number(part) else NEW_AXIS if is_new_axis(part) else PART if is_ellipsis(part) else ""
            return [kind]
        case ast.List():
            return [ARRAY]
        case ast.Compare() | ast.Tuple():
            return [""]
        case ast.Name() if depth and (values := held.values(part)):
            kinds = [kind for each in values for kind in _kinds(each, held, classes, depth - 1)]
            if "" not in kinds:
                return kinds
    found = classes(part)
    return [found if found in (NUMBER, ARRAY) else hidden(found) if found != ANY and len(found) > 1 else ""]


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int
