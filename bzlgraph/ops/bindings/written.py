"""``FILE.py:function``: what a function of Python uses by dotted names, itself and through functions of its own file.

(word, Python files) -> ``Written``, for the names of modules that C++ makes among them. Methods of values are not
followed: nothing is known of their classes. A method that a class has from elsewhere (``F.apply`` of a function of
torch) runs the class's own.
"""

from __future__ import annotations

from typing import NamedTuple

from bzlgraph.base.span import Location
from bzlgraph.ops.model import PythonStep
from bzlgraph.ops.python.summary import Module
from bzlgraph.ops.python.tree import PythonTree


class Written(NamedTuple):
    """A definition, and the dotted names that it uses, from the top, in the order of their uses."""

    step: PythonStep
    names: tuple[str, ...]


def written(tree: PythonTree, word: str) -> Written | None:
    """What a word says; None for one that names no definition of a file."""
    path, colon, name = word.rpartition(":")
    if not colon or not path.endswith(".py") or not tree.source.is_file(path):
        return None
    module = tree.module(path)
    begun = _definitions(module, name)
    if not begun:
        return None
    line = module.classes[name].line if name in module.classes else module.functions[begun[0]].line
    shown = f"{path.rpartition('/')[2].removesuffix('.py')}.{name}"
    return Written(PythonStep(shown, Location(path, line, 0)), tuple(dict.fromkeys(_names(module, begun))))


def _definitions(module: Module, name: str) -> list[str]:
    """The functions that a name of a module means: itself, or the methods of a class."""
    return [
        each for each in module.functions if each == name or (name in module.classes and each.startswith(f"{name}."))
    ]


def _inherited(module: Module, name: str) -> list[str]:
    """The methods of a class that a method of it, which the file does not define, may call."""
    owner, dot, _method = name.rpartition(".")
    return _definitions(module, owner) if dot and owner in module.classes else []


def _names(module: Module, begun: list[str]) -> list[str]:
    found: list[str] = []
    seen, waiting = set(begun), list(begun)
    while waiting:
        function = waiting.pop(0)
        owner = function.rpartition(".")[0]
        for event in module.functions[function].events:
            own = _definitions(module, f"{owner}.{event.text}" if event.kind in ("own", "attribute") else event.text)
            own = own or _inherited(module, event.text)
            waiting += [each for each in own if each not in seen]
            seen.update(own)
            if not own and event.kind in ("call", "name"):
                head, dot, rest = event.text.partition(".")
                found.append(f"{module.imports.get(head, head)}{dot}{rest}")
    return found
