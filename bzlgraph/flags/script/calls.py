"""Calls of a symbolic run that are not functions of the script: the few of Python's own that matter here.

``MODELS`` is a table: dotted name -> what it gives for plain arguments. What is not in it gives an unknown value.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from bzlgraph.flags.script.values import (
    MAX_TEXT,
    EnvironmentDict,
    Opaque,
    OpenFile,
    Table,
    Template,
    UserInput,
    as_number,
    as_text,
    text_of,
    truth,
)

Arguments = list[Any]
Model = Callable[[Arguments, str], Any]
UNKNOWN = object()
"""What a model gives for arguments it makes nothing of."""

ASKING = frozenset({"input", "raw_input"})
LOOK_UPS = frozenset({"os.getenv"})
ENVIRONMENT = "os.environ"


def _text(arguments: Arguments, _source: str) -> Any:
    if len(arguments) != 1:
        return "" if not arguments else UNKNOWN
    value = arguments[0]
    return value if isinstance(value, str | Template | UserInput | Opaque) else text_of(value)


def _integer(arguments: Arguments, _source: str) -> Any:
    value = arguments[0] if arguments else 0
    if isinstance(value, UserInput):
        return as_number(value)
    try:
        return int(value) if isinstance(value, str | int | float) and len(str(value)) < 20 else UNKNOWN
    except (ValueError, OverflowError):
        return UNKNOWN


def _boolean(arguments: Arguments, _source: str) -> Any:
    return truth(arguments[0]) if arguments else False


def _length(arguments: Arguments, _source: str) -> Any:
    value = arguments[0] if arguments else None
    return len(value) if isinstance(value, str | tuple) else UNKNOWN


def _sequence(arguments: Arguments, _source: str) -> Any:
    value = arguments[0] if arguments else ()
    if isinstance(value, Table):
        return tuple(key for key, _ in value.entries)
    return tuple(value) if isinstance(value, str | tuple) else value if isinstance(value, UserInput) else UNKNOWN


def _sorted(arguments: Arguments, _source: str) -> Any:
    value = _sequence(arguments, "")
    if isinstance(value, tuple):
        return tuple(sorted(value)) if all(isinstance(each, str) for each in value) else value
    return value


def _range(arguments: Arguments, _source: str) -> Any:
    if all(isinstance(each, int) and abs(each) < 1000 for each in arguments) and arguments:
        return tuple(range(*arguments[:2]))
    return UNKNOWN


def _enumerate(arguments: Arguments, _source: str) -> Any:
    value = arguments[0] if arguments else None
    return tuple(enumerate(value)) if isinstance(value, tuple) else UNKNOWN


def _zip(arguments: Arguments, _source: str) -> Any:
    return tuple(zip(*arguments, strict=False)) if all(isinstance(each, tuple) for each in arguments) else UNKNOWN


def _chain(arguments: Arguments, _source: str) -> Any:
    if all(isinstance(each, tuple) for each in arguments):
        return tuple(itertools.chain(*arguments))[:MAX_TEXT]
    return UNKNOWN


def _dictionary(arguments: Arguments, _source: str) -> Any:
    value = arguments[0] if arguments else Table(())
    return value if isinstance(value, EnvironmentDict | Table) else UNKNOWN


def _path(arguments: Arguments, _source: str) -> Any:
    """``os.path.join``: an absolute part forgets those before it."""
    found, used = "", list[Any]()
    for part in arguments:
        text = text_of(part)
        absolute = text.startswith("/")
        used = [part] if absolute else [*used, part]
        found = text if absolute or not found else f"{found.rstrip('/')}/{text}"
    return as_text(found, *used)


def _same(arguments: Arguments, _source: str) -> Any:
    return arguments[0] if arguments else UNKNOWN


def _base_name(arguments: Arguments, _source: str) -> Any:
    value = arguments[0] if arguments else None
    return as_text(text_of(value).rpartition("/")[2], value) if isinstance(value, str | Template) else UNKNOWN


def _open(arguments: Arguments, _source: str) -> Any:
    return OpenFile(text_of(arguments[0])) if arguments else UNKNOWN


MODELS: dict[str, Model] = {
    "str": _text,
    "int": _integer,
    "bool": _boolean,
    "len": _length,
    "list": _sequence,
    "tuple": _sequence,
    "set": _sequence,
    "frozenset": _sequence,
    "sorted": _sorted,
    "range": _range,
    "enumerate": _enumerate,
    "zip": _zip,
    "itertools.chain": _chain,
    "dict": _dictionary,
    "copy.copy": _same,
    "copy.deepcopy": _same,
    "os.path.join": _path,
    "os.path.abspath": _same,
    "os.path.realpath": _same,
    "os.path.expanduser": _same,
    "os.path.normpath": _same,
    "os.path.basename": _base_name,
    "os.environ.copy": lambda _arguments, _source: EnvironmentDict(),
    "pathlib.Path": _path,
    "Path": _path,
    "open": _open,
    "io.open": _open,
}


def call(name: str, arguments: Arguments, source: str) -> Any:
    """The value of a known function for plain arguments; UNKNOWN when it is not known, or they do not fit."""
    model = MODELS.get(name)
    return UNKNOWN if model is None else model(arguments, source)
