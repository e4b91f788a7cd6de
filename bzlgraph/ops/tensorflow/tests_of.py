"""The tests whose own source calls an op: what to run first after a change to it.

(ops with their public names) -> rows of a table, for each op the files that call it most often first.

Rules
1. Python: files that end in ``_test.py``. A call ``a.b.f(`` counts when the imports of the file lead from ``a`` to a
   definition behind one of the op's public names, to one of these names itself (``tf.nn.f``), to its generated
   function (``gen_nn_ops.f``), or to one of the same name that calls this; not inside a string or a comment. Calls in
   helpers of tests are not followed, nor methods and operators of tensors. Where all calls of a file are of functions
   that make the op below an ``if``, it may call it; where it only names them, ``compare(tf.nn.f, g)``, it passes it on.
2. C++: test files that make a node of the op (``NodeBuilder("n", "Op")``, ``ops::Op(``: ``cpp_calls``).
Tests that only depend on a file are told on demand (``depending``): ``query 'tests(rdeps(//..., FILE))'``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

from bzlgraph.base.words import utf8
from bzlgraph.cpp.text import cpp_files, is_test_file
from bzlgraph.ops.file_targets import FileTargets
from bzlgraph.ops.python.resolve import Symbol
from bzlgraph.ops.tensorflow.cpp_calls import called_ops
from bzlgraph.ops.tensorflow.python.exports import Export
from bzlgraph.ops.tensorflow.python.sources import PythonSources
from bzlgraph.ops.tracer import Cell, OpTable, OpTrace, columns
from bzlgraph.python_source.import_lines import imported
from bzlgraph.python_source.import_names import files_ending
from bzlgraph.workspace.tree import RepositoryTree

COLUMNS = columns("op targets file first_line calls call how")
CALLS, MAY_CALL, PASSES_ON, DEPENDS = "calls", "may call", "passes it on", "depends on it"
"""What a test has to do with an op: its source calls it, or a public function that makes it in a branch only, or names
such a function, or its target depends on a file of it."""
ORDER = (CALLS, MAY_CALL, PASSES_ON)
ENDING = "_test.py"
MAX_SOUGHT = 100
"""So many names are looked for in a file before its calls are read; with more of them that saves no time."""
_PACKAGE = "tensorflow."
_NAMED = re.compile(r"(?<![\w.])(\w+)\.((?:\w+\.)*(\w+))(\s*\()?")
"""A dotted name: its head, the rest of it, its last part, and the bracket of a call."""
_Meant = dict[str, str]
"""The ops that a function makes, and whether it surely does (CALLS, MAY_CALL)."""
_LONG_STRING = re.compile(r"(\"{3}|'{3}).*?\1", re.DOTALL)
_STRING = re.compile(r"""\"(?:\\.|[^"\\])*\"|'(?:\\.|[^'\\])*'""")


@dataclass(frozen=True, slots=True)
class _Call:
    op: str
    line: int
    text: str
    how: str = CALLS


