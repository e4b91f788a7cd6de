"""What a function or a class of Python uses by dotted names, itself and through what it calls in the tree.

(``FILE.py:function`` or ``package.module.function``, Python files) -> ``Written``, for the names of modules that C++
makes among them. Rules

1. Calls are followed by name, through imports and into other files; methods of a class from elsewhere are not, as
   nothing is known of what they call. A class that is made or handed on stands for all its methods, those that it has
   from its bases in the tree too.
2. A method that a class of the tree has from outside of it (``F.apply`` of a function of torch) runs the class's own.
3. A name of a module that a call makes stands for the module that this names in its first text:
   ``import_module("mine._C")``, ``load(name="_C")``, ``load_ext("_C", ["f"])``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from bzlgraph.base.span import Location
from bzlgraph.ops.model import PythonStep
from bzlgraph.ops.python.resolve import Resolver, Symbol, shown
from bzlgraph.ops.python.summary import Event
from bzlgraph.python_source.syntax import definitions, literal_texts, parse_any

Place = tuple[str, str]
"""A file, and a function of it, a method (``Class.method``) or a value."""


class Written(NamedTuple):
    """A definition, and the dotted names that it uses, from the top, in the order of their uses."""

    step: PythonStep
    names: tuple[str, ...]


def written(resolver: Resolver, word: str) -> Written | None:
    """What a word says; None for one that names no definition of the tree."""
    path, colon, name = word.rpartition(":")
    if colon and not (path.endswith(".py") and resolver.tree.source.is_file(path)):
        return None
    symbol = resolver.resolve(path, name) if colon else resolver.absolute(word)
    begun = _places(resolver, symbol)
    if symbol is None or not begun:
        return None
    module = resolver.tree.module(symbol.path)
    defined = module.classes.get(symbol.name) or resolver.function(symbol)
    step = PythonStep(shown(symbol), Location(symbol.path, defined.line if defined is not None else 0, 0))
    return Written(step, tuple(dict.fromkeys(_names(resolver, begun))))


def _places(resolver: Resolver, symbol: Symbol | None) -> list[Place]:
    """What runs: a function or a value itself, of a class all its methods (rule 1)."""
    if symbol is None or symbol.kind == "module":
        return []
    if symbol.kind == "class":
        return list(dict.fromkeys(_methods(resolver, symbol, set())))
    module = resolver.tree.module(symbol.path)
    return [(symbol.path, symbol.name)] if symbol.name in module.functions or symbol.name in module.values else []


def _methods(resolver: Resolver, owner: Symbol, seen: set[Symbol]) -> Iterator[Place]:
    """The methods of a class, those that it has from bases behind its own."""
    seen.add(owner)
    module = resolver.tree.module(owner.path)
    yield from ((owner.path, each) for each in module.functions if each.startswith(f"{owner.name}."))
    for base in module.classes[owner.name].bases:
        found = resolver.resolve(owner.path, base)
        if found is not None and found.kind == "class" and found not in seen:
            yield from _methods(resolver, found, seen)


def _names(resolver: Resolver, begun: list[Place]) -> Iterator[str]:
    seen, waiting = set(begun), list(begun)
    while waiting:
        path, name = waiting.pop(0)
        module = resolver.tree.module(path)
        function = module.functions.get(name) or module.values[name]
        for event in function.events:
            found = _meant(resolver, path, name.rpartition(".")[0], event)
            waiting += [each for each in found if each not in seen]
            seen.update(found)
            if not found and event.kind in ("call", "name"):
                head, dot, rest = event.text.partition(".")
                yield f"{module.imports.get(head, head)}{dot}{rest}"
                if dot and (made := _made_by_a_call(resolver, resolver.resolve(path, head))):
                    yield f"{made}.{rest}"


def _made_by_a_call(resolver: Resolver, symbol: Symbol | None) -> str:
    """Rule 3: the name of the module, "" where there is none."""
    if symbol is None or symbol.kind != "value":
        return ""
    statements = definitions(parse_any(resolver.tree.bytes_of(symbol.path)).body)
    values = (getattr(each, "value", None) for name, each in statements if name == symbol.name)
    for value in values:
        if isinstance(value, ast.Call):
            given = (*value.args, *(each.value for each in value.keywords))
            return next((text for each in given for text in literal_texts(each)), "")
    return ""


def _meant(resolver: Resolver, path: str, owner: str, event: Event) -> list[Place]:
    """What an event of a method of ``owner`` ("" for a function) runs in the tree."""
    match event.kind:
        case "own" | "attribute":
            return _places(resolver, resolver.method(path, owner, event.text))
        case "super":
            return _places(resolver, resolver.inherited(path, owner, event.text))
        case "method":
            made, _, method = event.text.partition("|")
            return _method(resolver, resolver.resolve(path, made), method)
        case "call" | "name":
            found = _places(resolver, resolver.resolve(path, event.text))
            made, dot, method = event.text.rpartition(".")
            return found or (_method(resolver, resolver.resolve(path, made), method) if dot else [])
    return []


def _method(resolver: Resolver, owner: Symbol | None, method: str) -> list[Place]:
    """Rule 2."""
    if owner is None or owner.kind != "class":
        return []
    return _places(resolver, resolver.method(owner.path, owner.name, method)) or _places(resolver, owner)
