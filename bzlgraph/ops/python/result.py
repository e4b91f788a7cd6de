"""What a function's result is made of: the nodes on the way from what it returns back to what it was given.

``return real(rfft(x, length))[..., :n] * scale`` -> the product, the index, ``real(...)`` and ``rfft(...)``: of a call
its first argument, or the value whose method it is, goes on (of a loop, which begins with its test, all others); of a
name all that it is assigned. What the other arguments are made of (a length, a scale, paddings) only prepares the work.
A function inside gives what it returns where it is called or handed on, of a tuple the member that is taken.

>>> from bzlgraph.ops.python.values.function_parts import parts_of
>>> text = '''
... def f(x, width):
...   pads = reshape(stack([width]), [2])
...   y = widen(x)
...   y = pad(y, pads)
...   return squeeze(y) if y.rank else y
... '''
>>> made = result_of(parts_of(ast.parse(text).body[0]))
>>> sorted(node.func.id for node in made if isinstance(node, ast.Call))
['pad', 'squeeze', 'widen']
>>> text = '''
... def f(x):
...   def cut(y):
...     return halve(y), count(y)
...   part, size = cut(x)
...   return blur(part, size)
... '''
>>> made = result_of(parts_of(ast.parse(text).body[0]))
>>> sorted(node.func.id for node in made if isinstance(node, ast.Call))
['blur', 'cut', 'halve']
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bzlgraph.ops.python.values.function_parts import FunctionParts
from bzlgraph.ops.python.values.known_names import ASK_FIRST
from bzlgraph.python_source.syntax import last_name

MAKER = "__init__"
_ALL = -1
"""The place of what is no member of a tuple, or of one that nobody knows."""
_Wanted = tuple[ast.expr, int]
"""An expression, and which member of the tuple that it is, if it is one."""


def result_of(parts: FunctionParts, makes: bool = False) -> set[ast.AST]:
    """The nodes that the result of a function is made of; what ``makes`` a value of a class gives what it keeps."""
    inner: dict[str, list[ast.expr]] = {}
    for name, values in parts.inner:
        inner.setdefault(name, []).extend(values)
    assigned: dict[str, list[_Wanted]] = {}
    for each in parts.assignments:
        if isinstance(each, ast.Assign | ast.AnnAssign) and each.value is not None:  # ``x *= scale`` is about x
            targets = each.targets if isinstance(each, ast.Assign) else [each.target]
            for name, place in (pair for target in targets for pair in _names(target)):
                assigned.setdefault(name, []).append((each.value, place))
    of_inner = {id(value) for values in inner.values() for value in values}
    own = [each for each in parts.returned if id(each) not in of_inner]
    own += _kept(parts) if makes else []
    found: set[_Wanted] = set()
    waiting: list[_Wanted] = [(each, _ALL) for each in own or parts.returned]
    while waiting:
        node, place = waiting.pop()
        if (node, place) not in found:
            found.add((node, place))
            if isinstance(node, ast.Name):
                waiting += assigned.get(node.id, ())
                waiting += [(each, _ALL) for each in inner.get(node.id, ())]
            else:
                waiting += _before(node, place)
                waiting += [(each, at) for name, at in _run(node, place) for each in inner.get(name, ())]
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    waiting += assigned.get(node.func.id, ())
    return {node for node, _ in found}


def _kept(parts: FunctionParts) -> list[ast.expr]:
    """What ``__init__`` gives that of a base, or sets an attribute to."""
    calls = [each for each in parts.calls if isinstance(each.func, ast.Attribute) and each.func.attr == MAKER]
    found = [given for each in calls for given in (*each.args, *(one.value for one in each.keywords))]
    assigned = (each for each in parts.assignments if isinstance(each, ast.Assign))
    return found + [each.value for each in assigned if isinstance(each.targets[0], ast.Attribute)]


def _names(target: ast.expr, place: int = _ALL) -> Iterator[tuple[str, int]]:
    """The names that something is assigned to, with the member of it that each is."""
    if isinstance(target, ast.Name):
        yield target.id, place
    elif isinstance(target, ast.Tuple | ast.List):
        known = place == _ALL and not any(isinstance(each, ast.Starred) for each in target.elts)
        for at, each in enumerate(target.elts):
            yield from _names(each, at if known and isinstance(each, ast.Name) else _ALL)


def _run(node: ast.expr, place: int) -> Iterator[tuple[str, int]]:
    """The local functions that a call runs, or hands on, and the member wanted of what they give."""
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name):
            yield node.func.id, place
        for each in (*_arguments(node), *(keyword.value for keyword in node.keywords)):
            if isinstance(each, ast.Name):
                yield each.id, _ALL


def _arguments(call: ast.Call) -> list[ast.expr]:
    """What a call gives by position, but for what is only asked, or happens before."""
    return call.args[1:] if last_name(call.func) in ASK_FIRST else call.args


def _before(node: ast.expr, place: int) -> list[_Wanted]:
    """What an expression is made from."""
    match node:
        case ast.Tuple(elts=parts) | ast.List(elts=parts) if 0 <= place < len(parts):
            return [(parts[place], _ALL)]
        case ast.IfExp(body=body, orelse=orelse):
            return [(body, place), (orelse, place)]
    return [(each, _ALL) for each in _parts_before(node)]


def _parts_before(node: ast.expr) -> list[ast.expr]:
    match node:
        case ast.Call(func=function) if last_name(function) in ASK_FIRST:
            return _arguments(node)
        case ast.Call(func=ast.Subscript(value=table)):  # a member of a table, ``CHOICES[kind](x)``
            return [table, *node.args[:1]]
        case ast.Call(func=ast.Attribute(value=ast.Name() | ast.Attribute()), args=[first, *_]):
            return [first]
        case ast.Call(func=ast.Attribute(value=owner)):
            return [owner]
        case ast.Call(args=[first, *_]):
            return [first]
        case ast.Call(keywords=[first, *_]):
            return [first.value]
        case ast.BinOp(left=left, right=right):
            return [right if isinstance(left, ast.Constant) else left]
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return parts
        case ast.Dict(values=parts):
            return parts
        case ast.ListComp(elt=part) | ast.Lambda(body=part):
            return [part]
        case ast.Subscript(value=value) | ast.Attribute(value=value) | ast.Starred(value=value):
            return [value]
        case ast.UnaryOp(operand=operand):
            return [operand]
    return []
