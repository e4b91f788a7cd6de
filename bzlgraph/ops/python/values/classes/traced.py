"""The parameters of a function that are arrays, or None, whatever it is given: ``jit`` traces the function with them.

>>> of = lambda text: traced(ast.parse(text).body[0])
>>> of("@jit\\ndef f(x, y=1, *more, z=None): pass")
('x', 'y', 'more[]', 'z')
>>> of("@partial(api.jit, static_argnames=('y', 'z'))\\ndef f(x, y, *, z): pass")
('x',)
>>> of("@jit(static_argnums=(0, -1))\\ndef f(x, y, z): pass"), of("@jit(static_argnums=1)\\ndef f(a, b): pass")
(('y',), ('a',))
>>> of("@jit(static_argnames=NAMES)\\ndef f(x): pass"), of("@wraps(np.f)\\ndef f(x): pass")
((), ())
>>> text = "def ufunc(unit):\\n  def decorate(f):\\n    return Ufunc(jit(f, inline=True), unit)\\n  return decorate"
>>> traces(ast.parse(text).body[0]), traced(ast.parse("@ufunc(0)\\ndef f(x): pass").body[0], {"ufunc"})
(True, ('x',))
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable

from bzlgraph.ops.python.summary import MEMBER
from bzlgraph.python_source.syntax import AnyFunction, dotted, last_name, parameter_names, walk

JIT, PARTIAL = "jit", "partial"
BY_NAME, BY_PLACE = "static_argnames", "static_argnums"
"""What ``jit`` takes that names the parameters which it leaves as they are."""


def traced(function: AnyFunction, tracing: Collection[str] = ()) -> tuple[str, ...]:
    """The names of these parameters; () where nothing is traced, or one cannot tell which. It does not matter what
    other decorators do: they never come between. ``tracing``: decorators of the file that trace, too (``traces``)."""
    for each in function.decorator_list:
        own = dotted(each.func if isinstance(each, ast.Call) else each) in tracing
        settings = [] if own else _settings(each)
        static = _static(function, settings) if settings is not None else None
        if static is not None:
            rest = [f"{function.args.vararg.arg}{MEMBER}"] if function.args.vararg is not None else []
            places, named = parameter_names(function.args), [each.arg for each in function.args.kwonlyargs]
            return tuple(name for name in (*places, *rest, *named) if name not in static)
    return ()


def traces(decorator: AnyFunction) -> bool:
    """Whether a function traces what it decorates: it, or one inside, gives ``jit`` that, and names nothing static."""
    inside = [each for each in walk(decorator) if isinstance(each, AnyFunction)]
    taken = {name for each in inside for name in parameter_names(each.args)}
    calls = (each for each in walk(decorator) if isinstance(each, ast.Call) and last_name(each.func) == JIT)
    return any(
        dotted(call.args[0]) in taken and all(each.arg not in (None, BY_NAME, BY_PLACE) for each in call.keywords)
        for call in calls
        if len(call.args) == 1
    )


def _settings(decorator: ast.expr) -> list[ast.keyword] | None:
    """What ``@jit``, ``@jit(...)`` or ``@partial(jit, ...)`` is given by name; None for any other decorator."""
    match decorator:
        case ast.Name() | ast.Attribute() if last_name(decorator) == JIT:
            return []
        case ast.Call(func=called, args=[], keywords=settings) if last_name(called) == JIT:
            return settings
        case ast.Call(func=called, args=[first], keywords=settings):
            return settings if (last_name(called), last_name(first)) == (PARTIAL, JIT) else None
    return None


def _static(function: AnyFunction, settings: Iterable[ast.keyword]) -> set[str] | None:
    """The parameters that are left as they are, None where that is not written out."""
    given = {each.arg: each.value for each in settings if each.arg in (BY_NAME, BY_PLACE)}
    try:
        names, numbers = (
            _several(ast.literal_eval(given[each])) if each in given else () for each in (BY_NAME, BY_PLACE)
        )
        places = parameter_names(function.args)
        return {*map(str, names), *(places[each] for each in numbers if isinstance(each, int))}
    except (ValueError, IndexError):
        return None


def _several(value: object) -> tuple[object, ...]:
    return tuple(value) if isinstance(value, tuple | list | set) else (value,)
