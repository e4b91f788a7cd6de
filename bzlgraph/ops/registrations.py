"""``op --registrations MACRO``: every use of a registering macro in a tree, whatever the framework.

(C++ files, macro) -> a row for each use: what it registers, where, through which macros, under which condition, and the
target that builds the file. Factories (``REGISTER_SOLVER("cg", CgSolver)``) are read as their text stands; a macro that
leads to the one asked for is expanded, and its use is the place.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import LoadProblem, UsageProblem
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.spell import nearest_names
from bzlgraph.base.words import utf8
from bzlgraph.cpp import joined_string, split_arguments
from bzlgraph.cpp.condition import condition_text
from bzlgraph.cpp.expand import Piece
from bzlgraph.cpp.include_tree import IncludeTree
from bzlgraph.cpp.invocations import FileReader, Invocation, macro_words, vocabulary
from bzlgraph.cpp.source_file import SourceFile
from bzlgraph.cpp.text import cpp_files, is_test_file
from bzlgraph.loading.loader import Loader
from bzlgraph.ops.file_targets import FileTargets
from bzlgraph.ops.tracer import Cell, OpTable, columns
from bzlgraph.starlark.evaluation.watchdog import reading

COLUMNS = columns("name arguments file line through condition target")
_NAME = re.compile(r"[A-Za-z_]\w*")
_LIKE_A_MACRO = re.compile(rb"^(?:[ \t]*#[ \t]*define[ \t]+)?([A-Z]\w+)\(", re.MULTILINE)
"""What is defined as a macro, or called where a statement may stand."""
_HOLDS_MACROS = re.compile(rb"#[ \t]*define[ \t]+\w+(?:\(|[ \t]+\S|[ \t]*\\)")


@dataclass(slots=True)
class Registrations:
    """The uses of macros in the main repository of a workspace."""

    loader: Loader
    gaps: list[Gap] = field(default_factory=list)

    def table(self, macro: str) -> OpTable:
        """A row for each use. Raises UsageProblem for what is no name of a macro, LoadProblem for one that no C++ file
        has."""
        if not _NAME.fullmatch(macro):
            raise UsageProblem(f"--registrations={macro}: expected the name of a macro, such as REGISTER_OP")
        main = self.loader.workspace.repository("").tree
        paths = sorted(path for path in cpp_files(main.entries) if not is_test_file(path))
        tree = IncludeTree(frozenset(paths), main.source.read, guard=reading, anywhere=True)
        contents = {path: data for path in paths if (data := tree.within(path, partial(main.source.read, path)))}
        _check_known(macro, contents.values())
        targets = FileTargets(self.loader)
        rows = [row for file, found in self._uses(macro, tree, contents) for row in _rows(file, found, targets)]
        self.gaps += targets.gaps
        return OpTable(COLUMNS, rows)

    def _uses(
        self, macro: str, tree: IncludeTree, contents: Mapping[str, bytes]
    ) -> Iterator[tuple[SourceFile, list[Invocation]]]:
        for path, data in contents.items():
            if _HOLDS_MACROS.search(data):
                tree.remember(path)
        words = vocabulary([macro], tree.of_all_macros(macro_words))
        sought = [utf8(name) for name in words.wanted | words.leading]
        for path, data in contents.items():
            file = tree.file(path) if any(name in data for name in sought) else None
            if file is not None:
                reader = FileReader(tree, words, {}, file)
                found = tree.within(path, lambda reader=reader: list(reader.found()))  # type: ignore[misc]
                yield file, found or []
        self.gaps += [
            Gap(GapKind.FILE.value, path, f"cannot be read as C++: {why}") for path, why in tree.broken.items()
        ]


def _check_known(macro: str, contents: Collection[bytes]) -> None:
    """Raises LoadProblem, with the nearest names, for a macro whose name stands in no file."""
    name = re.compile(rb"\b%s\b" % utf8(macro))
    if any(name.search(data) for data in contents):
        return
    names = dict.fromkeys(each.decode() for data in contents for each in _LIKE_A_MACRO.findall(data))
    near = nearest_names(macro, names)
    hint = f"did you mean {', '.join(near)}?" if near else None
    raise LoadProblem(Diagnostic(f"no C++ file in this checkout has a macro {macro}", hint=hint))


def _rows(file: SourceFile, uses: list[Invocation], targets: FileTargets) -> Iterator[tuple[Cell, ...]]:
    for each in uses:
        given = split_arguments(each.arguments)
        texts = [_text(part) for part in given]
        through = " > ".join(macro.name for macro in each.through)
        target = " ".join(targets.labels(file.path))
        line, condition = file.line(each.start), condition_text(each.condition)
        yield (texts[0] if texts else "", ", ".join(texts[1:]), file.path, line, through, condition, target)


def _text(part: list[Piece]) -> str:
    """A literal's text, else the argument as it stands."""
    text = joined_string(part)
    return text if text is not None else "".join(piece.text for piece in part)
