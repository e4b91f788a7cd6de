"""Functions of C that Python calls through ctypes: ``lib = ctypes.CDLL(path)``, ``lib.run(x)``.

Python files -> the variables that stand for libraries, and the names used of them; names, C++ files -> definitions.
Rules

1. ``CDLL``, ``LoadLibrary``, numpy's ``load_library`` and their like give a library. A variable or an attribute that is
   assigned it stands for it, and so does one that is assigned what a function gives which has such a call in it
   (``lib = load()``; what only loads one and gives nothing, as a constructor does, is no such function), in whatever
   file of the tree it is used. A text without a folder (``CDLL("libcudart.so")``) names a library of the system, none
   of the tree.
2. ``lib.run`` is a function of the tree where its C++ defines one of that name that is no member of a class; of several
   definitions (for several devices) each is one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial

from bzlgraph.base.span import Location
from bzlgraph.base.words import utf8
from bzlgraph.cpp.include_tree import IncludeTree
from bzlgraph.ops.binding import Binding
from bzlgraph.ops.bindings.defined import defined_in
from bzlgraph.python_source.syntax import AnyFunction, is_none, last_name, literal_texts, parse_any, walk
from bzlgraph.starlark.evaluation.budget import OverBudget
from bzlgraph.starlark.evaluation.watchdog import reading

LOADERS = ("CDLL", "PyDLL", "WinDLL", "OleDLL", "LoadLibrary", "load_library")
HOW = "ctypes"


def libraries(
    texts: Mapping[str, bytes], containing: Callable[[tuple[bytes, ...]], Iterable[str]], read: Callable[[str], bytes]
) -> dict[str, Location]:
    """The variables that stand for libraries (rule 1), and where each is assigned first. ``texts`` are the files that
    load some, ``containing`` gives the files of the tree with one of several texts.

    >>> loads = b"def load():\\n  return ctypes.CDLL(path)\\nclass A:\\n  def f(self): self._lib = CDLL(path)\\n"
    >>> files = {"a.py": loads, "b.py": b"own = load()\\n"}
    >>> {name: place.short for name, place in libraries({"a.py": loads}, lambda _: ["b.py"], files.get).items()}
    {'_lib': 'a.py:4', 'own': 'b.py:1'}
    """
    found: dict[str, Location] = {}
    makers: set[str] = set()
    for path, text in texts.items():
        nodes = _nodes(text)
        found |= {name: place for name, place in _assigned(path, nodes, LOADERS) if name not in found}
        makers |= {each.name for each in nodes if isinstance(each, AnyFunction) and _gives_one(list(walk(each)))}
    for path in sorted(containing(tuple(utf8(f"{name}(") for name in sorted(makers)))) if makers else ():
        for name, place in _assigned(path, _nodes(read(path)), tuple(makers)):
            found.setdefault(name, place)
    return found


def _nodes(text: bytes) -> list[ast.AST]:
    with suppress(SyntaxError, ValueError, RecursionError, MemoryError, OverBudget), reading():
        return list(walk(parse_any(text)))
    return []


def _gives_one(inside: Sequence[ast.AST]) -> bool:
    """Whether a function loads a library and gives something: ``__init__`` gives nothing."""
    gives = any(isinstance(each, ast.Return) and not (each.value is None or is_none(each.value)) for each in inside)
    return gives and any(_calls(each, LOADERS) for each in inside)


def _calls(node: ast.AST, functions: Sequence[str]) -> bool:
    """Whether a node calls one of some functions, but for a library of the system."""
    if not isinstance(node, ast.Call) or last_name(node.func) not in functions:
        return False
    return all("/" in text for each in node.args[:1] for text in literal_texts(each))


def _assigned(path: str, nodes: Iterable[ast.AST], functions: Sequence[str]) -> Iterator[tuple[str, Location]]:
    """What is assigned a call of one of ``functions``."""
    for node in nodes:
        if isinstance(node, ast.Assign) and _calls(node.value, functions):
            for target in node.targets:
                if name := last_name(target):
                    yield name, Location(path, node.lineno, 0)


def names_used(variables: Iterable[str], texts: Iterable[bytes]) -> dict[str, list[str]]:
    """What Python uses of each of some variables: attributes, also by ``getattr`` with a text.

    >>> names_used(["lib"], [b"lib.run(1)\\nself.lib.stop.argtypes = []\\ngetattr(lib, 'more')\\nlibrary.no()"])
    {'lib': ['run', 'stop', 'more']}
    """
    either = b"|".join(sorted(map(re.escape, map(utf8, variables))))
    attribute = re.compile(rb"\b(%b)\.([A-Za-z]\w*)" % either)
    by_text = re.compile(rb"\bgetattr\(\s*[\w.]*\b(%b),\s*[\"'](\w+)[\"']" % either)
    found: dict[str, dict[str, None]] = {}
    for text in texts:
        for variable, name in (*attribute.findall(text), *by_text.findall(text)):
            found.setdefault(variable.decode(), {})[name.decode()] = None
    return {variable: list(names) for variable, names in found.items()}


def bound(used: Mapping[str, Sequence[str]], loaded: Mapping[str, Location], tree: IncludeTree) -> list[Binding]:
    """Rule 2."""
    names = {name for listed in used.values() for name in listed}
    calling = re.compile(rb"\b(?:%b)\s*\(" % b"|".join(sorted(map(utf8, names))))
    places: dict[str, list[tuple[Location, str]]] = {}
    for path in sorted(tree.paths) if names else ():
        if calling.search(tree.read(path)):
            for name, place, condition in _defined(tree, path, names):
                places.setdefault(name, []).append((place, condition))
    return [
        Binding(variable, name, "function", loaded[variable], HOW, name, place, condition=condition, home=place.path)
        for variable, listed in sorted(used.items())
        for name in listed
        for place, condition in places.get(name, ())
    ]


def _defined(tree: IncludeTree, path: str, names: Collection[str]) -> Iterator[tuple[str, Location, str]]:
    """The functions of a file, each with its place and condition."""
    file = tree.read_file(path)
    made = tree.within(path, partial(defined_in, file)) if file is not None else None
    for name, definitions in made.functions.items() if made is not None else ():
        if name in names:
            places = ((Location(path, each.line, 0), each.condition) for each in definitions if not each.member)
            yield from ((name, *place) for place in places)
