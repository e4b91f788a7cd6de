"""The Python that imports a module of C++, and that uses a name of it; of a torch library, ``ops.library.name``.

(module, name) -> lines. Rules

1. Files are searched line by line, none is parsed: ``from lib import _module``, ``from lib._module import f``,
   ``_module.f``; what is imported under another name is found by the import. Comments are no uses.
2. A module of Python that has the same name is another one: ``from utils import module`` where the tree has
   ``utils.py``, ``from .module import f`` where it has ``module.py`` there.
3. ``module.f`` is a use where the file imports the module, ``package.module.f`` where it imports the package. Of a
   name in a submodule (``module.sub.f``) all parts count; ``sub.f`` where the file takes ``sub`` out of the module.
4. ``ops.library.add`` means every overload of an operator, ``ops.library.add.out`` that one; ``classes.library.Queue``
   is a use of the class.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bzlgraph.base.span import Location
from bzlgraph.base.words import utf8
from bzlgraph.ops.binding import PythonUse
from bzlgraph.ops.bindings.pybind.module_macros import TORCH_CLASSES, TORCH_OPS
from bzlgraph.ops.python.tree import PythonTree
from bzlgraph.workspace.sources.source import Source

MAX_USES = 200
_FROM = re.compile(rb"^\s*from\s+([\w.]+)\s+import\b(.*)")
_IMPORT = re.compile(rb"^\s*import\b(.*)")
_DOTTED = re.compile(rb"[\w.]+")
_WORD = re.compile(rb"\w+")
_AS = re.compile(rb"\bas\s+\w+")
Line = tuple[int, bytes]


@dataclass(slots=True)
class PythonUses:
    """Looks into the Python files of one tree, tests left out."""

    source: Source
    folder: Path | None = None
    tree: PythonTree = field(init=False)

    def __post_init__(self) -> None:
        self.tree = PythonTree(self.source, self.folder)

    def of(self, module: str, name: str, guessed: bool = False, inside: str = "") -> tuple[PythonUse, ...]:
        """The lines that use ``module.name``; when there are none, those that import the module, unless its name is
        only a guess. ``inside``: the submodule that the name is in; who takes this comes before others."""
        last = utf8(module.rpartition(".")[2])
        head, _, overload = name.removeprefix(f"{inside}.").partition(".")
        paths = list(self.tree.containing("", (last,)))
        if module.startswith((TORCH_OPS, TORCH_CLASSES)):  # a package may have the library's name: it is none of torch
            kind = utf8(module.split(".")[1])
            own = rb"(?!\.(?!%s\b)\w)" % utf8(overload or "default") if module.startswith(TORCH_OPS) else b""
            using = re.compile(rb"\b" + kind + rb"\." + re.escape(last) + rb"\." + re.escape(utf8(head)) + rb"\b" + own)
            lines = ((path, line) for path in paths for line in self._lines(path) if using.search(line[1]))
            return _uses(lines)[:MAX_USES] if head else ()
        imports = {path: list(self._imports(path, last)) for path in paths}
        asked = (last, utf8(head), utf8(inside))
        found = [(path, each) for path in paths if head for each in self._using(path, *asked, imports[path])]
        taken = [(path, *each) for path in paths for each in imports[path] if last in each[0][1] and not guessed]
        near = [(path, line) for path, line, names in taken if utf8(inside) in names]
        return _uses(found or near or [(path, line) for path, line, _names in taken])[:MAX_USES]

    def of_variable(self, variable: str, name: str) -> tuple[PythonUse, ...]:
        """The lines that use a name of what a variable or an attribute stands for, also by ``getattr``."""
        last = re.escape(utf8(name))
        using = re.compile(rb"\b%b(?:\.%b\b|,\s*[\"']%b[\"'])" % (re.escape(utf8(variable)), last, last))
        lines = ((path, line) for path in self.tree.containing("", (utf8(name),)) for line in self._lines(path))
        return _uses((path, line) for path, line in lines if using.search(line[1]))[:MAX_USES]

    def _lines(self, path: str) -> Iterator[Line]:
        for number, line in enumerate(self.tree.bytes_of(path).split(b"\n"), 1):
            if not line.lstrip().startswith(b"#"):
                yield number, line

    def _imports(self, path: str, last: bytes) -> Iterator[tuple[Line, set[bytes]]]:
        """The lines that import a module of that name, and what each takes out of it; between brackets, too."""
        package = b""
        """That of ``from package import (``, until its bracket is closed."""
        for line in self._lines(path):
            text = _AS.sub(b"", line[1].partition(b"#")[0])
            if package:
                begun, taken = package, text
            elif found := _FROM.match(text):
                begun, taken = found.groups()
            elif found := _IMPORT.match(text):
                dotted = (each.group().rpartition(b".") for each in _DOTTED.finditer(found.group(1)))
                if any(name == last and not self._is_python(path, above, last) for above, _dot, name in dotted):
                    yield line, set()
                continue
            else:
                continue
            package = begun if (package or b"(" in taken) and b")" not in taken else b""
            names = set(_WORD.findall(taken))
            above, _dot, name = begun.rpartition(b".")
            if last in names and not self._is_python(path, begun, last):
                yield line, set()
            elif name == last and not self._is_python(path, above or (b"." if _dot else b""), last):
                yield line, names

    def _is_python(self, path: str, package: bytes, last: bytes) -> bool:
        """Rule 2: whether Python's own sources have a module, or a value of one, of that name there."""
        here = path.split("/")[:-1]
        dots = len(package) - len(package.lstrip(b"."))
        parts = [each.decode("utf-8", "replace") for each in package.split(b".") if each]
        above = [here[: len(here) - dots + 1]] if dots else [[], here]
        name = last.decode("utf-8", "replace")
        for folder in above:
            inside = self.tree.path_of((*folder, *parts)) if parts else None
            if self.tree.path_of((*folder, *parts, name)) or (inside and not inside.endswith("/__init__.py")):
                return True
        return False

    def _using(
        self, path: str, last: bytes, head: bytes, inside: bytes, imports: list[tuple[Line, set[bytes]]]
    ) -> Iterator[Line]:
        """Rule 3."""
        of_module, sub, name = re.escape(last), re.escape(inside), re.escape(head)
        using = re.compile(rb"([\w.]*)(?<!\w)%b\.%b\b" % (of_module, rb"%b\.%b" % (sub, name) if inside else name))
        taking = {line[0] for line, names in imports if head in names and not inside}
        takes_sub = bool(inside) and any(inside in names for _line, names in imports)
        below = re.compile(rb"(?<![\w.])%b\.%b\b" % (sub, name))
        out_of_sub = re.compile(rb"\s*from\s[\w.]*\b%b\.%b\s+import\b.*\b%b\b" % (of_module, sub, name))
        for number, line in self._lines(path):
            found = using.search(line)
            package = found.group(1).rstrip(b".") if found is not None else b""
            named = found is not None and (self._has_package(path, package, last) if package else bool(imports))
            from_sub = bool(inside) and bool((takes_sub and below.search(line)) or out_of_sub.match(_AS.sub(b"", line)))
            if named or number in taking or from_sub:
                yield number, line

    def _has_package(self, path: str, package: bytes, last: bytes) -> bool:
        first = re.escape(package.partition(b".")[0])
        imported = re.search(rb"^\s*(?:import|from)\b.*\b" + first + rb"\b", self.tree.bytes_of(path), re.MULTILINE)
        return imported is not None and not self._is_python(path, package, last)


def _uses(lines: Iterable[tuple[str, Line]]) -> tuple[PythonUse, ...]:
    return tuple(
        PythonUse(Location(path, number, 0), line.decode("utf-8", "replace").strip()) for path, (number, line) in lines
    )
