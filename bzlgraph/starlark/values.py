"""List, Dict and their states: Python's own containers whose *class* says whether they may change.

Rules.
1. ``List``/``Dict`` are mutable. A loop over one switches its class to ``LockedList``/``LockedDict`` and back;
   freezing switches it to ``FrozenList``/``FrozenDict`` for good. So ``type(x) is List`` means "may be changed now",
   nothing is stored per value, and ``isinstance(x, List)`` (or ``list``) is true in every state.
2. A dict is an ``OddDict`` when it has keys that hold a bool (``True`` and ``1`` are different keys in Starlark, equal
   in Python), or whose hash a program can choose (wide integers, tuples of numbers: thousands of one hash would make
   each look take as many comparisons). It stores such keys wrapped in ``OddKey``, whose comparison is paid for. Read
   and written through its Python methods it behaves like any dict; the functions of this module work on both kinds.
3. NaN equals itself because there is only one NaN (``NAN``); see ``equality``.

>>> from bzlgraph.starlark.values import Dict, set_item
>>> d = Dict(); set_item(d, 1, "one"); set_item(d, True, "yes"); list(d.items())
[(1, 'one'), (True, 'yes')]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import FunctionType

from bzlgraph.starlark.evaluation.budget import LOOK, charge
from bzlgraph.starlark.evaluation.thread import language
from bzlgraph.starlark.value import EvalError, Value

NAN = float("nan")
SCALARS = frozenset({str, int, float, bool, type(None), bytes, range})
"""Types without parts."""


class List(list[object]):
    """A Starlark list that may be changed now."""

    __slots__ = ()


class FrozenList(List):
    """A list that can never change again."""

    __slots__ = ()


class LockedList(List):
    """A list some loop is iterating over."""

    __slots__ = ()


class Dict(dict[object, object]):
    """A Starlark dict that may be changed now. Use ``set_item`` unless the key is known to be a string."""

    __slots__ = ()


class FrozenDict(Dict):
    """A dict that can never change again."""

    __slots__ = ()


class OpenDict(FrozenDict):
    """A frozen dict, not all of which is known: ``d[key]`` asks ``otherwise`` for what it does not have."""

    __slots__ = ("otherwise",)

    def __init__(self, known: Mapping[object, object], otherwise: Callable[[object], object]) -> None:
        super().__init__(known)
        self.otherwise = otherwise


class DictView(FrozenDict):
    """A dict of type ``Map``, which only shows what is kept elsewhere; ``shown`` is its text."""

    __slots__ = ("shown",)

    def __init__(self, known: Mapping[object, object], shown: str) -> None:
        super().__init__(known)
        self.shown = shown


class LockedDict(Dict):
    """A dict some loop is iterating over."""

    __slots__ = ()


class OddKey:
    """A key that holds a bool or has a hash of choice: bool is kept apart from int, each comparison costs steps."""

    __slots__ = ("form", "value")

    def __init__(self, value: object, form: object) -> None:
        self.value = value
        self.form = form

    def __hash__(self) -> int:
        return hash(self.form)

    def __eq__(self, other: object) -> bool:
        charge(LOOK)
        return type(other) is OddKey and self.form == other.form


class OddDict(Dict):
    """A dict that holds an OddKey; Python code sees plain keys."""

    __slots__ = ()

    def __iter__(self) -> Iterator[object]:
        for key in dict.__iter__(self):
            yield key.value if type(key) is OddKey else key

    def keys(self) -> list[object]:  # type: ignore[override]
        """The plain keys."""
        return list(self)

    def items(self) -> list[tuple[object, object]]:  # type: ignore[override]
        """(plain key, value) of each entry."""
        return list(zip(self, dict.values(self), strict=True))

    def __getitem__(self, key: object) -> object:
        return dict.__getitem__(self, hash_key(key))

    def __contains__(self, key: object) -> bool:
        return dict.__contains__(self, hash_key(key))

    def get(self, key: object, default: object = None) -> object:
        """The value of a plain key, or the default."""
        return dict.get(self, hash_key(key), default)

    def __setitem__(self, key: object, value: object) -> None:
        dict.__setitem__(self, hash_key(key), value)


class FrozenOddDict(OddDict):
    """See FrozenDict."""

    __slots__ = ()


class LockedOddDict(OddDict):
    """See LockedDict."""

    __slots__ = ()


LOCKED: dict[type, type] = {List: LockedList, Dict: LockedDict, OddDict: LockedOddDict}
UNLOCKED: dict[type, type] = {locked: free for free, locked in LOCKED.items()}
FROZEN: dict[type, type] = {
    List: FrozenList,
    LockedList: FrozenList,
    Dict: FrozenDict,
    LockedDict: FrozenDict,
    OddDict: FrozenOddDict,
    LockedOddDict: FrozenOddDict,
}
FROZEN_TYPES = frozenset({*FROZEN.values(), OpenDict, DictView})


def type_name(value: object) -> str:
    """``type(value)`` in Starlark's words."""
    name = TYPE_NAMES.get(type(value))
    if name is None:
        if isinstance(value, list):
            name = "list"
        elif isinstance(value, dict):
            name = "dict"
        else:
            name = getattr(value, "type_name", None) or type(value).__name__
    return str(name)


