"""Public Starlark suites against bzlgraph: ``python -m tests.starlark.suites PATH...`` -> a table of cases.

PATH is a ``.star`` file or a folder of them, of bazelbuild/starlark (``test_suite/testdata``) or of starlark-go
(``starlark/testdata``); nothing of the suites is kept here. Both use one format: chunks between ``---`` lines, an
expected error as ``### regexp`` on its line.

A *case* is an assertion (a line that called an assert function), or a top-level statement that failed by itself, or the
expected error of a chunk. So that one failure does not hide the rest of a chunk, the top-level statement that failed is
blanked and the chunk runs again. ``assert.fails`` passes when the call fails; a message other than the suite's (Go's
words where Bazel has its own) is counted apart, as "worded".
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bzlgraph.base.errors import BzlgraphError
from bzlgraph.base.span import Location
from bzlgraph.starlark.builtin import builtin
from bzlgraph.starlark.compile import compile_file
from bzlgraph.starlark.equality import equals
from bzlgraph.starlark.evaluation.callstack import release_marks
from bzlgraph.starlark.evaluation.problems import words_of
from bzlgraph.starlark.evaluation.thread import Language, Thread, current_thread
from bzlgraph.starlark.lib.json import json_module
from bzlgraph.starlark.lib.struct import Struct, struct
from bzlgraph.starlark.module import Module
from bzlgraph.starlark.ordering import contains, less
from bzlgraph.starlark.printing import to_repr
from bzlgraph.starlark.universe import universe_for
from bzlgraph.starlark.value import EvalError, Value
from bzlgraph.starlark.values import freeze
from bzlgraph.syntax import SPEC, Dialect, parse

MAX_RETRIES = 200
IMPLEMENTATION = "java"
OPTIONS = {
    "set": "sets",
    "while": "while_loops",
    "toplevelcontrol": "toplevel_control",
    "globalreassign": "global_reassign",
    "loadbindsglobally": "load_binds_globally",
    "recursion": "recursion",
}


@dataclass(slots=True)
class Results:
    """Outcome by line of one file: ``pass``, ``worded`` or ``fail``, with a note for what is no pass."""

    outcomes: dict[int, str] = field(default_factory=dict)
    notes: dict[int, str] = field(default_factory=dict)

    def record(self, line: int, outcome: str, note: str = "") -> None:
        """Keep the worst outcome of a line."""
        order = ("pass", "worded", "fail")
        if order.index(outcome) >= order.index(self.outcomes.get(line, "pass")):
            self.outcomes[line] = outcome
            if note:
                self.notes[line] = note


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a suite file; ``first`` is its first line, ``expected`` (line, regexp) of its error, if any."""

    text: str
    first: int
    expected: tuple[int, str] | None


def chunks(path: Path) -> Iterator[Chunk]:
    """The chunks of a file, with the ``###`` comments of other implementations dropped."""
    lines: list[str] = []
    expected: tuple[int, str] | None = None
    first = 1
    for number, line in enumerate([*adapted(path.read_text(encoding="utf-8")).split("\n"), "---"], 1):
        if line.rstrip() == "---":
            yield Chunk("\n".join(lines), first, expected)
            lines, expected, first = [], None, number + 1
            continue
        code, mark, rest = line.partition("###")
        if mark:
            match = re.match(r"\s*(?:(go|java|rust):)?\s*(.*)", rest)
            assert match is not None
            if match[1] in (None, IMPLEMENTATION):
                expected = (number, _unquoted(match[2].strip()))
        lines.append(code.rstrip() if mark else line)


def adapted(text: str) -> str:
    """A suite's text without what only Go accepts: the name ``assert`` (reserved) and tabs as indentation."""
    text = re.sub(r"\bassert\b(?!\.star)", "asserts", text)
    return re.sub(r"(?m)^[ \t]*\t[ \t]*", lambda match: match[0].expandtabs(8), text)