@dataclass(slots=True)
class OpTests:
    """``tree`` is the main repository's, ``read`` gives the bytes of a file of it."""

    side: PythonSources
    tree: RepositoryTree
    read: Callable[[str], bytes]
    targets: FileTargets
    _meant: dict[str, Symbol | None] = field(default_factory=dict)
    _classes: set[str] = field(default_factory=set)
    """The last names of public classes: who names one passes nothing on."""

    def table(self, stories: Iterable[OpTrace]) -> OpTable:
        """A row for each op and test file."""
        listed = list({story.op: story for story in stories}.values())
        rows = [
            *self._rows(self._python(*self._wanted(listed))),
            *self._rows(self._cpp([story.op for story in listed])),
        ]
        order = {story.op: place for place, story in enumerate(listed)}
        rows.sort(key=lambda row: (order[str(row[0])], ORDER.index(str(row[6])), -int(row[4] or 0), str(row[2])))
        return OpTable((*COLUMNS[:4], ("calls", "integer"), *COLUMNS[5:]), rows)

    def _rows(self, files: Iterable[tuple[str, list[_Call]]]) -> Iterator[tuple[Cell, ...]]:
        for path, calls in files:
            ranked = sorted(calls, key=lambda each: ORDER.index(each.how), reverse=True)
            how = {each.op: each.how for each in ranked}
            calls = [each for each in calls if each.how == how[each.op]]
            counts, first = Counter(each.op for each in calls), {each.op: each for each in reversed(calls)}
            built = self.targets.of(path) if calls else ()
            tests = [each for each in built if each.rule.rule_class.test] or built
            labels = " ".join(each.label for each in tests)
            for op, count in counts.items():
                yield op, labels, path, first[op].line, count, first[op].text, how[op]

    def columns(
        self, stories: Iterable[OpTrace], definitions: Mapping[Symbol, Iterable[str]]
    ) -> dict[str, tuple[Cell, ...]]:
        """What the table of all ops has of each that tests call: how many files do, and ``FILE:LINE`` of the first call
        in the one that calls it most. ``definitions``: what is exported, with the ops that it makes; that it makes some
        in a branch only is not told apart here: to know would be to follow all of them."""
        names: dict[str, _Meant] = {}
        ops = []
        for story in stories:
            ops.append(story.op)
            for each in (f"tf.raw_ops.{story.op}", *(each.name for each in story.api_names)):
                names.setdefault(each, {})[story.op] = CALLS
        symbols = {symbol: dict.fromkeys(made, CALLS) for symbol, made in definitions.items()}
        found: dict[str, list[tuple[int, str]]] = {}
        for path, calls in chain(self._python(names, symbols), self._cpp(ops)):
            calls = [each for each in calls if each.how != PASSES_ON]
            first = {each.op: each.line for each in reversed(calls)}
            for op, count in Counter(each.op for each in calls).items():
                found.setdefault(op, []).append((-count, f"{path}:{first[op]}"))
        return {op: (len(files), min(files)[1]) for op, files in found.items()}

    # Python

    def _python(
        self, names: Mapping[str, _Meant], symbols: Mapping[Symbol, _Meant]
    ) -> Iterator[tuple[str, list[_Call]]]:
        """Rule 1: each file with its calls, in their order."""
        ops = {op for made in names.values() for op in made}
        generated = {
            name: {op: CALLS} for name, made in self.side.names.by_name.items() for op in made[:1] if op in ops
        }
        lasts = {text.rpartition(".")[2] for text in names} | {symbol.name for symbol in symbols} | set(generated)
        needles = [utf8(last) for last in lasts] if len(lasts) <= MAX_SOUGHT else [b""]
        for path in files_ending(self.tree.entries, ENDING) if lasts else ():
            data = self.read(path)
            if not any(needle in data for needle in needles):
                continue
            source = data.decode("utf-8", "replace")
            imports, text = imported(source), _LONG_STRING.sub(lambda each: "\n" * each[0].count("\n"), source)
            calls = []
            for found in _NAMED.finditer(text):
                head, rest, last, called = found.groups()
                if last in lasts and head in imports and (called or last not in self._classes):
                    made = self._meaning(f"{imports[head]}.{rest}", names, symbols, generated)
                    if made and not _in_text(text, found.start()):
                        line = _line(text, found.start())
                        named = f"{head}.{rest}"
                        calls += [_Call(op, line, named, how if called else PASSES_ON) for op, how in made.items()]
            yield path, calls

    def _wanted(self, stories: Iterable[OpTrace]) -> tuple[dict[str, _Meant], dict[Symbol, _Meant]]:
        """(public name -> its ops, definition -> its ops)."""
        names: dict[str, _Meant] = {}
        symbols: dict[Symbol, _Meant] = {}
        for story in stories:
            names.setdefault(f"tf.raw_ops.{story.op}", {})[story.op] = CALLS
            for each in story.api_names:
                found = self.side.exports.find(each.name)
                self._classes.update(one.symbol.name for one in found if one.symbol.kind == "class")
                for exported in found:
                    made = symbols.setdefault(exported.symbol, {})
                    if story.op not in made:
                        made[story.op] = CALLS if self._surely(exported, story.op) else MAY_CALL
                if found:
                    names.setdefault(each.name, symbols[found[0].symbol])
        return names, symbols

    def _surely(self, exported: Export, op: str) -> bool:
        """Whether a definition makes an op whatever it is given."""
        if exported.symbol.kind == "generated":
            return True
        return op in self.side.walker.surely(exported.symbol, exported.receiver)

    def _meaning(
        self,
        dotted: str,
        names: Mapping[str, _Meant],
        symbols: Mapping[Symbol, _Meant],
        generated: Mapping[str, _Meant],
    ) -> _Meant:
        """The ops that a name from the top means."""
        if not dotted.startswith(_PACKAGE):
            return {}
        name, _version = self.side.exports.split(dotted)
        if f"tf.{name}" in names:
            return names[f"tf.{name}"]
        if dotted not in self._meant:
            self._meant[dotted] = self.side.resolver.absolute(dotted)
        meant = self._meant[dotted]
        if meant is not None and meant.kind == "generated":
            return generated.get(meant.name, {})
        if meant is not None and meant not in symbols and meant.name in generated:
            return self._of_the_same_name(meant, generated[meant.name])
        return symbols.get(meant, {}) if meant is not None else {}

    def _of_the_same_name(self, symbol: Symbol, made: _Meant) -> _Meant:
        """What a function makes that is called as a generated one, if it calls that."""
        function = self.side.resolver.function(symbol)
        for each in function.events if function is not None else ():
            if each.kind in ("call", "name") and each.text.rpartition(".")[2] == symbol.name:
                found = self.side.resolver.resolve(symbol.path, each.text)
                if found is not None and found.kind == "generated":
                    return dict.fromkeys(made, CALLS if each.certain else MAY_CALL)
        return {}

    # C++

    def _cpp(self, ops: list[str]) -> Iterator[tuple[str, list[_Call]]]:
        """Rule 2."""
        definitions = self.side.api_defs.by_op
        named = {op: definitions[op].cpp_names if op in definitions else (op,) for op in ops}
        classes = {name: op for op, names in named.items() for name in names}
        named_so = {*ops, *classes}
        needles = [utf8(each) for each in named_so] if len(named_so) <= MAX_SOUGHT else [b""]
        for path in cpp_files(self.tree.entries) if ops else ():
            if is_test_file(path):
                data = self.read(path)
                if any(needle in data for needle in needles):
                    yield path, [_Call(*each) for each in called_ops(data.decode("latin-1"), ops, classes)]


def depending(table: OpTable, labels: Iterable[str]) -> OpTable:
    """A table with the tests that depend on the files of its ops, after those that call them."""
    return OpTable(table.columns, [*table.rows, *(("", label, "", None, 0, "", DEPENDS) for label in labels)])


def _in_text(text: str, offset: int) -> bool:
    """Whether what begins there stands inside a string of its line, or in a comment."""
    before = text[text.rfind("\n", 0, offset) + 1 : offset]
    return any(mark in _STRING.sub("", before) for mark in "\"'#")


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1
