"""Named arguments where parameters have no names today: what old Bazels call them (``Dialect.named_parameters``).

``"a,b".split(sep = ",")`` is compiled to ``call_named``, which puts named arguments into the places of positional-only
parameters. All other calls, and all of newer Bazels, know nothing of it.

>>> from bzlgraph.starlark.ops.access import attribute
>>> call_named(attribute("a.b.c", "split"), (), {"maxsplit": 1, "sep": "."}, (), {})
['a', 'b.c']
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import cache

from bzlgraph.starlark.builtin import BoundMethod, Builtin
from bzlgraph.starlark.iterate import call_in_order
from bzlgraph.starlark.values import type_name

_FOUND = dict.fromkeys("find rfind index rindex count startswith endswith".split(), "sub start end")
_STRIPPED = dict.fromkeys("strip lstrip rstrip".split(), "chars")
_CUT = {"split": "sep maxsplit", "rsplit": "sep maxsplit", "partition": "sep", "rpartition": "sep"}
_STRING = {**_FOUND, **_STRIPPED, **_CUT, "join": "elements", "replace": "old new maxsplit", "splitlines": "keepends"}
_ONE = dict.fromkeys("bool dir int len list repr select str tuple type".split(), "x")
_OTHERS = {
    **dict.fromkeys(("all", "any"), "elements"),
    "getattr": "x name default",
    "hasattr": "x name",
    "hash": "value",
    "Label": "label_string",
    "range": "start_or_stop stop_or_none step",
    "reversed": "sequence",
    "sorted": "self",
}
PARAMETERS: Mapping[str, str] = {**_ONE, **_OTHERS, **{f"string.{name}": each for name, each in _STRING.items()}}
"""What Bazel 0.19.1 to 0.29.0 call them, as they were asked. ``dict(args = ...)`` is left out: it is a key today."""
NAMED = frozenset(name.rpartition(".")[2] for name in PARAMETERS)
"""The functions and methods of ``PARAMETERS`` by their bare names."""


def call_named(
    function: Callable[..., object],
    positional: tuple[object, ...],
    named: dict[str, object],
    rest: Iterable[object],
    more: Mapping[str, object],
) -> object:
    """As ``call_in_order``, where names may be those of positional-only parameters."""
    places = PARAMETERS.get(_known_as(function))
    if places is None or named.keys() & more.keys():
        return call_in_order(function, positional, named, rest, more)
    given = {**named, **more}
    args = [*positional, *rest]
    wanted = places.split()[len(args) :]
    while not given.keys().isdisjoint(wanted):
        value = given.pop(wanted.pop(0), _default(function, len(args)))
        if value is inspect.Parameter.empty:
            break
        args.append(value)
    return function(*args, **given)


def _known_as(function: object) -> str:
    if isinstance(function, BoundMethod):
        return f"{type_name(function.args[0])}.{function.name}"
    return function.name if isinstance(function, Builtin) else ""


def _default(function: Callable[..., object], place: int) -> object:
    """What a positional parameter is when it is not given, ``Parameter.empty`` for one that has to be."""
    assert isinstance(function, (BoundMethod, Builtin))
    return _defaults(function.func)[place + len(function.args)]


@cache
def _defaults(function: Callable[..., object]) -> tuple[object, ...]:
    return tuple(each.default for each in inspect.signature(function).parameters.values())