TYPE_NAMES: dict[type, str] = {
    str: "string",
    int: "int",
    float: "float",
    bool: "bool",
    bytes: "bytes",
    tuple: "tuple",
    range: "range",
    type(None): "NoneType",
    FunctionType: "function",
    **dict.fromkeys((List, FrozenList, LockedList), "list"),
    **dict.fromkeys((Dict, FrozenDict, OpenDict, LockedDict, OddDict, FrozenOddDict, LockedOddDict), "dict"),
    DictView: "Map",
}


def truth(value: object) -> bool:
    """``bool(value)``: Python's truth is Starlark's for plain values; ``Value.__bool__`` asks ``Value.truth``."""
    return bool(value)


# ------------------------------------------------------------------------------------------------ changing


def check_mutable(value: object) -> None:
    """Raise EvalError unless this list or dict may be changed now."""
    kind = type(value)
    if kind in LOCKED:
        return
    if kind in UNLOCKED:
        raise EvalError(f"{type_name(value)} value is temporarily immutable due to active for-loop iteration")
    raise EvalError(f"trying to mutate a frozen {type_name(value)} value")


def lock(value: object) -> object:
    """Forbid changes while a loop runs; the value to hand to ``unlock``, or None when there is nothing to undo."""
    locked = LOCKED.get(type(value))
    if locked is None:
        return None
    value.__class__ = locked
    return value


def unlock(value: object) -> None:
    """The loop that ``lock`` was called for has ended."""
    free = UNLOCKED.get(type(value))
    if free is not None:
        value.__class__ = free


_freezing: list[list[object]] = []
"""The stack of the ``freeze`` that runs now: host values call ``freeze`` for what they hold, which only adds to it, so
values may hold each other in circles."""


def freeze(value: object) -> None:
    """Make a value and everything reachable from it immutable. Stops at what is frozen already."""
    if _freezing:  # called by Value.freeze(): the loop below will come to it
        _freezing[0].append(value)
        return
    stack = [value]
    _freezing.append(stack)
    try:
        _freeze_all(stack)
    finally:
        _freezing.clear()


def _freeze_all(stack: list[object]) -> None:
    seen: set[int] = set()
    while stack:
        item = stack.pop()
        kind = type(item)
        # A frozen container holds frozen values only, so there is nothing to look for behind it; that, and not `seen`,
        # keeps freezing the same globals again (each file freezes what it re-exports) from costing anything.
        if kind in SCALARS or kind in FROZEN_TYPES:
            continue
        if isinstance(item, (List, Dict)):
            item.__class__ = FROZEN[kind]
            stack.extend(item)
            if isinstance(item, dict):
                stack.extend(item.values())
        elif id(item) not in seen:
            seen.add(id(item))
            _freeze_other(item, stack)


