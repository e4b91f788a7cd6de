"""Modules that a package takes from elsewhere when somebody asks for them: ``setattr(package, "keras", Loader(...))``.

A loader that is not told which module to load (``KerasLazyLoader(globals(), submodule="losses")``) loads one that the
same file names in full: the text ``"keras._tf_keras.keras"``, or a module below it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from bzlgraph.python_source.syntax import definitions, dotted, flattened, last_name, literal_texts, walk

LOADER = "LazyLoader"


class LazyModule(NamedTuple):
    """``name`` stands for the first of ``modules`` that there is, as line ``line`` says."""

    name: str
    modules: tuple[str, ...]
    line: int


def lazy_modules(tree: ast.Module) -> Iterator[LazyModule]:
    """The lazily loaded modules of one file that names none of them where it makes its loader."""
    assigned = {name: made.value for name, made in definitions(tree.body) if isinstance(made, ast.Assign)}
    given = [(name, call, line) for name, value, line in _given(tree) if (call := _loader(value, assigned)) is not None]
    texts = [text for node in walk(tree) if isinstance(node, ast.Constant) for text in literal_texts(node)]
    named = dict.fromkeys(text for text in texts if "." in text and all(map(str.isidentifier, text.split("."))))
    for whole, _, _ in (each for each in given if not _submodule(each[1])):
        modules = tuple(text for text in named if text.endswith(f".{whole}"))
        for name, call, line in given if modules else ():
            below = _submodule(call)
            if below or name == whole:
                yield LazyModule(name, tuple(f"{each}.{below}" if below else each for each in modules), line)


def _given(tree: ast.Module) -> Iterator[tuple[str, ast.expr, int]]:
    """``setattr(package, "name", value)`` and ``package.name = value``: names, values, lines."""
    for node in flattened(tree.body):
        call = node.value if isinstance(node, ast.Expr) else None
        if isinstance(call, ast.Call) and dotted(call.func) == "setattr" and len(call.args) == 3:
            yield from ((name, call.args[2], node.lineno) for name in literal_texts(call.args[1]))
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
            target = node.targets[0]
            if isinstance(target.value, ast.Name):
                yield target.attr, node.value, node.lineno


def _loader(value: ast.expr, assigned: Mapping[str, ast.expr]) -> ast.Call | None:
    """The call that makes a loader, by way of a variable too."""
    made = assigned.get(value.id) if isinstance(value, ast.Name) else value
    return made if isinstance(made, ast.Call) and last_name(made.func).endswith(LOADER) else None


def _submodule(call: ast.Call) -> str:
    """The module below the loader's package that it loads, "" for the package itself."""
    return next((text for each in call.keywords if each.arg == "submodule" for text in literal_texts(each.value)), "")
