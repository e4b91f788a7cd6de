"""The universe: the functions every Starlark file may use, in every Bazel.

``UNIVERSE`` maps names to values. What only some dialects have (``set``, ``bytes``) is added by ``universe_for``;
``struct`` and ``json`` live in ``lib``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bzlgraph.starlark.builtin import Builtin, builtin
from bzlgraph.starlark.checks import INT32, want_int, want_int_or_none, want_iterable, want_string, wrong_type
from bzlgraph.starlark.evaluation.budget import LOOK, charge, charge_items
from bzlgraph.starlark.evaluation.thread import current_thread
from bzlgraph.starlark.iterate import elements
from bzlgraph.starlark.methods.dicts import add_pairs
from bzlgraph.starlark.numbers import parse_float, parse_int
from bzlgraph.starlark.ops.access import attribute, attribute_names, has_attribute
from bzlgraph.starlark.ordering import extreme, sort_keys
from bzlgraph.starlark.printing import to_repr, to_str
from bzlgraph.starlark.sets import Set, make_set
from bzlgraph.starlark.value import CONSTANTS, EvalError, Value
from bzlgraph.starlark.values import Dict, List, type_name
from bzlgraph.syntax.dialect import Dialect

_MISSING = object()
_SMALL = 1 << 512


@builtin("len", pure=True)
def len_(x: object, /) -> object:
    """The number of elements (characters, keys). EvalError for what has none."""
    if isinstance(x, (str, list, tuple, dict, range, bytes)):
        return len(x)
    if isinstance(x, Value):
        return x.length()
    raise EvalError(f"{type_name(x)} is not iterable")


@builtin("type", pure=True)
def type_(x: object, /) -> object:
    """The type's name, as ``type(x)`` has it."""
    if (whole := _converted(x, "type")) is not NotImplemented:
        return whole
    return type_name(x)


@builtin("str", pure=True)
def str_(x: object, /) -> str:
    """``str(x)``: a string is itself."""
    if type(x) is str:
        return x
    return str(x) if type(x) is int and -_SMALL < x < _SMALL else to_str(x)


@builtin("repr", pure=True)
def repr_(x: object, /) -> str:
    """The text of a literal where there is one."""
    return to_repr(x)


def _converted(x: object, function: str) -> object:
    """What a host value wants a conversion to give."""
    return x.converted(function) if isinstance(x, Value) else NotImplemented


@builtin("bool", pure=True)
def bool_(x: object = False, /) -> bool:
    """The truth of a value."""
    return bool(x)


@builtin("int", pure=True)
def int_(x: object, /, base: object = _MISSING) -> object:
    """A number from a number or from text in a base. EvalError for anything else."""
    if (whole := _converted(x, "int")) is not NotImplemented:
        return whole
    return parse_int(x, None if base is _MISSING else base, base is not _MISSING)


@builtin("float", pure=True)
def float_(x: object = 0.0, /) -> float:
    """A float from a number or from text. EvalError for anything else."""
    return parse_float(x)


@builtin("list", pure=True)
def list_(x: object = (), /) -> object:
    """A new list of the elements. EvalError for what cannot be iterated over."""
    if (whole := _converted(x, "list")) is not NotImplemented:
        return whole
    items = elements(want_iterable(x, "list", "x"))
    charge_items(len(items))
    return List(items)


@builtin("tuple", pure=True)
def tuple_(x: object = (), /) -> object:
    """A tuple of the elements. EvalError for what cannot be iterated over."""
    if type(x) is tuple:
        return x
    if (whole := _converted(x, "tuple")) is not NotImplemented:
        return whole
    items = elements(want_iterable(x, "tuple", "x"))
    charge_items(len(items))
    return tuple(items)


@builtin("dict", pure=True)
def dict_(pairs: object = (), /, **kwargs: object) -> object:
    """A new dict of pairs (or of another dict), then of the named arguments. EvalError for what are no pairs."""
    for part in (pairs, *pairs) if isinstance(pairs, list) else (pairs,):
        if isinstance(part, Value) and (whole := part.converted("dict")) is not NotImplemented:
            return whole
    made = Dict()
    add_pairs(made, pairs, "dict")
    made.update(kwargs)
    return made


