"""Values of a symbolic run. A variable holds ``Cases``: plain values, each under its guard.

Plain values are strings, numbers, booleans, None, tuples (lists too) and the classes below.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from bzlgraph.flags.script.guard import ALL, ALWAYS, ENTER, NEVER, NO, YES, Guard, fact, variable

MAX_CASES = 24
MAX_TEXT = 4000
YES_WORDS = frozenset({"1", "t", "true", "y", "yes", "on"})
NO_WORDS = frozenset({"0", "f", "false", "n", "no", "off"})


MACHINE = {
    "platform.system()": "Linux",
    "platform.system().lower()": "linux",
    "platform.machine()": "x86_64",
    "sys.platform": "linux",
    "os.name": "posix",
}
"""Facts of the machine that guards keep, and what an answer is told for: the same on every machine that asks."""


@dataclass(frozen=True, slots=True)
class Opaque:
    """A value nobody knows before the script runs; ``text`` is how the source says it."""

    text: str

    def __str__(self) -> str:
        return f"<{self.text}>"


@dataclass(frozen=True, slots=True)
class Template:
    """A string with holes: ``build --python_path="<PYTHON_BIN_PATH>"``."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class UserInput:
    """What somebody put into an environment variable, or typed as the answer to its question."""

    name: str

    def __str__(self) -> str:
        return f"<{self.name}>"


@dataclass(frozen=True, slots=True)
class Table:
    """A dictionary."""

    entries: tuple[tuple[object, object], ...]


@dataclass(frozen=True, slots=True)
class EnvironmentDict:
    """``os.environ`` or a copy of it: all copies are taken for one."""


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file that was opened by name."""

    path: str


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function of the script; ``around`` are the variables of the function it was defined in."""

    node: ast.FunctionDef | ast.Lambda
    defaults: Mapping[str, Cases]
    around: Mapping[str, Cases]

    @property
    def name(self) -> str:
        """Its name."""
        return getattr(self.node, "name", "lambda")


@dataclass(frozen=True, slots=True, eq=False)
class Method:
    """``value.name``, to be called."""

    value: object
    name: str


class Cases:
    """A value by cases: one of them holds, or one of several where the guards leave it open."""

    __slots__ = ("items",)

    def __init__(self, items: Iterable[tuple[Guard, object]]) -> None:
        self.items = tuple(items)

    def under(self, path: Guard) -> Cases:
        """The cases that can be where ``path`` holds."""
        if len(self.items) == 1:
            return self
        return Cases((guard, value) for guard, value in self.items if guard.meets(path))

    @property
    def only(self) -> object:
        """The value when there is but one case, else an Opaque."""
        return self.items[0][1] if len(self.items) == 1 else Opaque("...")

    def __iter__(self) -> Iterator[tuple[Guard, object]]:
        return iter(self.items)


def always(value: object) -> Cases:
    """A value in all cases."""
    return Cases(((ALWAYS, value),))


NOTHING = always(None)
EITHER = Cases(((ALWAYS, True), (ALWAYS, False)))
"""A condition nobody knows: both sides are walked, and neither is remembered."""


def opaque(text: str) -> Opaque:
    """Something unknown; long texts are cut."""
    text = " ".join(text.split())
    return Opaque(text if len(text) <= 60 else text[:57] + "...")


def merged(items: Iterable[tuple[Guard, object]]) -> Cases:
    """Cases with each value once; too many become unknown."""
    found: dict[object, tuple[Guard, object]] = {}
    for guard, value in items:
        if guard is NEVER:
            continue
        key = _key(value)
        before = found.get(key)
        found[key] = (guard if before is None else before[0].either(guard), value)
    if len(found) > MAX_CASES:
        return always(Opaque("..."))
    return Cases(found.values())


def _key(value: object) -> object:
    """Equal for equal values of one type (1 and True are two)."""
    if isinstance(value, tuple):
        return tuple(map(_key, value))
    return (type(value), value)


