"""Pure functions: called again with the same arguments in the same evaluation, one gives what it gave before.

Macros add ``copts = default_copts()`` to each of thousands of targets, and the function makes the same twenty
``select()`` each time.

Theory of operation. A top-level function of a .bzl file is a candidate if it returns something. It is pure if its file
is loaded and every name in it that is not its own stands for a value that can never change, a builtin that says so
(``Builtin.pure``), or a pure function. Then all that it can reach is made by itself or can never change, as long as its
arguments are plain. So only such calls are remembered, and only results that nobody can change, and lists of such, of
which everybody gets a copy. Functions that call each other in a circle are not pure: recursion is found by running.

A remembered call costs the steps that it took, so that what a budget allows does not change. What is remembered belongs
to one evaluation (``Thread.remembered``): what ``Label()`` gives depends on who evaluates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import FunctionType

from bzlgraph.starlark.builtin import Builtin
from bzlgraph.starlark.evaluation.budget import BYTES_PER_STEP, STEPS, charge
from bzlgraph.starlark.evaluation.thread import current_thread
from bzlgraph.starlark.value import Value
from bzlgraph.starlark.values import SCALARS, FrozenDict, FrozenList, List

_CALL = 20
"""What remembering a call takes beside its arguments and its result, in steps."""
_MAX_ITEMS = 1_000
"""A value that has more is not looked at, and counts as one that may change."""
_TELL_APART = frozenset({str, bool, type(None)})
"""Types of arguments; not numbers, because Python's 1, 1.0 and True are equal."""


class Candidate:
    """A function that may be pure: ``names`` are those in it that are not its own, ``variables`` those of its file."""

    __slots__ = ("_names", "_pure", "_variables")

    def __init__(self, names: tuple[str, ...], variables: Mapping[str, object]) -> None:
        self._names = names
        self._variables = variables
        self._pure: bool | None = None

    def is_pure(self) -> bool:
        """Whether it is; never while its file is being loaded."""
        if self._pure is None and self._variables[FROZEN]:
            self._pure = False  # for those that call in a circle, while the names are looked at
            self._pure = all(map(self._is_pure, self._names))
        return self._pure is True

    def _is_pure(self, name: str) -> bool:
        builtins: Mapping[str, object] = self._variables["__builtins__"]  # type: ignore[assignment]
        value = self._variables[name] if name in self._variables else builtins.get(name, self)
        if isinstance(value, Builtin):
            return value.pure
        if isinstance(value, FunctionType) and value.__closure__ is None:
            candidate = value.__globals__.get(variable_of(value.__code__.co_firstlineno))
            return isinstance(candidate, Candidate) and candidate.is_pure()
        return is_fixed(value)


class Call:
    """A call that is to be remembered."""

    __slots__ = ("key", "steps")

    def __init__(self, key: tuple[object, ...]) -> None:
        self.key = key
        self.steps = STEPS[0]

    def __bool__(self) -> bool:
        return False


FROZEN = "$frozen"
"""The variable of generated code that tells whether its file is loaded."""


def variable_of(line: int) -> str:
    """The variable of generated code that holds the candidate whose name stands at a line."""
    return f"$p{line}"


def recall(candidate: Candidate, arguments: tuple[object, ...]) -> tuple[object] | Call | None:
    """The result of a call that was made before, alone in a tuple; else something false, for ``keep``."""
    if not candidate.is_pure() or not _TELL_APART.issuperset(map(type, arguments)):
        return None
    key = (candidate, *arguments)
    known = current_thread().remembered.get(key)
    if known is None:
        return Call(key)
    steps, result, is_list = known
    charge(steps)
    return (List(result) if is_list else result,)


def keep(call: Call | None, result: object) -> object:
    """The result of a call, remembered if that is possible."""
    if call is None:
        return result
    steps = call.steps - STEPS[0]
    room = _CALL + steps + sum(map(_length, call.key)) // BYTES_PER_STEP
    thread = current_thread()
    if room > thread.room:
        return result
    is_list = type(result) is List
    fixed = tuple(result) if is_list else result  # type: ignore[arg-type]
    if is_fixed(fixed):
        thread.remembered[call.key] = (steps, fixed, is_list)
        thread.room -= room
    return result


def _length(argument: object) -> int:
    return len(argument) if isinstance(argument, str) else 0


def is_fixed(value: object) -> bool:
    """Whether a value, with all that it holds, can never change."""
    waiting, seen = [value], 0
    while waiting:
        each = waiting.pop()
        if type(each) in SCALARS or (isinstance(each, Value) and each.is_fixed()):
            continue
        parts = _parts(each)
        if parts is None:
            return False
        seen += len(parts)
        if seen > _MAX_ITEMS:
            return False
        waiting += parts
    return True


def _parts(value: object) -> Sequence[object] | None:
    """What a container holds that can never change itself; None for any other value."""
    if isinstance(value, (tuple, FrozenList)):
        return value
    return [*value.keys(), *value.values()] if type(value) is FrozenDict else None