def _freeze_other(item: object, stack: list[object]) -> None:
    """Freeze a tuple, a function (defaults and closure) or a host value."""
    if type(item) is tuple:
        stack.extend(item)
    elif type(item) is FunctionType:
        stack.extend(item.__defaults__ or ())
        stack.extend((item.__kwdefaults__ or {}).values())
        for cell in item.__closure__ or ():
            try:
                stack.append(cell.cell_contents)
            except ValueError:  # a name that was never assigned
                continue
    elif isinstance(item, Value):
        item.freeze()


# ---------------------------------------------------------------------------------------------------- keys

_TRUE, _FALSE = object(), object()
_PLAIN_KEYS = frozenset({str, type(None), bytes})
_OWN_HASH = 1 << 60
"""Numbers below this have a hash of their own; Python folds wider ones modulo 2**61 - 1."""


def hash_key(key: object) -> object:
    """What to store ``key`` as in a Python dict; raises EvalError when it is not hashable."""
    kind = type(key)
    if kind in _PLAIN_KEYS or kind is OddKey:
        return key
    if isinstance(key, (int, float)) and kind is not bool:
        if -_OWN_HASH < key < _OWN_HASH:
            return key
        charge(LOOK + (int(key).bit_length() >> 7 if kind is int else 0))
        return OddKey(key, key)
    if kind is bool:
        return OddKey(key, _TRUE if key else _FALSE)
    if type(key) is tuple:
        form, odd = _tuple_form(key, 0)
        return OddKey(key, form) if odd else key
    if isinstance(key, (list, dict)) or (kind is range and not language().range_is_key):
        raise EvalError(f"unhashable type: '{type_name(key)}'")
    if isinstance(key, Value) and not key.hashable():
        raise EvalError(f"unhashable type: '{type_name(key)}'")
    try:
        hash(key)
    except TypeError:
        raise EvalError(f"unhashable type: '{type_name(key)}'") from None
    return key


MAX_KEY_DEPTH = 200


def _tuple_form(key: tuple[object, ...], depth: int) -> tuple[object, bool]:
    """A tuple with bools replaced by markers, and whether it is to be wrapped: the hash of a tuple is secret only where
    all its parts are texts, or values of the host. Pays for its size: hashing walks it too."""
    charge(LOOK * (len(key) + 1))
    if depth > MAX_KEY_DEPTH:
        raise EvalError("tuple is nested too deeply to be hashed")
    form: list[object] = []
    odd = not key
    for part in key:
        if type(part) is tuple:
            part, inner = _tuple_form(part, depth + 1)
            odd = odd or inner
        elif type(part) is bool:
            part, odd = (_TRUE if part else _FALSE), True
        elif type(part) is str:
            odd = odd or not part
        else:
            hash_key(part)
            odd = odd or not isinstance(part, Value)
        form.append(part)
    return (tuple(form), True) if odd else (key, False)


def set_item(target: Dict, key: object, value: object) -> None:
    """``target[key] = value`` for any key, whatever the state of ``target`` (callers check it)."""
    stored = key if type(key) is str else hash_key(key)
    if type(stored) is OddKey:
        become_odd(target)
    dict.__setitem__(target, stored, value)


def become_odd(target: Dict) -> None:
    """Let ``target`` hold OddKeys."""
    odd = _ODD.get(type(target))
    if odd is not None:
        target.__class__ = odd


_ODD: dict[type, type[Dict]] = {Dict: OddDict, FrozenDict: FrozenOddDict, LockedDict: LockedOddDict}
_MISSING = object()


def get_item(source: dict[object, object], key: object, default: object = None) -> object:
    """``source.get(key, default)`` for any key."""
    return dict.get(source, key if type(key) is str else hash_key(key), default)


def has_key(source: dict[object, object], key: object) -> bool:
    """``key in source`` for any key."""
    return dict.__contains__(source, key if type(key) is str else hash_key(key))


def is_key(source: dict[object, object], key: object) -> bool:
    """As ``has_key``; what cannot be a key is none."""
    try:
        return has_key(source, key)
    except EvalError:
        return False
