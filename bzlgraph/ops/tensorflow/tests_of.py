"""The tests whose own source calls an op: what to run first after a change to it.

(ops with their public names) -> rows of a table, for each op the files that call it most often first.

Rules
1. Python: files that end in ``_test.py``. A call ``a.b.f(`` counts when the imports of the file lead from ``a`` to a
   definition behind one of the op's public names, to one of these names itself (``tf.nn.f``), or to its generated
   function (``gen_nn_ops.f``); not inside a string. Calls in helpers of tests are not followed, nor methods and
   operators of tensors. Where all calls of a file are of functions that make the op below an ``if``, it may call it.
2. C++: test files that make a node of the op (``NodeBuilder("n", "Op")``, ``ops::Op(``: ``cpp_calls``).
Tests that only depend on a file are told on demand (``depending``): ``query 'tests(rdeps(//..., FILE))'``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from bzlgraph.base.words import utf8
from bzlgraph.cpp.text import cpp_files, is_test_file
from bzlgraph.ops.file_targets import FileTargets
from bzlgraph.ops.python.resolve import Symbol
from bzlgraph.ops.tensorflow.cpp_calls import called_ops
from bzlgraph.ops.tensorflow.python.exports import Export
from bzlgraph.ops.tensorflow.python.sources import PythonSources
from bzlgraph.ops.tracer import Cell, OpTable, OpTrace, columns
from bzlgraph.workspace.tree import RepositoryTree

COLUMNS = columns("op targets file first_line calls call how")
CALLS, MAY_CALL, DEPENDS = "calls", "may call", "depends on it"
"""What a test has to do with an op: its source calls it, or a public function that makes it in a branch only, or its
target depends on a file of it."""
ENDING = "_test.py"
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+)?import[ \t]+([\w.]+)(?:[ \t]+as[ \t]+(\w+))?[ \t]*(?:#.*)?$", re.MULTILINE
)
_ALIAS = re.compile(r"^(\w+)[ \t]*=[ \t]*(\w+)((?:\.\w+)*)[ \t]*(?:#.*)?$", re.MULTILINE)
"""``linalg = linalg_lib``, at the top level."""
_PACKAGE = "tensorflow."
_Meant = tuple[str, bool]
"""An op, and whether a function surely makes it."""
_STRING = re.compile(r"""\"(?:\\.|[^"\\])*\"|'(?:\\.|[^'\\])*'""")


@dataclass(frozen=True, slots=True)
class _Call:
    op: str
    line: int
    text: str
    certain: bool = True


