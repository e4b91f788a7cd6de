"""Where passes over TensorFlow's graphs name an op: grappler, oneDNN's rewriting, TFLite's converter; TFLite's kernels.

ops -> rows of a table, for each op and pass the files that name it most often first.

Rules
1. A pass is where its files are (``PASSES``): folders, or folders with the beginning of a file's name.
2. A name is the op's as a literal, or the way that the pass writes it: ``TF_Conv2DOp``; of grappler ``IsConv2D(``,
   if its ``op_types.h`` has that function of a node (``IsEmpty(`` of a view of the graph is another).
3. Tests and comments do not count. A pass that handles an op under another name (by an interface or a
   pattern over all ops) is not found: no row does not mean that no pass touches the op.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

from bzlgraph.base.words import utf8
from bzlgraph.cpp.text import is_test_file
from bzlgraph.cpp.tokens import without_comments
from bzlgraph.ops.file_targets import FileTargets
from bzlgraph.ops.tensorflow.lite_kernels import LiteKernels
from bzlgraph.ops.tracer import Cell, OpTable, OpTrace, columns
from bzlgraph.workspace.tree import RepositoryTree

LITE_KERNEL = "TFLite kernel"
OP_TYPES = "tensorflow/core/grappler/op_types.h"
_DECLARED = re.compile(r"\bIs(\w+)\(const NodeDef&")
IS = r"\bIs{}\("
_OP = r"([\w>]+?)"
MAX_SOUGHT = 20
"""Of so many ops each is looked for in a file before its names are read; of more that saves no time."""
COLUMNS = columns("op pass targets file first_line count mention")


class Pass(NamedTuple):
    """What looks at ops by name: how the paths of its files begin and end, and how it writes a name."""

    name: str
    begins: tuple[str, ...]
    ends: tuple[str, ...]
    forms: tuple[str, ...]


PASSES = (
    Pass("grappler", ("tensorflow/core/grappler/",), (".cc", ".h"), ('"{}"', IS)),
    Pass(
        "oneDNN",
        ("tensorflow/core/common_runtime/mkl_", "tensorflow/core/graph/mkl_"),
        (".cc", ".h"),
        ('"{}"',),
    ),
    Pass(
        "TFLite converter",
        ("tensorflow/compiler/mlir/lite/", "tensorflow/lite/toco/", "tensorflow/contrib/lite/toco/"),
        (".cc", ".td"),
        ('"{}"', r'"tf\.{}"', r"\bTF_{}Op\b", r"\bTF::{}Op\b"),
    ),
)
ORDER = (*(each.name for each in PASSES), LITE_KERNEL)


class OpMentions:
    """``tree`` is the main repository's, ``read`` gives the bytes of a file of it."""

    def __init__(self, tree: RepositoryTree, read: Callable[[str], bytes], targets: FileTargets) -> None:
        self._tree = tree
        self._read = read
        self._targets = targets

    def table(self, stories: Iterable[OpTrace]) -> OpTable:
        """A row for each op, pass and file, and for each of TFLite's kernels."""
        order = {op: place for place, op in enumerate(dict.fromkeys(story.op for story in stories))}
        rows = sorted(self._listed(order), key=lambda row: order[str(row[0])])
        built = ((*row[:2], " ".join(self._targets.labels(str(row[3]))), *row[3:]) for row in rows)
        return OpTable((*COLUMNS[:5], ("count", "integer"), COLUMNS[6]), list(built))

    def columns(self, ops: Collection[str]) -> dict[str, tuple[str, ...]]:
        """What the table of all ops has of each that is mentioned: ``FILE:LINE`` for each pass, in their order."""
        found: dict[str, dict[str, list[str]]] = {}
        for row in self._listed(ops):
            found.setdefault(str(row[0]), {}).setdefault(str(row[1]), []).append(f"{row[3]}:{row[4]}")
        return {op: tuple(" ".join(places.get(name, ())) for name in ORDER) for op, places in found.items()}

    def _listed(self, ops: Collection[str]) -> list[tuple[Cell, ...]]:
        """The rows, without targets, in the order of passes; those of a pass by the number of times."""
        rows = [row for each in PASSES for row in self._rows(each, ops)] if ops else []
        rows += self._lite_kernels(ops)
        return sorted(rows, key=lambda row: (ORDER.index(str(row[1])), -int(row[5] or 0), str(row[3])))

    def _rows(self, found_in: Pass, ops: Collection[str]) -> Iterator[tuple[Cell, ...]]:
        needles = [utf8(op) for op in ops] if len(ops) <= MAX_SOUGHT else [b""]
        asked_of_nodes = self._asked_of_nodes() if IS in found_in.forms else None
        named = re.compile("|".join(form.format(_OP) for form in found_in.forms))
        for path in self._files(found_in):
            data = self._read(path)
            if not any(needle in data for needle in needles):
                continue
            found: dict[str, list[tuple[int, str]]] = {}
            for line, mention, name in _named(data.decode("latin-1"), named, ops):
                op = name if name in ops else f"{name}Op"  # TF_VarHandleOp is VarHandleOp
                is_asked = not mention.startswith("Is") or asked_of_nodes is None or name in asked_of_nodes
                if op in ops and is_asked:
                    found.setdefault(op, []).append((line, mention))
            for op, places in found.items():
                yield op, found_in.name, "", path, places[0][0], len(places), places[0][1]

    def _asked_of_nodes(self) -> set[str] | None:
        """The ops for which grappler declares a function, None where nothing says so."""
        is_there = self._tree.source.is_file(OP_TYPES)
        return set(_DECLARED.findall(self._read(OP_TYPES).decode("latin-1"))) if is_there else None

    def _lite_kernels(self, ops: Iterable[str]) -> Iterator[tuple[Cell, ...]]:
        kernels = LiteKernels(self._tree.files_below, self._read)
        for op in ops:
            for path, line, function in kernels.of(op):
                yield op, LITE_KERNEL, "", path, line, 1, function

    def _files(self, found_in: Pass) -> Iterator[str]:
        """Rule 1, in order."""
        found = (path for begin in found_in.begins for path in self._tree.files_below(begin, found_in.ends))
        return (path for path in found if not is_test_file(path))


def _named(text: str, named: re.Pattern[str], ops: Collection[str]) -> list[tuple[int, str, str]]:
    """(line, what stands there, the name in it) of each name that is in no comment; nothing where none is of an op:
    to take the comments out of all files takes longer than all else."""
    names = (each[each.lastindex or 0] for each in named.finditer(text))
    if not any(name in ops or f"{name}Op" in ops for name in names):
        return []
    code = without_comments(text)
    found, line, last = [], 1, 0
    for each in named.finditer(code):
        line, last = line + code.count("\n", last, each.start()), each.start()
        found.append((line, each[0], each[each.lastindex or 0]))
    return found
