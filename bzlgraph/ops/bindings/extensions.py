"""The names that ``setup.py`` gives to extensions: ``CUDAExtension(name="amp_C", sources=["csrc/front.cpp", ...])``.

files named setup.py -> the module of each source file that one extension alone is made of. What is computed (a list
from ``glob``, a name in an f-string) is not known.
"""

from __future__ import annotations

import ast
import posixpath
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

from bzlgraph.python_source.syntax import last_name, parse_any, walk
from bzlgraph.starlark.evaluation.budget import OverBudget
from bzlgraph.starlark.evaluation.watchdog import reading

SETUP = "setup.py"
_MAKERS = "Extension"
"""How the names of the classes end: ``Extension`` of setuptools, ``CppExtension``, ``Pybind11Extension``."""


def extension_names(texts: Mapping[str, bytes], paths: Collection[str]) -> dict[str, str]:
    """``texts`` are files named setup.py, ``paths`` the C++ files of the tree. A package before a name is left out.

    >>> text = b"ext = [CUDAExtension('mine._C', [os.path.join('csrc', 'a.cpp'), 'csrc/b.cpp']), Other('x', ['c.cpp'])]"
    >>> extension_names({"sub/setup.py": text}, {"sub/csrc/a.cpp", "csrc/b.cpp", "sub/c.cpp"})
    {'sub/csrc/a.cpp': '_C'}
    """
    found: dict[str, set[str]] = defaultdict(set)
    for path, text in texts.items():
        folder = path.rpartition("/")[0]
        for name, listed in _extensions(text):
            for each in listed:
                source = posixpath.normpath(posixpath.join(folder, each))
                if source in paths:
                    found[source].add(name.rpartition(".")[2])
    return {path: names.pop() for path, names in sorted(found.items()) if len(names) == 1}


def _extensions(text: bytes) -> Iterator[tuple[str, list[str]]]:
    """The name and the sources of each extension that a file makes."""
    try:
        with reading():
            tree = parse_any(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverBudget):
        return
    for node in (each for statement in tree.body for each in walk(statement)):
        if isinstance(node, ast.Call) and last_name(node.func).endswith(_MAKERS):
            given = dict(zip(("name", "sources"), node.args, strict=False))
            given |= {each.arg: each.value for each in node.keywords if each.arg}
            name = given.get("name")
            if isinstance(name, ast.Constant) and isinstance(name.value, str) and "sources" in given:
                yield name.value, list(_texts(given["sources"]))


def _texts(node: ast.expr) -> Iterator[str]:
    """The texts of a list; ``os.path.join`` of texts (and of folders that are not known) is one."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.Call) and last_name(node.func) == "join":
        yield posixpath.join("", *(text for each in node.args for text in _texts(each)))
    else:
        for each in ast.iter_child_nodes(node):
            if isinstance(each, ast.expr):
                yield from _texts(each)