@dataclass(slots=True)
class OpTests:
    """``tree`` is the main repository's."""

    side: PythonSources
    tree: RepositoryTree
    targets: FileTargets
    _meant: dict[str, Symbol | None] = field(default_factory=dict)

    def table(self, stories: Iterable[OpTrace]) -> OpTable:
        """A row for each op and test file."""
        listed = list({story.op: story for story in stories}.values())
        rows = [*self._rows(self._python(listed)), *self._rows(self._cpp([story.op for story in listed]))]
        order = {story.op: place for place, story in enumerate(listed)}
        rows.sort(key=lambda row: (order[str(row[0])], row[6] != CALLS, -int(row[4] or 0), str(row[2])))
        return OpTable((*COLUMNS[:4], ("calls", "integer"), *COLUMNS[5:]), rows)

    def _rows(self, files: Iterable[tuple[str, list[_Call]]]) -> Iterator[tuple[Cell, ...]]:
        for path, calls in files:
            sure = {each.op for each in calls if each.certain}
            calls = [each for each in calls if each.certain or each.op not in sure]
            counts, first = Counter(each.op for each in calls), {each.op: each for each in reversed(calls)}
            built = self.targets.of(path) if calls else ()
            tests = [each for each in built if each.rule.rule_class.test] or built
            labels = " ".join(each.label for each in tests)
            for op, count in counts.items():
                yield op, labels, path, first[op].line, count, first[op].text, CALLS if op in sure else MAY_CALL

    # Python

    def _python(self, stories: Iterable[OpTrace]) -> Iterator[tuple[str, list[_Call]]]:
        """Rule 1: each file with its calls, in their order."""
        names, symbols = self._wanted(stories)
        ops = {op for op, _certain in names.values()}
        generated = {name: op for name, made in self.side.names.by_name.items() for op in made[:1] if op in ops}
        lasts = {text.rpartition(".")[2] for text in names} | {symbol.name for symbol in symbols} | set(generated)
        if not lasts:
            return
        called = re.compile(rf"(?<![\w.])((?:\w+\.)+(?:{'|'.join(sorted(map(re.escape, lasts)))}))\s*\(")
        needles = [utf8(last) for last in lasts]
        for path in _files(self.tree, ENDING):
            data = self.tree.source.read(path)
            if not any(needle in data for needle in needles):
                continue
            text = data.decode("utf-8", "replace")
            imports = _imported(text)
            calls = []
            for found in called.finditer(text):
                head, _, rest = found.group(1).partition(".")
                op = self._op(f"{imports[head]}.{rest}", names, symbols, generated) if head in imports else None
                if op and not _in_text(text, found.start()):
                    calls.append(_Call(op[0], _line(text, found.start()), found.group(1), op[1]))
            yield path, calls

    def _wanted(self, stories: Iterable[OpTrace]) -> tuple[dict[str, _Meant], dict[Symbol, _Meant]]:
        """(public name -> op, definition -> op), each with whether it surely makes it."""
        names: dict[str, _Meant] = {}
        symbols: dict[Symbol, _Meant] = {}
        for story in stories:
            names.setdefault(f"tf.raw_ops.{story.op}", (story.op, True))
            for each in story.api_names:
                found = self.side.exports.find(each.name)
                for exported in found:
                    symbols.setdefault(exported.symbol, (story.op, self._surely(exported, story.op)))
                if found:
                    names.setdefault(each.name, symbols[found[0].symbol])
        return names, symbols

    def _surely(self, exported: Export, op: str) -> bool:
        """Whether a definition makes an op whatever it is given."""
        if exported.symbol.kind == "generated":
            return True
        return any(
            use.op == op and use.certain for use in self.side.walker.uses(exported.symbol, True, exported.receiver)
        )

    def _op(
        self, dotted: str, names: Mapping[str, _Meant], symbols: Mapping[Symbol, _Meant], generated: Mapping[str, str]
    ) -> _Meant | None:
        """The op that a name from the top means, None for none."""
        if not dotted.startswith(_PACKAGE):
            return None
        name, _version = self.side.exports.split(dotted)
        if f"tf.{name}" in names:
            return names[f"tf.{name}"]
        if dotted not in self._meant:
            self._meant[dotted] = self.side.resolver.absolute(dotted)
        meant = self._meant[dotted]
        if meant is not None and meant.kind == "generated":
            return (generated[meant.name], True) if meant.name in generated else None
        return symbols.get(meant) if meant is not None else None

    # C++

    def _cpp(self, ops: list[str]) -> Iterator[tuple[str, list[_Call]]]:
        """Rule 2."""
        definitions = self.side.api_defs.by_op
        named = {op: definitions[op].cpp_names if op in definitions else (op,) for op in ops}
        classes = {name: op for op, names in named.items() for name in names}
        needles = [utf8(each) for each in {*ops, *classes}]
        for path in cpp_files(self.tree.entries) if ops else ():
            if is_test_file(path):
                data = self.tree.source.read(path)
                if any(needle in data for needle in needles):
                    yield path, [_Call(*each) for each in called_ops(data.decode("latin-1"), ops, classes)]


def depending(table: OpTable, labels: Iterable[str]) -> OpTable:
    """A table with the tests that depend on the files of its ops, after those that call them."""
    return OpTable(table.columns, [*table.rows, *(("", label, "", None, 0, "", DEPENDS) for label in labels)])


def _in_text(text: str, offset: int) -> bool:
    """Whether what begins there stands inside a string of its line."""
    before = text[text.rfind("\n", 0, offset) + 1 : offset]
    return any(quote in _STRING.sub("", before) for quote in "\"'")


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def _imported(text: str) -> dict[str, str]:
    """Name -> what it stands for, of the import lines of a file that have one name each, and of aliases of these."""
    names: dict[str, str] = {}
    for found in _IMPORT.finditer(text):
        package, name, as_name = found.groups()
        full = f"{package}.{name}" if package else name
        top = name.partition(".")[0]
        names[as_name or top] = full if as_name or package else top
    for alias, name, rest in _ALIAS.findall(text):
        if name in names:
            names.setdefault(alias, names[name] + rest)
    return names


def _files(tree: RepositoryTree, ending: str) -> Iterator[str]:
    waiting = [""]
    while waiting:
        here = waiting.pop()
        files, folders = tree.entries(here)
        lead = f"{here}/" if here else ""
        waiting += [lead + each for each in folders if not each.startswith(".")]
        yield from (lead + each for each in sorted(files) if each.endswith(ending))
