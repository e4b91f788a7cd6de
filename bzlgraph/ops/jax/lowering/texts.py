"""What text an expression may come to, as a regular expression: names of custom calls are often put together.

>>> import ast
>>> value = lambda text: ast.parse(text, mode="eval").body
>>> pattern(value("f'lapack_{prefix}{base}'"), {"base": "potrf"})
'lapack_\\\\w*potrf'
>>> pattern(value("'a' if x else 'b'"), {})
'(?:a|b)'
>>> pattern(value("b'lapack_sgetrf'"), {})
'lapack_sgetrf'
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

ANYTHING = r"\w*"
MAX_PATTERN = 2_000
"""Longer ones are made by code that builds text in a loop; nothing is known of it then."""


def pattern(node: ast.expr, bound: Mapping[str, str]) -> str | None:
    """The texts of an expression; ``bound`` are those of names. None when nothing is known of it."""
    if isinstance(node, ast.Constant):
        text = node.value.decode("latin-1") if isinstance(node.value, bytes) else node.value
        return re.escape(text) if isinstance(text, str) else None
    if isinstance(node, ast.Name):
        return bound.get(node.id)
    if isinstance(node, ast.JoinedStr):
        return _limited("".join(_piece(part, bound) for part in node.values))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = pattern(node.left, bound), pattern(node.right, bound)
        if left is not None or right is not None:
            return _limited((left or ANYTHING) + (right or ANYTHING))
    if isinstance(node, ast.IfExp):
        return either(pattern(node.body, bound), pattern(node.orelse, bound))
    return None


def decided(test: ast.expr, bound: Mapping[str, str]) -> bool | None:
    """Whether a comparison of a name with literals holds, where one text is known of it; None where that is not known.

    >>> test = ast.parse("prefix in ('cu', 'hip')", mode="eval").body
    >>> decided(test, {"prefix": "cpu"}), decided(test, {"prefix": "cu"}), decided(test, {"prefix": "(?:a|cu)"})
    (False, True, None)
    """
    match test:
        case ast.Compare(left=ast.Name(id=name), ops=[operator], comparators=[other]) if name in bound:
            literals = other.elts if isinstance(other, ast.Tuple | ast.List | ast.Set) else [other]
            texts = [each.value for each in literals if isinstance(each, ast.Constant)]
            plain = bound[name].replace("\\", "")
            if re.escape(plain) != bound[name] or len(texts) != len(literals):
                return None
            if isinstance(operator, ast.Eq | ast.In):
                return plain in texts
            if isinstance(operator, ast.NotEq | ast.NotIn):
                return plain not in texts
    return None


def either(first: str | None, second: str | None) -> str | None:
    """One text or the other."""
    if first is None or second is None or first == second:
        return first or second
    return _limited(f"(?:{first}|{second})")


def _piece(part: ast.expr, bound: Mapping[str, str]) -> str:
    found = pattern(part.value if isinstance(part, ast.FormattedValue) else part, bound)
    return ANYTHING if found is None else found


def _limited(text: str) -> str | None:
    return text if len(text) <= MAX_PATTERN else None
