"""All C++ files of a tree read for registrations: which files, in which order, with what remembered between them.

(paths, read) -> ``Scan``: registrations, and the gaps of files that could not be read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.span import Location
from bzlgraph.cpp import string_value
from bzlgraph.cpp.include_tree import IncludeTree
from bzlgraph.cpp.invocations import FileReader, Vocabulary, vocabulary
from bzlgraph.cpp.source_file import SourceFile
from bzlgraph.cpp.walk import is_test_file
from bzlgraph.ops.tensorflow.registrations import FORMS, KNOWN, Registration, Use, read_use

_HOLDS_MACROS = b"define"


@dataclass(slots=True)
class Scan:
    """What a tree registers."""

    tree: IncludeTree
    words: Vocabulary
    registrations: list[Registration] = field(default_factory=list)
    readers: dict[str, FileReader] = field(default_factory=dict)
    """The files that register something, with the classes that their macros make."""
    gaps: list[Gap] = field(default_factory=list)
    _texts: dict[tuple[str, str], str | None] = field(default_factory=dict)

    def read(self, path: str) -> None:
        """Read the registrations of one file."""
        file = self.tree.file(path)
        if file is None:
            return
        reader = FileReader(self.tree, self.words, KNOWN, file)
        before = len(self.registrations)
        for found in reader.found():
            use = Use(found, file, lambda name: self.text_of_constant(name, file))
            self.registrations.extend(read_use(use))
        for offset, why in reader.too_much:
            where = Location(path, file.line(offset), 0)
            self.gaps.append(Gap(GapKind.FILE.value, path, f"what a macro registers here is not known: {why}", where))
        if len(self.registrations) > before or reader.made:
            self.readers[path] = reader

    def text_of_constant(self, name: str, file: SourceFile) -> str | None:
        """The text of a constant (``kName = "..."``) of the file, or of a header that it includes."""
        key = (name, file.path)
        if key not in self._texts:
            self._texts[key] = self._find_text(name, file)
        return self._texts[key]

    def _find_text(self, name: str, file: SourceFile) -> str | None:
        if not name.isidentifier():
            return None
        pattern = re.compile(rf'\b{name}\s*(?:\[\w*\]\s*)?(?:=|\{{|\()\s*((?:"(?:[^"\\\n]|\\.)*"\s*)+)')
        for path in (file.path, *sorted(self.tree.closure(file.path))):
            each = self.tree.file(path)
            found = pattern.search(each.text.text) if each is not None and name in each.text.text else None
            if found is not None:
                return "".join(string_value(part) for part in re.findall(r'"(?:[^"\\\n]|\\.)*"', found.group(1)))
        return None


def scan(paths: Collection[str], read: Callable[[str], bytes], *, tests: bool = False) -> Scan:
    """Read every file of a tree that registers something."""
    kept = frozenset(path for path in paths if tests or not is_test_file(path))
    contents: dict[str, bytes] = {}
    tree = IncludeTree(kept, lambda path: contents[path] if path in contents else read(path))
    for path in sorted(kept):
        try:
            data = contents[path] = read(path)
        except OSError:
            tree.file(path)
            continue
        if _HOLDS_MACROS in data:
            tree.remember(path)
    result = Scan(tree, vocabulary(FORMS, tree.all_macros()))
    names = _search_words(result.words)
    for path in sorted(contents):
        data = contents[path]
        if any(name in data for name in names) and _may_register(data, result.words):
            result.read(path)
    result.gaps += [
        Gap(GapKind.FILE.value, path, f"what it registers is not known: {why}", Location(path, 0, 0))
        for path, why in sorted(tree.broken.items())
    ]
    return result


def _search_words(words: Vocabulary) -> list[bytes]:
    """A few texts of which every file that registers something holds one."""
    names = sorted(words.wanted | words.leading)
    kept = [b"REGISTER"]
    kept += [name.encode() for name in names if "REGISTER" not in name]
    return kept


_NAMES = re.compile(rb"\b[A-Za-z_]\w*")


def _may_register(data: bytes, words: Vocabulary) -> bool:
    """Whether a file names something of the vocabulary outside of its directives."""
    return any(words.concerns(name.decode()) for name in set(_NAMES.findall(data)))