@builtin("set", pure=True)
def set_(elements_: object = (), /) -> Set:
    """A new set. EvalError for elements that cannot be hashed."""
    items = elements(want_iterable(elements_, "set", "elements"))
    charge_items(len(items) * 4)
    return make_set(items)


@builtin("range", pure=True)
def range_(start_or_stop: object, stop: object = None, step: object = 1, /) -> range:
    """A range of integers. EvalError for a step of 0 and beyond 32 bits."""
    first = want_int(start_or_stop, "range", "start_or_stop", "stop" if stop is None else "start")
    last = None if stop is None else want_int_or_none(stop, "range", "stop_or_none", "stop") or 0
    pace = want_int(step, "range", "step")
    if not pace:
        raise EvalError("step cannot be 0")
    made = range(0, first, pace) if last is None else range(first, last, pace)
    if made and (made[-1] - made[0]) // pace >= INT32 - 1:
        raise EvalError(f"len({to_repr(made)}) exceeds signed 32-bit range")
    return made


@builtin("range", pure=True)
def list_range(start_or_stop: object, stop: object = None, step: object = 1, /) -> List:
    """``range`` of Bazels before 0.20: a list of integers."""
    made: range = range_(start_or_stop, stop, step)
    charge_items(len(made))
    return List(made)


@builtin("enumerate", pure=True)
def enumerate_(list: object, start: object = 0) -> List:
    """A list of (position, element)."""
    items = elements(list)
    charge_items(len(items) * 4)
    return List(enumerate(items, want_int(start, "enumerate", "start")))


@builtin("zip", pure=True)
def zip_(*args: object) -> List:
    """A list of tuples, as long as the shortest argument."""
    columns = [elements(each) for each in args]
    charge_items(min(map(len, columns), default=0) * (len(columns) + 4))
    return List(zip(*columns, strict=False))


@builtin("reversed", pure=True)
def reversed_(sequence: object, /) -> List:
    """A new list, last element first."""
    items = elements(sequence if type(sequence) is str else want_iterable(sequence, "reversed", "sequence"))
    charge_items(len(items))
    return List(reversed(items if isinstance(items, (list, tuple, range)) else list(items)))


def _listed(value: object) -> list[Any]:
    items = elements(value)
    charge_items(len(items))
    return list(items)


@builtin("sorted", pure=True)
def sorted_(iterable: object, /, key: object = None, *, reverse: object = False) -> object:
    """A new list in ascending order (stable, also when reversed). EvalError for what cannot be compared."""
    if (whole := _converted(iterable, "sorted")) is not NotImplemented:
        return whole
    if type(reverse) is not bool:
        raise wrong_type(reverse, "sorted", "reverse", "bool")
    items = _listed(want_iterable(iterable, "sorted", "iterable"))
    if key is None:
        keys = sort_keys(items)
        if keys is items:
            return List(sorted(items, reverse=reverse))
    else:
        keys = sort_keys(_call_each(key, items))
    order = sorted(range(len(items)), key=keys.__getitem__, reverse=reverse)
    return List([items[position] for position in order])


def _call_each(function: object, items: list[object]) -> list[object]:
    if not callable(function):
        raise EvalError(f"for key, got {type_name(function)}, want callable")
    charge(len(items))
    return [function(item) for item in items]


