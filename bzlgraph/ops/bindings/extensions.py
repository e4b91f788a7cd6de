"""The names that ``setup.py`` gives to extensions: ``CUDAExtension(name="amp_C", sources=["csrc/front.cpp", ...])``.

files named setup.py, and those of the tree that they import -> the module of each source file that one extension alone
is made of. Rules:

1. Sources that are written as texts are the extension's.
2. Sources that are computed (a list from ``glob``) may be any files below the folder of ``setup.py``. Where it makes
   one extension of torch (``TORCH``) of computed sources, all files below that no other extension has are that one's;
   of two neither is known. The nearest ``setup.py`` that makes any decides.
3. A variable that the file only ever sets to one text stands for that; a name that is computed (in an f-string) is not
   known.
"""

from __future__ import annotations

import ast
import posixpath
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple, TypeGuard

from bzlgraph.python_source.syntax import last_name, parse_any, walk
from bzlgraph.starlark.evaluation.budget import OverBudget
from bzlgraph.starlark.evaluation.watchdog import reading

SETUP = "setup.py"
_MAKERS = "Extension"
"""How the names of the classes end: ``Extension`` of setuptools, ``CppExtension``, ``Pybind11Extension``."""
TORCH = frozenset({"CppExtension", "CUDAExtension", "SyclExtension"})
"""Those of ``torch.utils.cpp_extension``, which name a module by a macro of the compiler's command line."""


class _Extension(NamedTuple):
    """``computed`` when other sources than the listed may belong to it, and it is one of torch."""

    name: str
    listed: tuple[str, ...]
    computed: bool


def extension_names(texts: Mapping[str, bytes], paths: Collection[str]) -> dict[str, str]:
    """``texts`` are files named setup.py and what they import, ``paths`` the C++ files of the tree. A package before a
    name is left out.

    >>> text = b"ext = [CUDAExtension('mine._C', [os.path.join('csrc', 'a.cpp'), 'csrc/b.cpp']), Other('x', ['c.cpp'])]"
    >>> extension_names({"sub/setup.py": text}, {"sub/csrc/a.cpp", "csrc/b.cpp", "sub/c.cpp"})
    {'sub/csrc/a.cpp': '_C'}
    >>> text = b"kind = CUDAExtension if cuda else CppExtension\\nsetup(ext_modules=[kind('mine._C', glob('*.cpp'))])"
    >>> extension_names({"setup.py": text}, {"csrc/a.cpp"})
    {'csrc/a.cpp': '_C'}
    >>> text = b"one = 'mine._C'\\nmany = 'x'\\nmany = f()\\nExtension(one, ['a.cpp'])\\nExtension(many, ['b.cpp'])"
    >>> extension_names({"setup.py": text}, {"a.cpp", "b.cpp"})
    {'a.cpp': '_C'}
    """
    found: dict[str, set[str]] = defaultdict(set)
    computed: dict[str, set[str]] = {}
    trees = {path: _parsed(text) for path, text in texts.items()}
    for path in (each for each in texts if posixpath.basename(each) == SETUP):
        folder = posixpath.dirname(path)
        for file in (path, *_imports(trees[path], folder, texts)):
            for made in _extensions(trees[file]):
                computed.setdefault(folder, set()).update([made.name] if made.computed else [])
                for each in made.listed:
                    found[posixpath.normpath(posixpath.join(folder, each))].add(made.name)
    for path in paths:
        if path not in found:
            found[path] = next((computed[each] for each in _folders(path) if each in computed), set())
    return {path: next(iter(names)) for path, names in sorted(found.items()) if len(names) == 1 and path in paths}


def imported(texts: Mapping[str, bytes], paths: Collection[str]) -> list[str]:
    """The files of the tree (``paths``) that files named setup.py import."""
    found = (_imports(_parsed(text), posixpath.dirname(path), paths) for path, text in texts.items())
    return sorted({each for listed in found for each in listed})


def _folders(path: str) -> Iterator[str]:
    """The folders around a file, the nearest first."""
    while path:
        path = posixpath.dirname(path)
        yield path


def _parsed(text: bytes) -> list[ast.AST]:
    """All nodes of a file."""
    try:
        with reading():
            return [each for statement in parse_any(text).body for each in walk(statement)]
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverBudget):
        return []


def _imports(nodes: Collection[ast.AST], folder: str, paths: Collection[str]) -> list[str]:
    """The files below a folder that what stands in it imports from."""
    named = (each.module for each in nodes if isinstance(each, ast.ImportFrom) and each.module)
    files = (posixpath.join(folder, f"{name.replace('.', '/')}.py") for name in named)
    return [each for each in dict.fromkeys(files) if each in paths]


def _extensions(nodes: Collection[ast.AST]) -> Iterator[_Extension]:
    """Each extension that a file makes."""
    torch, texts = {*TORCH, *_aliases(nodes)}, _only_texts(nodes)
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        called = last_name(node.func)
        if not (called in torch or called.endswith(_MAKERS)):
            continue
        given = dict(zip(("name", "sources"), node.args, strict=False))
        given |= {each.arg: each.value for each in node.keywords if each.arg}
        name = _text_of(given.get("name"), texts)
        if name and "sources" in given:
            computed = called in torch and _is_computed(given["sources"])
            yield _Extension(name.rpartition(".")[2], tuple(_texts(given["sources"])), computed)


def _only_texts(nodes: Collection[ast.AST]) -> dict[str, str]:
    """Variables that are set to one text, and to nothing else."""
    found: dict[str, set[str]] = defaultdict(set)
    for node in nodes:
        for each in node.targets if isinstance(node, ast.Assign) else ():
            if isinstance(each, ast.Name) and isinstance(node, ast.Assign):
                found[each.id].add(_text_of(node.value, {}))
    return {name: next(iter(texts)) for name, texts in found.items() if len(texts) == 1}


def _text_of(node: ast.expr | None, texts: Mapping[str, str]) -> str:
    """A text, or that of a variable; "" for anything else."""
    if isinstance(node, ast.Name):
        return texts.get(node.id, "")
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _aliases(nodes: Collection[ast.AST]) -> Iterator[str]:
    """Variables that are a class of torch, or one of several."""
    for node in nodes:
        value = node.value if isinstance(node, ast.Assign) else None
        either = (value.body, value.orelse) if isinstance(value, ast.IfExp) else (value,)
        if isinstance(node, ast.Assign) and all(isinstance(e, ast.Name) and e.id in TORCH for e in either):
            yield from (each.id for each in node.targets if isinstance(each, ast.Name))


def _is_computed(sources: ast.expr) -> bool:
    """Whether sources are more than a list of texts, and of paths that are joined of texts."""
    listed = sources.elts if isinstance(sources, ast.List | ast.Tuple) else [sources]
    return not all(isinstance(each, ast.Constant) or (_is_join(each) and [*_texts(each)]) for each in listed)


def _is_join(node: ast.expr) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and last_name(node.func) == "join"


def _texts(node: ast.expr) -> Iterator[str]:
    """The texts of a list; ``os.path.join`` of texts (and of folders that are not known) is one."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif _is_join(node):
        yield posixpath.join("", *(text for each in node.args for text in _texts(each)))
    else:
        for each in ast.iter_child_nodes(node):
            if isinstance(each, ast.expr):
                yield from _texts(each)
