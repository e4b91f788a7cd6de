"""Configure scripts -> what they ask, and what each answer writes to a .bazelrc: a row per question.

A script is any ``configure.py`` (or other Python file) in the root of the workspace, or a folder below it, that names a
.bazelrc; it is read (``flags.script``), never run. ``writes_if_yes`` are the lines that yes writes and no does not,
with all other questions left at their defaults; for a question that wants a text, the lines that name the answer, as
``<VARIABLE>``. A variable that nobody asks for, but that changes what is written, is a row without a question.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache, partial
from pathlib import Path

from bzlgraph.base.codec import Codec
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.span import Location
from bzlgraph.cache.freshness import key_of
from bzlgraph.cache.store import READINGS, Store
from bzlgraph.flags.configure.scenario import Scenario, scenario
from bzlgraph.flags.rows import Configure, ConfigureRow, UnconditionalLine
from bzlgraph.flags.script.guard import ALWAYS, ENTER, GIVEN, NEVER, NO, YES, Guard, atom_text
from bzlgraph.flags.script.reader import read
from bzlgraph.flags.script.state import Transcript, Write
from bzlgraph.flags.script.values import text_of
from bzlgraph.starlark.evaluation.budget import OverBudget
from bzlgraph.starlark.evaluation.watchdog import reading
from bzlgraph.workspace.sources.source import Source, TolerantSource

_ACTION_ENV = re.compile(r"\S+ --action_env \w+(?==)")
_WORD = re.compile(r"\w+")
_VALUES = 2
_RC_FILE = re.compile(r"bazelrc|bazel\.rc$")


def configure(source: Source, cache_folder: Path | None = None) -> Configure:
    """Read the configure scripts of a workspace's files; what was read of a script is kept in ``cache_folder``."""
    store, files = Store(cache_folder, READINGS), TolerantSource(source)
    parts = [
        store.remember(key_of(f"configure {path}", [data]), Codec(Configure), partial(_read_script, path, data))
        for path, data in _scripts(files)
    ]
    return Configure(
        tuple(path for part in parts for path in part.files),
        tuple(row for part in parts for row in part.rows),
        tuple(line for part in parts for line in part.always),
        (*(gap for part in parts for gap in part.gaps), *files.gaps.values()),
    )


def _read_script(path: str, data: bytes) -> Configure:
    try:
        with reading():
            return _scenarios(path, read(data))
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverBudget) as problem:
        line = getattr(problem, "lineno", 0) or 0
        gap = Gap(GapKind.FILE.value, path, f"its questions: {_reason(problem)}", Location(path, line, 0))
        return Configure((path,), (), (), (gap,))


def _scenarios(path: str, transcript: Transcript) -> Configure:
    gaps: tuple[Gap, ...] = ()
    if transcript.incomplete:
        gaps = (Gap(GapKind.FILE.value, path, f"some of its questions: {transcript.incomplete}", Location(path, 0, 0)),)
    return Configure((path,), tuple(_rows(transcript, path)), tuple(_always(transcript, path)), gaps)


def _reason(problem: Exception) -> str:
    if isinstance(problem, OverBudget):
        return str(problem)
    return f"not Python ({problem.msg})" if isinstance(problem, SyntaxError) else "not readable as Python"


def _scripts(source: Source) -> Iterator[tuple[str, bytes]]:
    """(path, bytes) of the Python files that name a .bazelrc: in the root, and ``configure.py`` one level down."""
    files, folders = source.entries("")
    paths = [name for name in files if name.endswith(".py")]
    paths += [f"{folder}/configure.py" for folder in folders if "configure.py" in source.entries(folder)[0]]
    for path in sorted(paths, key=lambda each: (each != "configure.py", each)):
        data = source.read(path)
        if b"bazelrc" in data or b"bazel.rc" in data:
            yield path, data


def _rows(transcript: Transcript, path: str) -> list[ConfigureRow]:
    writes = [write for write in transcript.writes if _RC_FILE.search(write.file.rpartition("/")[2])]
    asked: dict[tuple[str, int], Guard] = {}
    for question in transcript.questions:
        key = (question.variable, question.line)
        asked[key] = asked.get(key, NEVER).either(question.guard)
    names = {variable for variable, _ in asked}
    rows = [_question_row(transcript, writes, path, key, guard, names) for key, guard in asked.items()]
    unasked = (
        _silent_row(writes, path, name, line, names) for name, line in transcript.reads.items() if name not in names
    )
    return rows + [row for row in unasked if row.writes_if_yes or row.writes_if_no]