def _unquoted(pattern: str) -> str:
    """Go writes its regexps as string literals."""
    if len(pattern) > 1 and pattern[0] == pattern[-1] == "`":
        return pattern[1:-1]
    if len(pattern) > 1 and pattern[0] == pattern[-1] == '"':
        return pattern[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    return pattern


def matches(pattern: str, message: str) -> bool:
    """Whether a message is the expected one: as text or as a regexp, quotes around names apart."""
    plain = message.replace("'", "").replace('"', "")
    for candidate in (message, plain):
        if pattern.lower() in candidate.lower():
            return True
        try:
            if re.search(pattern, candidate, re.IGNORECASE):
                return True
        except re.error:
            continue
    return False


# ------------------------------------------------------------------------------------------------ asserts


class _Fields(Value):
    """starlark-go's ``hasfields()``: an object that takes fields."""

    type_name = "hasfields"

    def __init__(self) -> None:
        self.fields: dict[str, Any] = {}
        self.frozen = False

    def get_attr(self, name: str) -> Any:
        if name not in self.fields:
            raise AttributeError(name)
        return self.fields[name]

    def set_attr(self, name: str, value: Any) -> None:
        if self.frozen:
            raise EvalError("cannot set field on a frozen hasfields")
        self.fields[name] = value

    def attr_names(self) -> list[str]:
        return sorted(self.fields)

    def freeze(self) -> None:
        self.frozen = True

    def binary(self, op: str, other: Any, reflected: bool) -> Any:
        """Its ``+`` says it is one (starlark-go tests in-place addition with it)."""
        return NotImplemented


def _line(first: int) -> int:
    return first + current_thread().innermost_location().line - 1


def _catch(function: Any) -> str | None:
    """The message a call fails with, None when it does not."""
    try:
        function()
    except Exception as error:
        release_marks(error.__traceback__)
        if isinstance(error, BzlgraphError):
            return error.diagnostic.message
        return words_of(error)[0]
    return None


def assertions(results: Results, first: int) -> Mapping[str, Any]:
    """The assert functions of both suites; they record and never stop."""

    def record(good: bool, note: str) -> None:
        results.record(_line(first), "pass" if good else "fail", note)

    @builtin("eq")
    def eq(x: Any, y: Any, /) -> None:
        record(equals(x, y) or _close(x, y), f"{to_repr(x)} != {to_repr(y)}"[:200])

    @builtin("ne")
    def ne(x: Any, y: Any, /) -> None:
        record(not equals(x, y), f"{to_repr(x)} == {to_repr(y)}"[:200])

    @builtin("true")
    def true(cond: Any, msg: Any = "assertion failed", /) -> None:
        record(bool(cond), str(msg))

    @builtin("lt")
    def lt(x: Any, y: Any, /) -> None:
        record(less(x, y), f"not {to_repr(x)} < {to_repr(y)}")

    @builtin("contains")
    def contains_(x: Any, y: Any, /) -> None:
        record(contains(y, x), f"{to_repr(x)} does not contain {to_repr(y)}")

    @builtin("fail")
    def fail(*args: Any) -> None:
        record(False, " ".join(map(str, args)))

    @builtin("fails")
    def fails(function: Any, pattern: Any, /) -> None:
        results.record(_line(first), *_judged(_catch(function), pattern))

    module = {"eq": eq, "ne": ne, "true": true, "lt": lt, "contains": contains_, "fail": fail, "fails": fails}
    return {"asserts": Struct(module), "assert_eq": eq, "assert_ne": ne, "assert_": true, "assert_fails": fails}


def _judged(message: str | None, pattern: str) -> tuple[str, str]:
    """The verdict on a call that should have failed, with a note."""
    if message is None:
        return "fail", f"succeeded; want an error matching {pattern!r}"
    if message.startswith("internal error"):
        return "fail", message
    return ("pass", "") if matches(pattern, message) else ("worded", f"{message!r}; want {pattern!r}")


def _close(x: Any, y: Any) -> bool:
    """Floats one unit in the last place apart."""
    return type(x) is float and type(y) is float and abs(x - y) <= 1e-15 * max(abs(x), abs(y))


@builtin("freeze")
def _freeze(x: Any, /) -> Any:
    freeze(x)
    return x


# ---------------------------------------------------------------------------------------------- running


def run_file(path: Path) -> Results:
    """Every case of a suite file."""
    results = Results()
    file_options = _options(next(chunks(path)).text)
    for chunk in chunks(path):
        options = file_options | _options(chunk.text)
        dialect = replace(SPEC, **{OPTIONS[name]: True for name in options if name in OPTIONS})
        _run_chunk(chunk, dialect, results)
    return results


def _options(text: str) -> set[str]:
    return set(re.findall(r"option:(\w+)", text))


def _run_chunk(chunk: Chunk, dialect: Dialect, results: Results) -> None:
    """Run a chunk, blanking what fails unexpectedly, until it runs through."""
    lines = chunk.text.split("\n")
    for _ in range(MAX_RETRIES):
        failure = _attempt("\n".join(lines), chunk.first, dialect, results)
        if chunk.expected is not None:
            _judge_expected(chunk, failure, results)
            return
        if failure is None:
            return
        line, message = failure
        results.record(chunk.first + line - 1, "fail", message)
        if not _blank(lines, line):
            return


def _judge_expected(chunk: Chunk, failure: tuple[int, str] | None, results: Results) -> None:
    assert chunk.expected is not None
    line, pattern = chunk.expected
    if failure is None:
        results.record(line, "fail", f"succeeded; want an error matching {pattern!r}")
    elif matches(pattern, f"Error in x: {failure[1]}") or matches(pattern, f"fail: {failure[1]}"):
        results.record(line, "pass")
    else:
        results.record(line, "worded", f"{failure[1]!r}; want {pattern!r}")


def _blank(lines: list[str], line: int) -> bool:
    """Blank the top-level statement that ``line`` belongs to; False when there is nothing left to blank."""
    start = min(line, len(lines)) - 1
    while start > 0 and (not lines[start] or lines[start][0] in " \t)]}#"):
        start -= 1
    end = start + 1
    while end < len(lines) and (not lines[end] or lines[end][0] in " \t)]}"):
        end += 1
    had = any(text.strip() for text in lines[start:end])
    lines[start:end] = [""] * (end - start)
    return had


def _attempt(text: str, first: int, dialect: Dialect, results: Results) -> tuple[int, str] | None:
    """Run a text once; (line of the top-level statement, message) of what stopped it."""
    provided = assertions(results, first)
    environment: dict[str, Any] = {
        **universe_for(dialect),
        "struct": struct,
        "hasfields": builtin("hasfields")(_Fields),
    }
    environment |= {name: value for name, value in provided.items() if name != "asserts"}
    libraries = {
        "assert.star": {**provided, "freeze": _freeze},
        "json.star": {"json": json_module},
    }

    def load(module: str, _thread: Thread, _where: Location) -> Mapping[str, Any]:
        if module not in libraries:
            raise EvalError(f"cannot load {module}")
        return libraries[module]

    try:
        file = parse(text, "suite.star", dialect)
        program = compile_file(file, dialect, environment)
        Module(program, environment).run(
            Thread(print=lambda _text, _where: None, load=load, language=Language(spec=True))
        )
    except BzlgraphError as problem:
        diagnostic = problem.diagnostic
        outermost = diagnostic.stack[-1].location if diagnostic.stack else diagnostic.location
        return (outermost.line if outermost else 1, diagnostic.message)
    return None


def files_of(paths: list[str]) -> list[Path]:
    """The suite files of files and folders."""
    found: list[Path] = []
    for path in map(Path, paths):
        found += sorted(path.rglob("*.star")) if path.is_dir() else [path]
    return found


def excluded(text: str) -> dict[str, set[int]]:
    """The cases that the table of docs/starlark_suites.md lists: file -> lines (0 for the whole file)."""
    found: dict[str, set[int]] = {}
    for name, lines in re.findall(r"(?m)^\| `([\w/.]+)` \| ([\d, -]+|all) \|", text):
        chosen = found.setdefault(name, set())
        for part in lines.split(","):
            low, _, high = part.strip().partition("-")
            chosen |= {0} if low == "all" else set(range(int(low), int(high or low) + 1))
    return found


def main(arguments: list[str] | None = None) -> int:
    """Print the table; 1 when something failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.starlark.suites", description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="+", metavar="PATH")
    parser.add_argument(
        "--reasons", metavar="FILE", help="leave out the cases this table lists (docs/starlark_suites.md)"
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="show every case that is no pass")
    options = parser.parse_args(arguments)
    total: Counter[str] = Counter()
    left_out = excluded(Path(options.reasons).read_text(encoding="utf-8")) if options.reasons else {}
    print(f"{'file':40} {'cases':>6} {'pass':>6} {'worded':>7} {'fail':>5} {'n/a':>5}")
    for path in files_of(options.paths):
        results = run_file(path)
        name = f"{path.parent.name}/{path.name}"
        out = left_out.get(name, set())
        judged = {line: outcome for line, outcome in results.outcomes.items() if not out & {0, line}}
        counts = Counter(judged.values())
        counts["n/a"] = len(results.outcomes) - len(judged)
        total += counts
        cases = sum(counts.values())
        print(f"{name:40} {cases:6} {counts['pass']:6} {counts['worded']:7} {counts['fail']:5} {counts['n/a']:5}")
        if options.verbose:
            for line, outcome in sorted(judged.items()):
                if outcome != "pass":
                    print(f"    {outcome:6} {path.name}:{line}: {results.notes.get(line, '')}")
    cases, good = sum(total.values()), total["pass"] + total["worded"]
    share = 100 * good / max(cases - total["n/a"], 1)
    columns = f"{cases:6} {total['pass']:6} {total['worded']:7} {total['fail']:5} {total['n/a']:5}"
    print(f"{'all':40} {columns}   {share:.1f} % of what applies")
    return 1 if total["fail"] else 0


if __name__ == "__main__":
    sys.exit(main())
