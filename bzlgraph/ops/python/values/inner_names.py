"""Names of one function that mean something else around it: each gets a name of its own.

Parameters of functions inside that are called as something of the function around them:

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

Names that a function imports for itself, where others of the module mean something else by them:

>>> module = ast.parse("from a import sin\\ndef cos(x):\\n  from b import cos, sin as s\\n  return cos(s(x))")
>>> own_imports(module.body, ())
>>> print(ast.unparse(module).replace(INSIDE, "~"))
from a import sin
<BLANKLINE>
def cos(x):
    from b import cos as cos~2, sin as s
    return cos~2(s(x))
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from bzlgraph.python_source.syntax import (
    AnyFunction,
    children,
    definitions,
    flattened,
    imported_names,
    statements_below,
)

INSIDE = "\N{MIDDLE DOT}"
"""Between such a name and its function, or the line of that: a letter that names may have, and nobody writes."""
_SUFFIX = re.compile(rf"{INSIDE}\w*")
_Scope = AnyFunction | ast.Lambda
_Import = ast.Import | ast.ImportFrom


def plain(text: str) -> str:
    """Names as they are written."""
    return _SUFFIX.sub("", text) if INSIDE in text else text


def tell_apart(function: AnyFunction) -> None:
    """Rename the parameters of the functions inside of one, innermost first."""
    _below(function, _bound(function))


def own_imports(body: Sequence[ast.stmt], package: Sequence[str]) -> None:
    """Rename what functions of a module import for themselves, where the name has another meaning in the module, or for
    another function. ``package`` is what relative imports start from."""
    scopes = [(each, own) for each in _importing(body) if (own := _imports_in(each.body, package))]
    if not scopes:
        return
    meanings: dict[str, set[str]] = {name: {""} for name, _ in definitions(body)}
    for imports in (_imports_in(body, package), *(own for _, own in scopes)):
        for name, target in imports:
            meanings.setdefault(name, set()).add(target)
    for scope, own in scopes:
        taken = _parameters(scope) | _declared(scope)
        names = {name for name, _ in own if len(meanings[name]) > 1 or hasattr(builtins, name)} - taken
        if names:
            _rename(scope.body, {name: f"{name}{INSIDE}{scope.lineno}" for name in names})


def _importing(body: Iterable[ast.stmt]) -> Iterator[AnyFunction]:
    """The functions of a module some of which import something, those inside of others first."""
    for node in flattened(body):
        below = list(statements_below(node)) if isinstance(node, AnyFunction | ast.ClassDef) else []
        if any(isinstance(each, _Import) for each in below):
            yield from (each for each in reversed(below) if isinstance(each, AnyFunction))


def _imports_in(body: Iterable[ast.stmt], package: Sequence[str]) -> list[tuple[str, str]]:
    return [found for each in flattened(body) for found in imported_names(each, package) if found[0] != "*"]


def _declared(scope: AnyFunction) -> set[str]:
    """The functions and classes right inside of one, and names that it says are the module's."""
    found: set[str] = set()
    for each in flattened(scope.body):
        if isinstance(each, AnyFunction | ast.ClassDef):
            found.add(each.name)
        elif isinstance(each, ast.Global):
            found.update(each.names)
    return found


def _rename(nodes: Sequence[ast.AST], names: Mapping[str, str]) -> None:
    """Rename what a function binds, in the functions inside too that do not bind the same themselves."""
    waiting = list(nodes)
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.Name):
            each.id = names.get(each.id, each.id)
        elif isinstance(each, _Import):
            _rename_imported(each, names)
        elif isinstance(each, _Scope):
            declared = set() if isinstance(each, ast.Lambda) else _declared(each)
            others = names.keys() - _bound(each) - declared
            _rename(each.body if isinstance(each.body, list) else [each.body], {name: names[name] for name in others})
            waiting += [part for part in children(each) if isinstance(part, ast.expr) and part is not each.body]
            waiting += [*each.args.defaults, *filter(None, each.args.kw_defaults)]
        else:
            waiting += children(each)


def _rename_imported(node: _Import, names: Mapping[str, str]) -> None:
    """``import a.b`` gives its first name."""
    for each in node.names:
        whole = each.asname or isinstance(node, ast.ImportFrom)
        name = each.asname or (each.name if whole else each.name.partition(".")[0])
        if name in names:
            each.name, each.asname = each.name if whole else name, names[name]


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
    found = _parameters(scope)
    waiting: list[ast.AST] = list(scope.body) if isinstance(scope.body, list) else [scope.body]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            found.add(each.id)
        if not isinstance(each, _Scope):
            waiting += children(each)
    return found


def _parameters(scope: _Scope) -> set[str]:
    return {each.arg for each in ast.walk(scope.args) if isinstance(each, ast.arg)}


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
