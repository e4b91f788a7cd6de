"""Operators of Python: the special methods that they call, and whether they work on tensors.

(what is known of names, operands) -> "operator" on tensors; "maybe" on what the caller gave, with the parameters that
decide; "mixed" on what is a tensor on some ways only; "" on values of Python.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from bzlgraph.ops.python.summary import MEMBER, OR, UNSURE
from bzlgraph.ops.python.values.function_parts import is_text
from bzlgraph.ops.python.values.local_names import LocalNames
from bzlgraph.ops.python.values.plain_values import GIVEN
from bzlgraph.python_source.syntax import children

BINARY = {
    ast.Add: "__add__",
    ast.Sub: "__sub__",
    ast.Mult: "__mul__",
    ast.Div: "__truediv__",
    ast.FloorDiv: "__floordiv__",
    ast.Mod: "__mod__",
    ast.Pow: "__pow__",
    ast.MatMult: "__matmul__",
    ast.BitAnd: "__and__",
    ast.BitOr: "__or__",
    ast.BitXor: "__xor__",
    ast.LShift: "__lshift__",
    ast.RShift: "__rshift__",
}
UNARY = {ast.USub: "__neg__", ast.Invert: "__invert__"}


def kind_of_operator(
    names: LocalNames, stands: Mapping[str, str], made: ast.expr, operands: Sequence[ast.expr]
) -> tuple[str, str]:
    """What an operator works on, and of what the caller gave the parameters one of which must be a tensor, or have one
    as a member ("a|b[]").
    ``made``: the whole; ``stands``: names that stand for parameters (``arguments``)."""
    if names.is_tensor(made):
        perhaps = names.is_perhaps(operands)
        return ("maybe" if names.library else "mixed", UNSURE) if perhaps else ("operator", "")
    if names.plain.is_plain(made):
        return "", ""
    if any(isinstance(each, ast.List | ast.Tuple | ast.ListComp) or is_text(each) for each in operands):
        return "", ""  # ``[1] + strides``, ``(size,) * n`` are lists, ``"%s" % x`` is a text
    given = dict.fromkeys(one for each in operands for one in names.given_in(each))
    known = ((name if names.here.get(name) == GIVEN else stands.get(name, UNSURE), member) for name, member in given)
    on = dict.fromkeys(
        one + (MEMBER if member and one != UNSURE else "") for each, member in known for one in each.split(OR)
    )
    if on and not names.library and any(_is_unknown(each, names) for each in operands):
        on[UNSURE] = None
    return ("maybe", OR.join(on)) if on else ("", "")


def _is_unknown(node: ast.expr, names: LocalNames) -> bool:
    """Whether an operand may be a tensor whatever the caller gives: what a method gives, an attribute."""
    if isinstance(node, ast.BinOp | ast.UnaryOp):
        return any(_is_unknown(each, names) for each in children(node) if isinstance(each, ast.expr))
    return isinstance(node, ast.Call | ast.Attribute) and not names.plain.is_plain(node) and not names.given_in(node)
