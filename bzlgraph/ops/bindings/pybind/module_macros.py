"""The macros that begin a module: those of pybind11, nanobind and torch, and other names that a tree gives to them.

``PYBIND11_MODULE(name, m) {`` and its kin are read as functions whose parameter is a module. A tree may hide them
behind a macro of a header of its own (``#define MY_MODULE NB_MODULE``, so that one may take the place of the other):
files that name it, or include that header, are read as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

from bzlgraph.cpp.include_tree import IncludeTree
from bzlgraph.cpp.macro import Macro
from bzlgraph.cpp.own_macros import macros_writing


class ModuleMacro(NamedTuple):
    """Which arguments of a macro are the module's name, its variable and a dispatch key (-1: none)."""

    name: int
    variable: int
    key: int = -1
    prefix: str = ""
    """What Python puts before the name."""


TORCH_OPS = "torch.ops."
TORCH_CLASSES = "torch.classes."
MODULES: Mapping[str, ModuleMacro] = {
    "PYBIND11_MODULE": ModuleMacro(0, 1),
    "PYBIND11_EMBEDDED_MODULE": ModuleMacro(0, 1),
    "NB_MODULE": ModuleMacro(0, 1),
    "TORCH_LIBRARY": ModuleMacro(0, 1, prefix=TORCH_OPS),
    "TORCH_LIBRARY_FRAGMENT": ModuleMacro(0, 1, prefix=TORCH_OPS),
    "TORCH_LIBRARY_IMPL": ModuleMacro(0, 2, 1, TORCH_OPS),
    "STABLE_TORCH_LIBRARY": ModuleMacro(0, 1, prefix=TORCH_OPS),
    "STABLE_TORCH_LIBRARY_FRAGMENT": ModuleMacro(0, 1, prefix=TORCH_OPS),
    "STABLE_TORCH_LIBRARY_IMPL": ModuleMacro(0, 2, 1, TORCH_OPS),
}
_MARKS = (
    b"PYBIND11_", b"NB_MODULE", b"pybind11", b"nanobind", b"TORCH_LIBRARY", b"RegisterOperators",
    b"class_<", b"classh<", b"::module&", b"::module &", b"::module_", b"torch::Library",
)  # fmt: skip
"""The last six: of functions that are given a module, whose file may get all else from a header."""
_HEADERS = (".h", ".hh", ".hpp", ".inc")
_NAMES = "|".join(MODULES).encode()
_OTHER_NAME = re.compile(
    rb"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\(([\w ,]*)\))?[ \t\\\n]+(%b)\b(?:[ \t]*\(([\w ,]*)\))?[ \t]*$" % _NAMES,
    re.MULTILINE,
)


class ModuleMacros(NamedTuple):
    """``macros``: by name. ``marks``: what a file that binds something has in its bytes, one of these."""

    macros: Mapping[str, ModuleMacro]
    marks: tuple[bytes, ...]

    def may_bind(self, data: bytes) -> bool:
        """Whether a file is worth reading."""
        return any(mark in data for mark in self.marks)


def module_macros(paths: Iterable[str], read: Callable[[str], bytes]) -> ModuleMacros:
    """Those of a tree; ``read`` gives the bytes of a file, b"" of one that cannot be read.

    >>> tree = {"a/mine.h": b"#define MINE NB_MODULE\\n#define TWO(m, n) PYBIND11_MODULE(n, m)\\n"}
    >>> found = module_macros(tree, tree.__getitem__)
    >>> found.macros["MINE"], found.macros["TWO"], found.may_bind(b'#include "a/mine.h"')
    (ModuleMacro(name=0, variable=1, key=-1, prefix=''), ModuleMacro(name=1, variable=0, key=-1, prefix=''), True)
    """
    macros, marks = dict(MODULES), dict.fromkeys(_MARKS)
    for path in (each for each in paths if each.endswith(_HEADERS)):
        for name, parameters, of, arguments in _OTHER_NAME.findall(read(path)):
            macro = _renamed(MODULES[of.decode()], _words(parameters), _words(arguments))
            if macro is not None:
                macros.setdefault(name.decode(), macro)
                marks.update(dict.fromkeys((name, path.rpartition("/")[2].encode() + b'"')))
    return ModuleMacros(macros, tuple(marks))


_WRITES = re.compile(rb"\.def\w*\s*\(|\bclass[_h]\s*<|\benum_\s*<|\.value\s*\(")
_DEFINES = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+\w+\(", re.MULTILINE)


def writing_macros(paths: Iterable[str], tree: IncludeTree, words: Collection[str]) -> dict[str, dict[str, Macro]]:
    """The macros of headers whose bodies hold one of ``words``: by name, then by header."""
    found: dict[str, dict[str, Macro]] = {}
    for path in (each for each in paths if each.endswith(_HEADERS)):
        data = tree.read(path)
        file = tree.read_file(path) if _WRITES.search(data) and _DEFINES.search(data) else None
        for name, macro in (macros_writing(file, words) if file is not None else {}).items():
            found.setdefault(name, {})[path] = macro
    return found


def _renamed(macro: ModuleMacro, parameters: list[bytes], arguments: list[bytes]) -> ModuleMacro | None:
    """The macro with the order of arguments of another that stands for it; None if one of its is no parameter there."""
    if not arguments:
        return macro if not parameters else None
    if max(macro[:3]) >= len(arguments):
        return None
    places = {word: place for place, word in enumerate(parameters)}
    name, variable, key = (places.get(arguments[each], -2) if each >= 0 else -1 for each in macro[:3])
    return ModuleMacro(name, variable, key, macro.prefix) if -2 not in (name, variable, key) else None


def _words(text: bytes) -> list[bytes]:
    return [each.strip() for each in text.split(b",")] if text.strip() else []
