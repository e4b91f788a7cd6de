"""Calls of a symbolic run that are not functions of the script: the few of Python's own that matter here.

``MODELS`` is a table: dotted name -> the types that its arguments may have, and what it gives for them. What is not in
it gives an unknown value.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from types import UnionType

from bzlgraph.flags.script import values
from bzlgraph.flags.script.values import EnvironmentDict, Opaque, OpenFile, Table, Template, UserInput

UNKNOWN = object()
"""What a model gives for arguments it makes nothing of."""

ASKING = frozenset({"input", "raw_input"})
LOOK_UPS = frozenset({"os.getenv"})
ENVIRONMENT = "os.environ"
_SEQUENCE = str | tuple | Table | UserInput  # type: ignore[type-arg]
_NO_ENTRIES = Table(())


def _text(value: object = "") -> object:
    return value if isinstance(value, str | Template | UserInput | Opaque) else values.text_of(value)


def _integer(value: str | float | UserInput = 0, *_base: object) -> object:
    if isinstance(value, UserInput):
        return values.as_number(value)
    return int(value) if len(str(value)) < 20 else UNKNOWN


def _members(value: str | tuple[object, ...] | Table | UserInput = ()) -> object:
    if isinstance(value, Table):
        return tuple(key for key, _ in value.entries)
    return value if isinstance(value, UserInput) else tuple(value)


def _sorted(value: str | tuple[object, ...] | Table | UserInput = ()) -> object:
    members = _members(value)
    if isinstance(members, tuple) and all(isinstance(each, str) for each in members):
        return tuple(sorted(members))
    return members


def _range(first: int, *more: int) -> object:
    return tuple(range(first, *more[:1])) if all(abs(each) < 1000 for each in (first, *more)) else UNKNOWN


def _path(*parts: object) -> object:
    """``os.path.join``: an absolute part forgets those before it."""
    found, used = "", list[object]()
    for part in parts:
        text = values.text_of(part)
        absolute = text.startswith("/")
        used = [part] if absolute else [*used, part]
        found = text if absolute or not found else f"{found.rstrip('/')}/{text}"
    return values.as_text(found, *used)


def _same(value: object, *_more: object) -> object:
    return value


MODELS: dict[str, tuple[type | UnionType, Callable[..., object]]] = {
    "str": (object, _text),
    "int": (str | float | int | UserInput, _integer),
    "bool": (object, lambda value=False: values.truth(value)),
    "len": (str | tuple, len),
    **dict.fromkeys(("list", "tuple", "set", "frozenset"), (_SEQUENCE, _members)),
    "sorted": (_SEQUENCE, _sorted),
    "range": (int, _range),
    "enumerate": (tuple | int, lambda value, *_start: tuple(enumerate(value))),
    "zip": (tuple, lambda *lists: tuple(zip(*lists, strict=False))),
    "itertools.chain": (tuple, lambda *lists: tuple(itertools.chain(*lists))[: values.MAX_TEXT]),
    "dict": (EnvironmentDict | Table, lambda value=_NO_ENTRIES: value),
    **dict.fromkeys(("copy.copy", "copy.deepcopy"), (object, _same)),
    **dict.fromkeys((f"os.path.{name}" for name in ("abspath", "realpath", "expanduser", "normpath")), (object, _same)),
    **dict.fromkeys(("os.path.join", "pathlib.Path", "Path"), (object, _path)),
    "os.path.basename": (str | Template, lambda value: values.as_text(values.text_of(value).rpartition("/")[2], value)),
    "os.environ.copy": (object, lambda *_: EnvironmentDict()),
    **dict.fromkeys(("open", "io.open"), (object, lambda path, *_mode: OpenFile(values.text_of(path)))),
}


def call(name: str, arguments: Sequence[object]) -> object:
    """The value of a known function for plain arguments; UNKNOWN when it is not known, or they do not fit."""
    types, model = MODELS.get(name, (object, None))
    if model is None or not all(isinstance(each, types) for each in arguments):
        return UNKNOWN
    try:
        return model(*arguments)
    except (TypeError, ValueError, OverflowError):
        return UNKNOWN