def _question_row(
    transcript: Transcript, writes: Sequence[Write], path: str, key: tuple[str, int], asked: Guard, names: set[str]
) -> ConfigureRow:
    variable, line = key
    case = scenario(variable, asked)
    yes, no = _effects(writes, case, names)
    events = [each for each in transcript.questions if (each.variable, each.line) == key]
    text = next((each.text for each in events if case.allows(each.guard, GIVEN | {ENTER})), events[0].text)
    default = case.value(transcript.defaults.get(variable), frozenset({ENTER}))
    if default is None:
        default = _default_by_effect(yes, case)
    return ConfigureRow(
        variable, _question_text(text), _default_text(default), _lines(yes), _lines(no), path, line,
        _conditions(asked, variable), _written_to([*yes, *no]),
    )  # fmt: skip


def _default_by_effect(yes: Sequence[Write], case: Scenario) -> bool | None:
    """Whether just Enter writes what yes writes; None for a question that wants a text."""
    if not yes or any(f"<{case.variable}>" in write.text for write in yes):
        return None
    enter = frozenset({ENTER})
    if all(case.allows(write.guard, enter) for write in yes):
        return True
    return False if not any(case.allows(write.guard, enter) for write in yes) else None


def _silent_row(writes: Sequence[Write], path: str, name: str, line: int, names: set[str]) -> ConfigureRow:
    """A variable that is only looked up. What it writes may depend on questions: those are answered as they must be."""
    own = [write for write in writes if _names(write.text, name)] or [
        write for write in writes if f"${name}" in write.guard.common()
    ]
    case = scenario(name, own[0].guard if own else ALWAYS)
    yes, no = _effects(writes, case, names)
    conditions = _conditions(own[0].guard, name) if own else ""
    return ConfigureRow(name, "", "not set", _lines(yes), _lines(no), path, line, conditions, _written_to([*yes, *no]))


def _effects(writes: Sequence[Write], case: Scenario, names: set[str]) -> tuple[list[Write], list[Write]]:
    """(what yes writes, what no writes): each not written by the other. What names another question is its effect."""
    yes: list[Write] = []
    no: list[Write] = []
    others, allows = names - {case.variable}, cache(case.allows)  # many lines have one guard
    for write in writes:
        named = _names(write.text, case.variable)
        if not named and not others.isdisjoint(_words(write.text)):
            continue
        if_yes, if_no = allows(write.guard, YES), allows(write.guard, NO)
        if f"<{case.variable}>" in write.text and allows(write.guard, GIVEN):
            yes.append(write)
        elif if_no and not if_yes:
            no.append(write)
        elif if_yes and (named or not if_no):
            yes.append(write)
    return yes, no


def _names(text: str, variable: str) -> bool:
    return variable in _words(text)


@lru_cache(maxsize=4_096)
def _words(text: str) -> frozenset[str]:
    """The words of a line that is written: each is looked through for every variable."""
    return frozenset(_WORD.findall(text))


def _always(transcript: Transcript, path: str) -> Iterator[UnconditionalLine]:
    """Lines that depend on no variable."""
    for write in transcript.writes:
        name = write.file.rpartition("/")[2]
        if (
            _RC_FILE.search(name)
            and not write.text.startswith("<")
            and not any(symbol.startswith("$") for way in write.guard.ways for symbol in way)
        ):
            yield UnconditionalLine(write.text, path, write.line, name, _conditions(write.guard, ""))


def _lines(writes: Sequence[Write]) -> tuple[str, ...]:
    """The lines, each once. A variable that may get one of many values is one line, with a hole for the value."""
    texts = dict.fromkeys(write.text for write in writes)
    keys = Counter(_key(text) for text in texts)
    return tuple(dict.fromkeys(f'{_key(text)}="<...>"' if keys[_key(text)] > _VALUES else text for text in texts))


def _key(text: str) -> str:
    """``build --action_env NAME`` of such a line, other lines whole."""
    found = _ACTION_ENV.match(text)
    return found[0] if found else text


def _written_to(writes: Sequence[Write]) -> str:
    return ", ".join(dict.fromkeys(write.file.rpartition("/")[2] for write in writes))


def _question_text(text: str) -> str:
    return " ".join(text.split()).rstrip(": ")


def _default_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else text_of(value)


def _conditions(asked: Guard, variable: str) -> str:
    """Under which other answers, and on which machine, it is asked."""
    atoms = sorted(asked.common().items(), key=lambda item: item[0])
    return " and ".join(atom_text(symbol, among) for symbol, among in atoms if symbol != f"${variable}")
