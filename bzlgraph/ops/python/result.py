"""What a function's result is made of: the nodes on the way from what it returns back to what it was given.

``return real(rfft(x, length))[..., :n] * scale`` -> the product, the index, ``real(...)`` and ``rfft(...)``: of a call
its first argument, or the value whose method it is, goes on; of a name all that it is assigned. What the other
arguments are made of (a length, a scale, paddings) only prepares the work.

>>> from bzlgraph.ops.python.function_parts import parts_of
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
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bzlgraph.ops.python.function_parts import FunctionParts


def result_of(parts: FunctionParts) -> set[ast.AST]:
    """The nodes that the result of a function is made of."""
    assigned: dict[str, list[ast.expr]] = {}
    for each in parts.assignments:
        if isinstance(each, ast.Assign | ast.AnnAssign) and each.value is not None:  # ``x *= scale`` is about x
            targets = each.targets if isinstance(each, ast.Assign) else [each.target]
            for name in {name for target in targets for name in _names(target)}:
                assigned.setdefault(name, []).append(each.value)
    found: set[ast.AST] = set()
    waiting = list(parts.returned)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += assigned.get(node.id, ()) if isinstance(node, ast.Name) else _before(node)
    return found


def _names(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Tuple | ast.List):
        for each in target.elts:
            yield from _names(each)


def _before(node: ast.expr) -> list[ast.expr]:
    """What an expression is made from."""
    match node:
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
        case ast.IfExp(body=body, orelse=orelse):
            return [body, orelse]
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return parts
        case ast.Subscript(value=value) | ast.Attribute(value=value) | ast.Starred(value=value):
            return [value]
        case ast.UnaryOp(operand=operand):
            return [operand]
    return []