def _extreme(name: str, op: str) -> Builtin:
    def choose(*args: object, key: object = None) -> object:
        items = _listed(args[0]) if len(args) == 1 else list(args)
        if not items:
            raise EvalError("expected at least one item")
        charge(LOOK // 2 * len(items))
        return extreme(items, items if key is None else _call_each(key, items), op)

    return builtin(name, pure=True)(choose)


@builtin("all", pure=True)
def all_(elements_: object, /) -> bool:
    """Whether every element is true."""
    items = elements(elements_)
    charge_items(len(items))
    return all(items)


@builtin("any", pure=True)
def any_(elements_: object, /) -> bool:
    """Whether an element is true."""
    items = elements(elements_)
    charge_items(len(items))
    return any(items)


@builtin("abs", pure=True)
def abs_(x: object, /) -> object:
    """The absolute value. EvalError for what is no number."""
    if type(x) is not int and type(x) is not float:
        raise wrong_type(x, "abs", "x", "int or float")
    return abs(x) if x == x else x  # the one NaN stays the one


@builtin("hash", pure=True)
def hash_(value: object, /) -> int:
    """Java's ``String.hashCode``, of the bytes that Bazel's files are read as: macros shard and name by it."""
    text = want_string(value, "hash", "value")
    charge(len(text) * 2)
    return hash_code(_bytes_read(text))


def hash_code(text: bytes) -> int:
    """Java's ``String.hashCode`` of a text of these bytes.

    >>> hash_code(b"abc")
    96354
    """
    result = 0
    for byte in text:
        result = (31 * result + byte) & 0xFFFFFFFF
    return result - (1 << 32) if result >> 31 else result


def _bytes_read(text: str) -> bytes:
    """What a file has for a text: a byte that is no UTF-8 is a lone surrogate (``syntax/parse_source.py``)."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half a character, which only json.decode gives
        return text.encode("utf-8", "surrogatepass")


@builtin("getattr", pure=True)
def getattr_(x: object, name: object, default: object = _MISSING, /) -> object:
    """``x.name``, or the default where there is no such field. EvalError without a default."""
    wanted = want_string(name, "getattr", "name")
    charge(LOOK)
    if default is not _MISSING and not has_attribute(x, wanted):
        return default
    return attribute(x, wanted)


@builtin("hasattr", pure=True)
def hasattr_(x: object, name: object, /) -> bool:
    """Whether ``x.name`` exists."""
    charge(LOOK)
    return has_attribute(x, want_string(name, "hasattr", "name"))


@builtin("dir", pure=True)
def dir_(x: object, /) -> List:
    """The names of fields and methods, sorted."""
    names = attribute_names(x)
    charge(LOOK * (len(names) + 2))
    return List(names)


@builtin("print")
def print_(*args: object, sep: object = " ") -> None:
    """Hand the text to the ``print`` of the thread, with the place of the call."""
    thread = current_thread()
    text = want_string(sep, "print", "sep").join(to_str(each) for each in args)
    charge(100 + len(text) // 4)
    thread.print(text, thread.innermost_location())


@builtin("fail", pure=True)
def fail_(*args: object, msg: object = None, attr: object = None, sep: object = " ") -> None:
    """End the evaluation: EvalError with the arguments as text."""
    parts = [] if msg is None else [to_str(msg)]
    parts += [to_str(each) for each in args]
    text = want_string(sep, "fail", "sep").join(parts)
    raise EvalError(text if attr is None else f"attribute {want_string(attr, 'fail', 'attr')}: {text}")


@builtin("bytes", pure=True)
def bytes_(x: object, /) -> bytes:
    """Only in the specification's dialect."""
    if type(x) is bytes:
        return x
    if type(x) is str:
        return x.encode("utf-8", "replace")
    made = bytearray()
    items = elements(want_iterable(x, "bytes", "x"))
    charge_items(len(items))
    for position, item in enumerate(items):
        if type(item) is not int or not 0 <= item < 256:
            raise EvalError(f"at index {position}, got {to_repr(item)}, want int in range 0 to 255")
        made.append(item)
    return bytes(made)


_FUNCTIONS: tuple[Builtin, ...] = (
    *(abs_, all_, any_, bool_, dict_, dir_, enumerate_, fail_, float_, getattr_, hasattr_, hash_, int_, len_, list_),
    *(_extreme("max", ">"), _extreme("min", "<")),
    *(print_, range_, repr_, reversed_, sorted_, str_, tuple_, type_, zip_),
)
UNIVERSE: Mapping[str, object] = {**CONSTANTS, **{each.name: each for each in _FUNCTIONS}}


def universe_for(dialect: Dialect) -> Mapping[str, object]:
    """The universe with what this dialect adds."""
    extra: dict[str, object] = {}
    if dialect.sets:
        extra["set"] = set_
    if dialect.bytes_literals:
        extra["bytes"] = bytes_
    return {**UNIVERSE, **extra}
