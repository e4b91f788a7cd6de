"""All C++ files of a tree read for registrations: which files, in which order, with what remembered between them.

(paths, read) -> ``Scan``; ``read`` of each of ``registering_files`` fills its registrations and gaps.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TypeVar

from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.span import Location
from bzlgraph.base.words import utf8
from bzlgraph.cpp.include_tree import IncludeTree
from bzlgraph.cpp.invocations import FileReader, Vocabulary, macro_words, vocabulary
from bzlgraph.cpp.literals import string_value
from bzlgraph.cpp.source_file import SourceFile
from bzlgraph.cpp.text import is_test_file
from bzlgraph.ops.tensorflow.cpp import type_macros
from bzlgraph.ops.tensorflow.cpp.registrations import FORMS, KNOWN, Registration, Use
from bzlgraph.ops.tensorflow.cpp.shim import OP_NAME, op_name
from bzlgraph.starlark.evaluation.budget import OverBudget
from bzlgraph.starlark.evaluation.watchdog import reading

T = TypeVar("T")
_HOLDS_MACROS = re.compile(rb"#[ \t]*define[ \t]+\w+(?:\(|[ \t]+\S|[ \t]*\\)")
"""A macro that has parameters or a body: five files of six define nothing but their own guard."""
_CONSTANT = re.compile(r'\b(\w++)\s*+(?:\[\w*+\]\s*+)?[={(]\s*+((?>(?:"(?>(?:[^"\\\n]|\\.)*)"\s*+)+))')
_LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"')
MAX_SOUGHT = 500
"""Texts that are looked for in each file before its names are read; with more of them that saves no time."""


@dataclass(slots=True)
class Scan:
    """What a tree registers."""

    tree: IncludeTree
    words: Vocabulary
    registrations: list[Registration] = field(default_factory=list)
    readers: dict[str, FileReader] = field(default_factory=dict)
    """The files that register something, with the classes that their macros make."""
    gaps: list[Gap] = field(default_factory=list)
    contents: dict[str, bytes] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    """The files that may register something."""
    _own_texts: dict[tuple[str, str], str | None] = field(default_factory=dict)
    _constants: dict[str, dict[str, str]] = field(default_factory=dict)
    _texts: dict[str, dict[str, str | None]] = field(default_factory=dict)
    _only_text: dict[str, str | None] = field(default_factory=dict)

    def read(self, path: str) -> None:
        """Read the registrations of one file; what takes too long is a gap."""
        self.guarded(path, lambda: self._read(path))

    def guarded(self, path: str, work: Callable[[], T]) -> T | None:
        """The result of work on a file; None, and a gap, where it does more than any file needs."""
        try:
            with reading():
                return work()
        except OverBudget as problem:
            what = f"what it registers is not known: {problem}"
            self.gaps.append(Gap(GapKind.FILE.value, path, what, Location(path, 0, 0)))
            return None

    def _read(self, path: str) -> None:
        file = self.tree.file(path)
        if file is None:
            return
        reader = FileReader(self.tree, self.words, KNOWN, file)
        before = len(self.registrations)
        for found in reader.found():
            use = Use(found, file, lambda name: self.text_of_constant(name, file))
            self.registrations.extend(FORMS[found.name](use))
        for offset, why in reader.too_much:
            where = Location(path, file.line(offset), 0)
            self.gaps.append(Gap(GapKind.FILE.value, path, f"what a macro registers here is not known: {why}", where))
        if len(self.registrations) > before or reader.made:
            self.readers[path] = reader

    def unreadable(self) -> list[Gap]:
        """The files that could not be read."""
        return [
            Gap(GapKind.FILE.value, path, f"what it registers is not known: {why}", Location(path, 0, 0))
            for path, why in sorted(self.tree.broken.items())
        ]

    def text_of_constant(self, name: str, file: SourceFile) -> str | None:
        """The text of a constant (``kName = "..."``) of the file, or of a header that it includes; of a class
        (``Class::OpName``) the name of its op."""
        key = (file.path, name)
        if name.endswith(OP_NAME):
            if key not in self._own_texts:
                self._own_texts[key] = op_name(name.removesuffix(OP_NAME), self._near(file))
            return self._own_texts[key]
        if key not in self._own_texts:
            self._own_texts[key] = self._text_in(name, file) if name.isidentifier() else None
        own = self._own_texts[key]
        if own is not None or not name.isidentifier():
            return own
        near = next(self._texts_in(name, sorted(self.tree.closure(file.path))), None)
        if near is not None:
            return near
        # A header may only declare it: then the one text that any source gives it is meant.
        if name not in self._only_text:
            texts = set(self._texts_in(name, self.contents))
            self._only_text[name] = texts.pop() if len(texts) == 1 else None
        return self._only_text[name]

    def _near(self, file: SourceFile) -> Iterator[str]:
        """The text of a file, and of those that it includes."""
        yield file.text.text
        for path in sorted(self.tree.closure(file.path)):
            if (other := self.tree.file(path)) is not None:
                yield other.text.text

    def _texts_in(self, name: str, paths: Iterable[str]) -> Iterator[str]:
        """The texts of a constant in some files of the tree, in their order. Each file is searched once for a name."""
        needle, known = utf8(name), self._texts.setdefault(name, {})
        for path in paths:
            if path not in known:
                data = self.contents.get(path, b"")
                file = self.tree.file(path) if needle in data and _set_to_text(name).search(data) else None
                known[path] = self._text_in(name, file) if file is not None else None
            text = known[path]
            if text is not None:
                yield text

    def _text_in(self, name: str, file: SourceFile) -> str | None:
        """The literals that a constant of a file is made with."""
        if _set_to_text(name).search(self.contents.get(file.path, b"")) is None:
            return None
        if file.path not in self._constants:
            made = self._constants[file.path] = {}
            for found in _CONSTANT.finditer(file.text.text):
                made.setdefault(found.group(1), found.group(2))
        literals = self._constants[file.path].get(name)
        return "".join(map(string_value, _LITERAL.findall(literals))) if literals is not None else None


@cache
def _set_to_text(name: str) -> re.Pattern[bytes]:
    """What stands wherever a constant of this name is given a text, and hardly anywhere else."""
    return re.compile(rb"\b%s[\s\\]*(?:\[[\w\s\\]*\][\s\\]*)?[={(][\s\\]*\"" % re.escape(utf8(name)))


def scan_tree(paths: Iterable[str], read: Callable[[str], bytes]) -> Scan:
    """Read every file of a tree, its headers' macros among them; nothing is registered yet."""
    kept = frozenset(path for path in paths if not is_test_file(path))
    contents: dict[str, bytes] = {}
    brought = {} if type_macros.HEADER in kept else {type_macros.HEADER: type_macros.header()}
    tree = IncludeTree(
        kept.union(brought),
        lambda path: contents[path] if path in contents else brought.get(path) or read(path),
        guard=reading,
    )
    for path in sorted(kept):
        try:
            data = contents[path] = read(path)
        except OSError:
            tree.file(path)
            continue
        if _HOLDS_MACROS.search(data):
            tree.remember(path)
    for path in brought:
        tree.remember(path)
    scan = Scan(tree, vocabulary(FORMS, tree.of_all_macros(macro_words)), contents=contents)
    scan.files = _registering(scan)
    if brought:
        found = (type_macros.doubt(path, contents[path]) for path in scan.files)
        scan.gaps.extend(gap for gap in found if gap is not None)
    return scan


def _registering(scan: Scan) -> tuple[str, ...]:
    """The files that may register something: those that name something of the vocabulary."""
    names, words = _search_words(scan.words), scan.words
    many = len(names) > MAX_SOUGHT
    concerning = frozenset(utf8(name) for name in words.wanted | words.leading | words.relays)
    return tuple(
        path
        for path, data in sorted(scan.contents.items())
        if (many or any(name in data for name in names))
        and not concerning.isdisjoint(data.translate(_ONLY_NAMES).split())
    )


def _search_words(words: Vocabulary) -> list[bytes]:
    """A few texts of which every file that registers something holds one."""
    names = sorted(words.wanted | words.leading)
    kept = ["REGISTER"]
    for name in sorted(names, key=len):
        if len(kept) <= MAX_SOUGHT and not any(each in name for each in kept):
            kept.append(name)
    return [utf8(name) for name in kept]


_ONLY_NAMES = bytes(each if chr(each).isalnum() or each == ord("_") or each > 127 else ord(" ") for each in range(256))
"""For ``bytes.translate``: names and numbers stay, the rest becomes space, for ``split`` to find them."""
