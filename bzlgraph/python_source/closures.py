"""A function that gives back one of those inside it -> what a call of that runs, as one function.

>>> maker = ast.parse('''
... def maker(op, exact=False):
...     if exact:
...         f = lambda x: op(promoted(x))
...     else:
...         f = lambda x: op(x)
...     f = jit(f, inline=True)
...     f.__name__ = op.__name__
...     return f
... ''').body[0]
>>> made, closed = closure_of(maker)
>>> print(ast.unparse(made)), closed
@jit(inline=True)
def f(x, *, op, exact=False):
    if exact:
        return op(promoted(x))
    else:
        return op(x)
(None, ('op', 'exact'))
>>> closure_of(ast.parse("def f(x): return x").body[0])
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy

from bzlgraph.python_source.syntax import (
    AnyFunction,
    dotted,
    flattened,
    parameter_defaults,
    parameter_names,
    stored_name,
    walk,
)

_Inner = ast.FunctionDef | ast.Lambda


def closure_of(maker: AnyFunction) -> tuple[ast.FunctionDef, tuple[str, ...]] | None:
    """The function, which takes what the maker is given by name besides, and the names of that; None for a maker of
    which one cannot tell what it gives back."""
    own = list(flattened(maker.body))
    returned = {_innermost(each.value) for each in own if isinstance(each, ast.Return) and each.value is not None}
    name = next(iter(returned)) if len(returned) == 1 else ""
    inner = [found for each in own if (found := _defined(each, name)) is not None] if name else []
    if len(inner) != len(list(_below_ifs(maker.body, name))):
        return None
    if not inner or any(isinstance(each, ast.Nonlocal) for one in inner for each in walk(one)):
        return None
    taken, closed = inner[0].args, [*parameter_names(maker.args), *(each.arg for each in maker.args.kwonlyargs)]
    alike = len({ast.dump(each.args) for each in inner}) == 1 and maker.args.vararg is None is maker.args.kwarg
    known = {*closed, *(stored for each in _outside(maker, inner) if (stored := stored_name(each)))}
    if not alike or not known.isdisjoint(_all_names(taken)):
        return None
    defaults = dict(parameter_defaults(maker.args))
    arguments = deepcopy(taken)
    arguments.kwonlyargs += [ast.arg(each) for each in closed]
    arguments.kw_defaults += [deepcopy(defaults.get(each)) for each in closed]
    body = list(_inlined(maker.body, name))
    decorators = [*(each for one in inner[:1] for each in getattr(one, "decorator_list", ())), *_wrappers(own, name)]
    made = ast.FunctionDef(name=name, args=arguments, body=body, decorator_list=decorators, returns=None)
    return ast.copy_location(made, inner[0]), tuple(closed)


def _below_ifs(body: Iterable[ast.stmt], name: str) -> Iterator[_Inner]:
    """Where ``_inlined`` finds the function."""
    for each in body:
        if isinstance(each, ast.If):
            yield from _below_ifs([*each.body, *each.orelse], name)
        elif (inner := _defined(each, name)) is not None:
            yield inner


def _innermost(node: ast.expr) -> str:
    """The name inside of calls that wrap it: ``implements(g)(jit(f, inline=True))``."""
    while isinstance(node, ast.Call) and len(node.args) == 1:
        node = node.args[0]
    return node.id if isinstance(node, ast.Name) else ""


def _defined(statement: ast.stmt, name: str) -> _Inner | None:
    """What a statement makes of a name that is a function inside."""
    match statement:
        case ast.FunctionDef(name=defined) if defined == name:
            return statement
        case ast.Assign(targets=[ast.Name(id=stored)], value=ast.Lambda() as value) if stored == name:
            return value
    return None


def _outside(maker: AnyFunction, inner: Sequence[_Inner]) -> Iterator[ast.AST]:
    inside = {id(each) for one in inner for each in walk(one)}
    return (each for each in walk(maker) if id(each) not in inside)


def _all_names(taken: ast.arguments) -> set[str]:
    """Every parameter."""
    more = (each.arg for each in (taken.vararg, taken.kwarg, *taken.kwonlyargs) if each is not None)
    return {*parameter_names(taken), *more}


def _wrappers(statements: Iterable[ast.stmt], name: str) -> Iterator[ast.expr]:
    """``jit(inline=True)`` of ``f = jit(f, inline=True)``."""
    for each in statements:
        value = each.value if isinstance(each, ast.Assign | ast.Return) else None
        while isinstance(value, ast.Call) and _innermost(value) == name:
            yield ast.copy_location(ast.Call(value.func, [], value.keywords), value) if value.keywords else value.func
            value = value.args[0]


def _inlined(body: Iterable[ast.stmt], name: str) -> Iterator[ast.stmt]:
    """The statements of a maker with what the function inside does in its place, without what is done with that."""
    for each in body:
        inner = _defined(each, name)
        if isinstance(inner, ast.Lambda):
            yield ast.copy_location(ast.Return(deepcopy(inner.body)), inner)
            return
        if inner is not None:
            yield from deepcopy(inner.body)
            return
        if isinstance(each, ast.If):
            first, other = (list(_inlined(one, name)) for one in (each.body, each.orelse))
            if first or other:
                yield ast.copy_location(ast.If(each.test, first or [ast.Pass()], other), each)
        elif not isinstance(each, ast.Return) and not _changes(each, name):
            yield deepcopy(each)


def _changes(statement: ast.stmt, name: str) -> bool:
    """Whether a statement does something with the function that is made, and nothing else."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return bool(targets) and all(dotted(each).partition(".")[0] == name for each in targets)