def combine(function: Callable[..., object], operands: Iterable[Cases], path: Guard) -> Cases:
    """The value of a function for each possible combination of cases; it gives a plain value or ``Cases``."""
    items: list[tuple[Guard, object]] = []
    for chosen in itertools.islice(itertools.product(*(each.items for each in operands)), MAX_CASES * MAX_CASES):
        guard = ALWAYS
        for each, _ in chosen:
            guard = guard.also(each)
        if not guard.meets(path):
            continue
        result = function(*(value for _, value in chosen))
        if isinstance(result, Cases):
            items += [(guard.also(inner), value) for inner, value in result]
        else:
            items.append((guard, result))
    return merged(items)


def truth(value: object) -> Cases:
    """A plain value as a condition: True or False, by cases where it is not known."""
    if isinstance(value, Opaque):
        return EITHER
    if isinstance(value, UserInput | Template | EnvironmentDict | OpenFile | Function | Method):
        return always(True)
    if isinstance(value, Table):
        return always(bool(value.entries))
    return always(bool(value))


def equals(left: object, right: object) -> Cases:
    """``left == right`` of plain values."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, UserInput):
            return _given_equals(one, other)
        if isinstance(one, Opaque) and isinstance(other, str):
            return machine_is(one, [other])
        if isinstance(one, Opaque | Template):
            return EITHER
    return always(_key(left) == _key(right) or (isinstance(left, int) and isinstance(right, int) and left == right))


def machine_is(value: Opaque, names: Iterable[str]) -> Cases:
    """Whether an unknown value is one of these: remembered when it is a fact of the machine."""
    if value.text not in MACHINE:
        return EITHER
    listed = frozenset(names)
    return _whether(fact(value.text, listed), fact(value.text, listed, False))


def given_states(value: object) -> frozenset[str] | None:
    """The states in which an answer is this constant; None when the constant is neither yes nor no."""
    text = str(value).lower()
    if text in YES_WORDS:
        return YES
    return NO if text in NO_WORDS else None


def _given_equals(given: UserInput, other: object) -> Cases:
    if other is None or other == "":
        return always(False)
    if not isinstance(other, str | int | bool):
        return EITHER
    states = given_states(other)
    if states is None:
        return EITHER
    return _whether(variable(given.name, states), variable(given.name, ALL - states))


def given_among(given: UserInput, constants: Iterable[object]) -> Cases:
    """``given in constants``."""
    known = [states for each in constants if (states := given_states(each)) is not None]
    if not known:
        return EITHER
    states = frozenset[str]().union(*known)
    return _whether(variable(given.name, states), variable(given.name, ALL - states))


def as_number(given: UserInput) -> Cases:
    """``int(os.environ[...])``: other answers than yes and no are a ValueError."""
    return Cases(((variable(given.name, YES), 1), (variable(given.name, NO), 0)))


def answer(name: str) -> Cases:
    """What ``input()`` gives: something, or nothing when it was just Enter."""
    return Cases(((variable(name, ALL - {ENTER}), UserInput(name)), (variable(name, {ENTER}), "")))


def _whether(yes: Guard, no: Guard) -> Cases:
    return Cases(((yes, True), (no, False)))


def text_of(value: object) -> str:
    """A plain value inside a string, holes as ``<...>``."""
    if isinstance(value, tuple):
        return f"[{', '.join(repr(text_of(each)) for each in value)}]"
    return str(value)


def as_text(text: str, *parts: object) -> str | Template:
    """A string made of parts: with holes when one of the parts has some."""
    return Template(text[:MAX_TEXT]) if any(map(_has_holes, parts)) else text[:MAX_TEXT]


def joined(separator: str, parts: tuple[object, ...]) -> str | Template:
    """The texts of plain values, one behind another."""
    return as_text(separator.join(map(text_of, parts)), *parts)


def _has_holes(value: object) -> bool:
    if isinstance(value, tuple):
        return any(map(_has_holes, value))
    return not isinstance(value, str | int | float | bool | None)
