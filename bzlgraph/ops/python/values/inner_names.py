"""Parameters of functions inside that are called as something of the function around them: each gets a name of its own.

>>> text = "def f(a, axes):\\n  def g(axes, b=axes):\\n    return h(axes, a, axes=axes)\\n  return g(axes=a)"
>>> function = ast.parse(text).body[0]
>>> tell_apart(function)
>>> print(ast.unparse(function).replace(INSIDE, "~"))
def f(a, axes):
<BLANKLINE>
    def g(axes~g, b=axes):
        return h(axes~g, a, axes=axes~g)
    return g(axes=a)
>>> plain("axes" + INSIDE + "g")
'axes'
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator

from bzlgraph.python_source.syntax import AnyFunction, children

INSIDE = "\N{MIDDLE DOT}"
"""Between such a parameter and its function: a letter that names may have, and nobody writes."""
_SUFFIX = re.compile(rf"{INSIDE}\w*")
_Scope = AnyFunction | ast.Lambda


def plain(text: str) -> str:
    """Names as they are written."""
    return _SUFFIX.sub("", text) if INSIDE in text else text


def tell_apart(function: AnyFunction) -> None:
    """Rename the parameters of the functions inside of one, innermost first."""
    _below(function, _bound(function))


def _below(scope: _Scope, around: Collection[str]) -> None:
    for inner in _scopes_in(scope):
        _below(inner, {*around, *_bound(inner)})
        name = "" if isinstance(inner, ast.Lambda) else inner.name
        for each in (one for one in ast.walk(inner.args) if isinstance(one, ast.arg) and one.arg in around):
            before, each.arg = each.arg, f"{each.arg}{INSIDE}{name}"
            for body in inner.body if isinstance(inner.body, list) else [inner.body]:
                for one in ast.walk(body):
                    if isinstance(one, ast.Name) and one.id == before:
                        one.id = each.arg


def _bound(scope: _Scope) -> set[str]:
    """What a function binds itself: its parameters, and what it assigns."""
    found = {each.arg for each in ast.walk(scope.args) if isinstance(each, ast.arg)}
    waiting: list[ast.AST] = list(scope.body) if isinstance(scope.body, list) else [scope.body]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            found.add(each.id)
        if not isinstance(each, _Scope):
            waiting += children(each)
    return found


def _scopes_in(scope: _Scope) -> Iterator[_Scope]:
    """The functions right inside of one."""
    waiting: list[ast.AST] = list(scope.body) if isinstance(scope.body, list) else [scope.body]
    while waiting:
        each = waiting.pop()
        if isinstance(each, _Scope):
            yield each
            waiting += [*each.args.defaults, *filter(None, each.args.kw_defaults)]
        else:
            waiting += children(each)
