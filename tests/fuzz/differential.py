"""python -m tests.fuzz.differential: Starlark here beside starlark-go, on random programs.

Both must print the same, and both must fail or none. What differs by design is in ``EXPLAINED``, with its reason; exit
code 1 when anything else differs. Needs the package starlark-go (``pip install starlark-go``).
"""

from __future__ import annotations

import argparse
import collections
import importlib.util
import multiprocessing
import os
import re
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from decimal import Decimal
from functools import partial
from multiprocessing.connection import Connection
from typing import NamedTuple
from unittest.mock import patch

from bzlgraph.base.errors import BzlgraphError
from bzlgraph.starlark import Thread, printing
from bzlgraph.starlark.printing import float_repr
from tests.fuzz.starlark_programs import program
from tests.starlark.bare import module_of


class Ran(NamedTuple):
    """What a program printed, and why it failed, "" if it did not."""

    printed: tuple[str, ...]
    failed: str


class TooMuch(Exception):
    """The program takes more than its budget here: it may take all memory there, which has none."""


_OVER_BUDGET = re.compile(r"would be too (long|large)|more than \d+ (MB|s |steps)")


class Explanation(NamedTuple):
    """A difference by design: it fits when ``holds`` says so of (program, ours, theirs)."""

    reason: str
    holds: Callable[[str, Ran, Ran], bool]


def ours(text: str) -> Ran:
    """Run by bzlgraph."""
    printed: list[str] = []
    try:
        module_of(text).run(Thread(print=lambda said, _where: printed.append(said)))
    except BzlgraphError as error:
        if _OVER_BUDGET.search(error.diagnostic.message):
            raise TooMuch from None
        return Ran(tuple(printed), error.diagnostic.message)
    return Ran(tuple(printed), "")


def theirs(text: str) -> Ran:
    """Run by starlark-go."""
    from starlark_go import Starlark, StarlarkError

    printed: list[str] = []
    try:
        Starlark(print=printed.append).exec(text)
    except StarlarkError as error:
        return Ran(tuple(printed), str(error) or type(error).__name__)
    return Ran(tuple(printed), "")


def _with_floats_of_go(text: str) -> Ran:
    """Run with Go's spelling of floats: lengths, slices and orders of texts depend on it."""
    with ExitStack() as stack:
        for name in ("printing", "numbers", "methods.percent"):
            stack.enter_context(patch(f"bzlgraph.starlark.{name}.float_repr", _as_go))
        stack.enter_context(patch.dict(printing._SIMPLE, {float: _as_go}))
        stack.enter_context(patch("bzlgraph.starlark.methods.percent._rounded", lambda verb, x: format(x, f".6{verb}")))
        return ours(text)


def _as_go(value: float) -> str:
    spelled = float_repr(value)
    if not 1e6 <= abs(value) < float("inf"):
        return spelled
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    first, *rest = map(str, digits)
    point = "." if rest else ""
    return f"{'-' if sign else ''}{first}{point}{''.join(rest)}e+{len(rest) + int(exponent):02}"


def _blank_floats(_text: str, one: Ran, other: Ran) -> bool:
    blank = re.search(r"invalid float literal: (\s.*|.*\s)$", other.failed, re.DOTALL)
    return blank is not None and one.printed[: len(other.printed)] == other.printed


def _placeholders(_text: str, one: Ran, other: Ran) -> bool:
    pairs = list(zip(one.printed, other.printed, strict=False))
    return _ended_alike(one, other) and all(
        "..." in _in_one_piece(mine) and "..." in _in_one_piece(its) for mine, its in pairs if mine != its
    )


def _overlapping(text: str, one: Ran, other: Ran) -> bool:
    return (
        ".rsplit(" in text
        and _ended_alike(one, other)
        and all(_in_one_piece(mine) == _in_one_piece(its) for mine, its in zip(one.printed, other.printed, strict=True))
    )


def _in_one_piece(printed: str) -> str:
    """A list of texts (of elems(), of a split) as the text they are parts of."""
    return printed.replace('", "', "")


def _searched(_text: str, one: Ran, other: Ran) -> bool:
    return one.failed.startswith("unhashable type") and other.printed[: len(one.printed)] == one.printed


def _theirs_fails(words: str) -> Callable[[str, Ran, Ran], bool]:
    return lambda _text, one, other: words in other.failed and one.printed[: len(other.printed)] == other.printed


def _ours_fails(words: str) -> Callable[[str, Ran, Ran], bool]:
    return lambda _text, one, other: words in one.failed and other.printed[: len(one.printed)] == one.printed


def _ended_alike(one: Ran, other: Ran) -> bool:
    return bool(one.failed) == bool(other.failed) and len(one.printed) == len(other.printed)


def _same(one: Ran, other: Ran) -> bool:
    return one.printed == other.printed and bool(one.failed) == bool(other.failed)


