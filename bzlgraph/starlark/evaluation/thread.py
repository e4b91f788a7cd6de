"""Thread: one evaluation, with its budget, its ``print`` and ``load``, and whatever the host hangs on it.

``Thread.run`` is the only door into generated code: it makes the thread current, swaps the step counter in, and turns
whatever goes wrong inside into an ``EvalProblem`` with location and call stack.

>>> thread = Thread(print=lambda text, where: None)
>>> thread.run(lambda: current_thread() is thread)
True
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import FrameType
from typing import Any, TypeVar

from bzlgraph.base.errors import BzlgraphError, EvalProblem
from bzlgraph.base.span import Location
from bzlgraph.base.words import visible
from bzlgraph.starlark.evaluation.budget import DEFAULT, STEPS, Budget, OverBudget, breached, exhausted
from bzlgraph.starlark.evaluation.callstack import (
    MARK,
    CallStack,
    capture,
    innermost,
    location_of,
    outermost,
    release_marks,
)
from bzlgraph.starlark.evaluation.problems import is_bug, problem_from
from bzlgraph.starlark.evaluation.program import Program
from bzlgraph.starlark.evaluation.watchdog import out_of_memory, watched
from bzlgraph.starlark.value import EvalError

T = TypeVar("T")
Printer = Callable[[str, Location], None]
Operators = Callable[[str, object, object], object]
"""``operators("+", a, b)``: what the embedding layer adds to the operators of plain values, or NotImplemented."""
Loader = Callable[[str, "Thread", Location], Mapping[str, object]]

Statement = tuple[str, int]
"""A top-level statement: the path of its file, and its number there."""
NOWHERE = Location("<builtin>", 0, 0)

# Generated code shares one step counter and one recursion mark per function: one evaluation at a time per process.
_one_at_a_time = threading.RLock()
_current: list[Thread] = []
_RAISED_HERE = (EvalError, OverBudget)
"""The problems that have no place yet."""
_FAILS_ALONE = (EvalError, NameError, TypeError, OverflowError)
"""What generated code raises where the file is wrong."""


def print_to_stderr(text: str, where: Location) -> None:
    """``print`` as Bazel shows it."""
    sys.stderr.write(f"DEBUG: {where}: {visible(text)}\n")


def no_loads(module: str, _thread: Thread, _where: Location) -> Mapping[str, object]:
    """The loader of an evaluation that has none."""
    raise EvalError(
        f"cannot load '{module}': this file is evaluated standalone, without a workspace",
        "use 'bzlgraph query' or 'expand' inside a workspace to follow load() statements",
    )


def no_more_operators(_op: str, _left: object, _right: object) -> object:
    """The operators of an evaluation that has only those of the language."""
    return NotImplemented


@dataclass(frozen=True, slots=True)
class Language:
    """What versions of the language differ in while code runs; what they parse is a matter of ``Dialect``."""

    spec: bool = False
    """Strings have what the specification has and Bazel has not: Unicode case, and ``split()`` at white space."""
    dict_union: bool = True
    """There is ``{} | {}``."""
    large_integers: bool = True
    """Integers may have more than 32 bits."""
    frozen_dicts_answer: bool = False
    """``pop()`` and ``setdefault()`` of a frozen dict fail only where they would change it."""
    join_takes_anything: bool = False
    """``join()`` writes what is no string."""
    strings_iterate: bool = False
    """A loop over a string has its characters."""
    partition_at_space: bool = False
    """``partition()`` and ``rpartition()`` need no separator, which is a space then."""
    pop_takes_anything: bool = True
    """``pop()`` of a dict does not find what cannot be a key; else it is an error to look for it."""
    lacks_mutable_keys: bool = False
    """What cannot be a key is not in a dict; else it is an error to look for it."""
    json_keys_once: bool = False
    """A key may stand once in a JSON object; else the last one wins."""
    percent: str = "dsroxXeEfFgG"
    """The conversions of ``"%d" % 1``."""
    absent_members: tuple[str, ...] = ()
    """Methods and fields that there are not: ``list.clear``, ``Label.repo_name``."""
    range_is_key: bool = False
    """A range may be a key of a dict."""
    replace_count: str = ""
    """``replace()`` takes "None" for its count, and replaces "none below 0"; else all."""
    bit_operators: bool = True
    """There is ``1 | 2``."""
    old_collections: bool = False
    """``x += y`` of a frozen list makes another list, and a key may stand twice in ``{}``; else they are errors."""


NEWEST = Language()
ROOM = 2_000_000
"""What an evaluation may remember, in the steps that make it: 32 MB."""


class Thread:
    """One evaluation. ``host`` is the embedding layer's own context."""

    def __init__(
        self,
        print: Printer = print_to_stderr,
        load: Loader = no_loads,
        budget: Budget = DEFAULT,
        host: Any = None,
        operators: Operators = no_more_operators,
        language: Language = NEWEST,
    ) -> None:
        self.print = print
        self.load = load
        self.budget = budget
        self.host = host
        self.operators = operators
        self.language = language
        self.steps_left = budget.steps
        self.remembered: dict[tuple[object, ...], tuple[int, Any, bool]] = {}
        """Calls of pure functions (``ops.pure``): the steps, the result, and whether it is a list."""
        self.room = ROOM
        """How much more may be remembered, in the steps that make it."""

    def run(self, function: Callable[..., T], /, *args: object, **kwargs: object) -> T:
        """Call ``function`` as part of this evaluation; raises EvalProblem for everything that goes wrong in it."""
        with _one_at_a_time, watched(self.budget):
            if breached():
                raise exhausted()
            outer_steps, STEPS[0] = STEPS[0], self.steps_left
            outer_limit = sys.getrecursionlimit()
            # The depth counts from here: how deep the host stands already must not decide what a file may do.
            sys.setrecursionlimit(max(outer_limit, _depth() + self.budget.depth))
            collecting = gc.isenabled()
            gc.disable()  # values hardly ever form cycles, and walking them again and again costs a fifth of the time
            _current.append(self)
            try:
                return function(*args, **kwargs)
            except Exception as error:
                if isinstance(error, (BzlgraphError, BrokenPipeError)) and not isinstance(error, _RAISED_HERE):
                    raise  # the problem of a file that this one loads, stated already; the reader has gone away
                if isinstance(error, MemoryError):
                    out_of_memory()
                release_marks(error.__traceback__)
                problem = problem_from(error)
            finally:
                _current.pop()
                self.steps_left, STEPS[0] = STEPS[0], min(STEPS[0], outer_steps) if breached() else outer_steps
                sys.setrecursionlimit(outer_limit)
                if collecting:
                    gc.enable()
        raise problem  # outside of the handler, so that Python's own error is not its context

    def alone(self, function: Callable[..., object], /, *args: object, **kwargs: object) -> EvalProblem | None:
        """Call ``function`` as a part of this evaluation that fails alone; what went wrong in it. What ends all of the
        evaluation, a budget or a bug of ours, is raised."""
        try:
            function(*args, **kwargs)
        except _FAILS_ALONE as error:
            problem = problem_from(error)
            if is_bug(problem):
                raise
            release_marks(error.__traceback__)
            return problem
        return None

    def call_stack(self) -> CallStack:
        """The Starlark frames active now, innermost first; cheap, lines are resolved on demand."""
        return capture(sys._getframe(1), _RUN)

    def innermost_path(self) -> str | None:
        """The path of the file whose code is running now."""
        frame = innermost(_RUN, 2)
        return None if frame is None else frame.f_code.co_filename

    def innermost_location(self) -> Location:
        """Where the running Starlark code stands now."""
        frame = innermost(_RUN, 2)
        return NOWHERE if frame is None else location_of(frame.f_code, frame.f_lasti)

    def statement(self) -> Statement:
        """The top-level statement that is running, of the file that the evaluation began with."""
        frame = outermost(_RUN, 2)
        if frame is None:
            return "", 0
        program: Program = frame.f_globals[MARK].program
        return program.path, program.statement_at(frame.f_lineno)


_RUN = Thread.run.__code__


def _depth() -> int:
    """How many Python frames are active."""
    count = 0
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        count += 1
        frame = frame.f_back
    return count


def current_thread() -> Thread:
    """The evaluation that is running; EvalError when none is."""
    if not _current:
        raise EvalError("no Starlark evaluation is running")
    return _current[-1]


def running_host() -> object:
    """What the embedding layer hung on the evaluation that is running, None when none is."""
    return _current[-1].host if _current else None


def language() -> Language:
    """What the language of the running evaluation is like."""
    return _current[-1].language if _current else NEWEST
