"""What a function gives, as its statements say: None where some parameters are, or a text or the like.

``def number_of(kind): if isinstance(kind, int): return kind; if kind == "fast": return 1; ...``: each ``return`` with
what it needs of the parameters, and what a call would be given for its value (``arguments``). A function that does not
say ``return`` at its end, or that something decorates, may give anything.

>>> def asked(*lines): return none_without(ast.parse("\\n  ".join(["def f(a, b, c):", *lines])).body[0])
>>> asked("if a is None: return None", "return g(a)"), asked("if a is None: return a", "return a")
((0,), (0,))
>>> asked("if b is None: return b", "return g(a, b)"), asked("if d is None: return d", "return g(a, b)")
((1,), ())
>>> asked("if a is None: a = lambda x: x", "if isinstance(b, C): return g(b)", "else: return a(b)")
(0, 1)
>>> both = "if a is not None and b is not None: raise Error()", "if a is not None and b is None: return g(a)"
>>> asked(*both, "if a is None and b is not None: return h(b)", "return None"), asked(*both, "return c")
((0, 1), ())
>>> of = lambda text, *found: outcomes_of(ast.parse(text).body[0], found)
>>> ways = ((("x=a",), "=b"), ((), "x"))
>>> of("def f(x):\\n if x == 'a': return 'b'\\n return x", *ways) == ways
True
>>> of("@g\\ndef f(x): return 'b'", ((), "=b")), of("def f(x):\\n if x: return 'b'", ((), "=b"))
((), ())
>>> of("def f(x): return x", ((), "x")), of("def f(x): return g(x)", ((), "?"))
((), ())
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from bzlgraph.ops.python.summary import FALSEHOOD, NOTHING, TEXT, TRUE
from bzlgraph.python_source.syntax import AnyFunction, parameter_names

MAX_OUTCOMES = 12
Outcomes = tuple[tuple[tuple[str, ...], str], ...]


def none_without(node: AnyFunction) -> tuple[int, ...]:
    """The positions of the parameters that must be None for a function to give None; () where it gives something."""
    names = parameter_names(node.args)
    body = [each for each in node.body if not isinstance(each, ast.Expr)]
    for at, name in enumerate(names if body else ()):
        if _returns_none_for(body[0], name):
            return (at,)
    if len(names) > 1 and _gives_second(body, names[0], names[1]):
        return (0, 1)
    asked = set(_given_for_anything(body))
    return tuple(at for at, name in enumerate(names) if name in asked) if asked <= set(names) else ()


def _returns_none_for(node: ast.stmt, parameter: str) -> bool:
    """``if x is None: return None``, or ``return x``."""
    match node:
        case ast.If(
            test=ast.Compare(left=ast.Name(id=name), ops=[ast.Is()], comparators=[ast.Constant(value=None)]),
            body=[ast.Return(value=None | ast.Constant(value=None) | ast.Name() as value)],
        ):
            return name == parameter and (not isinstance(value, ast.Name) or value.id == name)
    return False


def _gives_second(body: Sequence[ast.stmt], first: str, second: str) -> bool:
    """``if f is None: f = lambda x: x``, and then ``f(x)`` for the second parameter, unless it is of some class."""
    match body:
        case [
            ast.If(
                test=ast.Compare(left=ast.Name(id=asked), ops=[ast.Is()], comparators=[ast.Constant(value=None)]),
                body=[ast.Assign(targets=[ast.Name(id=made)], value=ast.Lambda(args=taken, body=ast.Name(id=given)))],
            ),
            ast.If(
                test=ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=other), _]),
                orelse=[ast.Return(value=ast.Call(func=ast.Name(id=called), args=[ast.Name(id=handed)]))],
            ),
        ]:
            identity = [each.arg for each in taken.args] == [given]
            return identity and asked == made == called == first and other == handed == second
    return False


def _given_for_anything(body: Sequence[ast.stmt]) -> Iterator[str]:
    """The parameters one of which each ``return`` of something needs, where all else is ``return None`` at the end;
    "" where there is something else."""
    for each in body[:-1]:
        given = list(_given_in(each.test)) if isinstance(each, ast.If) and not each.orelse else []
        leaves = isinstance(each, ast.If) and isinstance(each.body[-1], ast.Return | ast.Raise)
        yield given[0] if given and leaves else ""
    match body[-1:]:
        case [ast.Return(value=None | ast.Constant(value=None))]:
            return
    yield ""


def _given_in(test: ast.expr) -> Iterator[str]:
    """The names that are not None where a test holds."""
    for each in test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]:
        match each:
            case ast.Compare(left=ast.Name(id=name), ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
                yield name


def outcomes_of(function: AnyFunction, found: Sequence[tuple[tuple[str, ...], str]]) -> Outcomes:
    """What the returns of a function need, and give; () for one that gives no such thing. ``found``: those of all."""
    plain = any(gives in (TRUE, FALSEHOOD, NOTHING) or gives.startswith(TEXT) for _, gives in found)
    known = plain and len(found) <= MAX_OUTCOMES and not function.decorator_list and _gives(function.body)
    return tuple(found) if known else ()


def _gives(body: Sequence[ast.stmt]) -> bool:
    """Whether statements always end the function themselves."""
    match body[-1]:
        case ast.Return() | ast.Raise():
            return True
        case ast.If(body=first, orelse=other):
            return bool(other) and _gives(first) and _gives(other)
        case ast.With(body=inside):
            return _gives(inside)
    return False