FLOATS = "floats: Bazel writes an exponent from 1e17 on, Go from 1e6 on; `%f` of Java rounds the shortest decimal"
# What Bazel does was asked of Bazel 4.2.3 for each of them.
EXPLAINED: Sequence[Explanation] = (
    Explanation("a value inside itself: Bazel writes `...`, Go `[...]`", _placeholders),
    Explanation(
        "rsplit() where separators overlap: from the right in Bazel (4.2.3 crashes if more follow), the left in Go",
        _overlapping,
    ),
    Explanation("`x in dictionary` of what cannot be a key: an error in Bazel, False in Go", _searched),
    Explanation(
        "pop() of what cannot be a key: not there in Bazel, an error in Go", _theirs_fails("pop: unhashable type")
    ),
    Explanation(
        "strip(None): white space in Bazel, an error in Go", _theirs_fails("strip: for parameter 1: got NoneType")
    ),
    Explanation("float() of text with white space around it: a number in Bazel, an error in Go", _blank_floats),
    Explanation("list += what is no list: an error in Bazel", _ours_fails("unsupported binary operation: list +")),
    Explanation("startswith() looks at all types first in Bazel", _ours_fails("of sub, got element of type")),
    Explanation(
        "split(None): an error in Bazel, white space in Go", _ours_fails("parameter 'sep' got value of type 'None")
    ),
)


def difference(text: str) -> tuple[str, Ran, Ran] | None:
    """Why a program does not give the same, "" for no explained reason; None when it does."""
    one, other = ours(text), theirs(text)
    if _same(one, other):
        return None
    spelled = _with_floats_of_go(text)
    if _same(spelled, other):
        return FLOATS, one, other
    return next((each.reason for each in EXPLAINED if each.holds(text, spelled, other)), ""), one, other


def main(words: Sequence[str] | None = None) -> int:
    """Compare, and say what differs."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz.differential", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=3, help="how many differences without a reason to print")
    options = parser.parse_args(words)
    if importlib.util.find_spec("starlark_go") is None:
        print("skipped: starlark-go is not installed (pip install starlark-go)")
        return 0
    reasons: collections.Counter[str] = collections.Counter()
    failed = 0
    began = time.monotonic()
    for number, found in _compared(options.seed, options.programs):
        failed += found == FAILED_ALIKE
        if isinstance(found, str):
            reasons.update([found] if found in LEFT_OUT else [])
            continue
        reason, one, other = found
        reasons[reason] += 1
        if not reason and reasons[""] <= options.show:
            print(f"---- program {number}\n{program(options.seed, number)}\n{_apart(one, other)}")
    seconds = time.monotonic() - began
    print(f"{options.programs} programs with seed {options.seed} in {seconds:.0f} s; {failed} fail in both")
    for reason, count in reasons.most_common():
        print(f"{count:7} {reason or 'NOT EXPLAINED'}")
    return 1 if reasons[""] else 0


TOGETHER = 500
"""Programs in one process."""
MEGABYTES = 8192
"""Of addresses for a process; the other reserves 4 GB of them without using them."""
_PROCESSES = multiprocessing.get_context("spawn")
ALIKE, FAILED_ALIKE = "alike", "both fail"
OVER_BUDGET = "left out: over the budget here, which the other does not have"
OVER_MEMORY = f"left out: the other needs more than {MEGABYTES} MB"
LEFT_OUT = (OVER_BUDGET, OVER_MEMORY)
Found = str | tuple[str, Ran, Ran]
"""What came of a program: one of these words, or a difference."""


def _compared(seed: int, count: int) -> Iterator[tuple[int, Found]]:
    """What came of each program, by its number."""
    parts = [range(first, min(first + TOGETHER, count)) for first in range(0, count, TOGETHER)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for numbers, found in zip(parts, pool.map(partial(_compare, seed), parts), strict=True):
            yield from zip(numbers, found, strict=True)


def _compare(seed: int, numbers: range) -> list[Found]:
    """What came of these programs, in a process of their own: the other has no budget, and keeps what it took. It ends
    the process where memory ends, and the next one goes on behind that program."""
    found: list[Found] = []
    while len(found) < len(numbers):
        receiver, sender = _PROCESSES.Pipe(duplex=False)
        process = _PROCESSES.Process(target=_send, args=(seed, numbers[len(found) :], sender))
        process.start()
        sender.close()
        while (each := _received(receiver)) is not None:
            found.append(each)
        process.join()
        if process.exitcode == 1:
            raise RuntimeError(f"program {numbers[len(found)]} ended the comparison")
        if process.exitcode:
            found.append(OVER_MEMORY)
    return found


def _received(receiver: Connection) -> Found | None:
    try:
        found: Found = receiver.recv()
    except EOFError:
        return None
    return found


def _send(seed: int, numbers: range, sender: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEGABYTES << 20, MEGABYTES << 20))
    for number in numbers:
        sender.send(_found(program(seed, number)))


def _found(text: str) -> Found:
    try:
        found = difference(text)
        return found or (FAILED_ALIKE if ours(text).failed else ALIKE)
    except TooMuch:
        return OVER_BUDGET


def _apart(one: Ran, other: Ran) -> str:
    for index, pair in enumerate(zip(one.printed, other.printed, strict=False)):
        if pair[0] != pair[1]:
            return f"line {index}:\n  ours   {pair[0]}\n  theirs {pair[1]}"
    return (
        f"ours   {len(one.printed)} lines, {one.failed or 'no error'}\n"
        f"theirs {len(other.printed)} lines, {other.failed or 'no error'}"
    )


if __name__ == "__main__":
    raise SystemExit(main())
