"""The modules of PyTorch's Python: what a file defines and imports, and what kind of thing a name in it is.

statements of a file -> ``Module``; a name in it -> the node of its definition.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from bzlgraph.ops.pytorch.python.tensor_values import dotted_parts, runs
from bzlgraph.python_source.syntax import AnyFunction, definitions, flattened, imported_names, walk


@dataclass(slots=True)
class Module:
    """One Python file: what its top level defines (name -> node) and imports (name -> dotted target)."""

    name: str
    path: str
    definitions: dict[str, ast.stmt] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)


Place = tuple[Module, str]
"""A name in a module."""


def own_imports(function: AnyFunction, module: Module) -> dict[str, str]:
    """What a function imports itself: local name -> dotted target."""
    folders = module.path.split("/")[:-1]
    statements = [each for each in walk(function) if isinstance(each, ast.Import | ast.ImportFrom)]
    return {name: full for each in statements for name, full in imported_names(each, folders) if name != "*"}


def module_of(name: str, path: str, body: list[ast.stmt]) -> Module:
    """The module that the statements of a file make."""
    module = Module(name, path)
    module.definitions.update(definitions(body))
    for statement in flattened(body):
        for local, full in imported_names(statement, path.split("/")[:-1]):
            module.stars.append(full) if local == "*" else module.imports.__setitem__(local, full)
    for name, node in module.definitions.items():  # `aten = torch.ops.aten`
        parts = dotted_parts(node.value, set()) if isinstance(node, ast.Assign) else ()
        if len(parts) > 1 and parts[0] in module.imports:
            module.imports.setdefault(name, ".".join([module.imports[parts[0]], *parts[1:]]))
    module.stars[:] = dict.fromkeys(module.stars)
    return module


def is_code(place: Place | None) -> bool:
    """Whether a name may stand for what can be called: a table of words cannot."""
    node = definition_of(*place) if place is not None else None
    words = isinstance(node, ast.Assign) and not any(isinstance(each, ast.Name) for each in walk(node.value))
    return node is not None and not words


def is_plain_class(node: ast.stmt | None) -> bool:
    """A class that does nothing when it is called, named for a check of types most of the time."""
    return isinstance(node, ast.ClassDef) and not any(
        isinstance(each, ast.FunctionDef) and runs(each.name) for each in node.body
    )


def definition_of(module: Module, name: str) -> ast.stmt | None:
    """The node of a name or of ``Class.method``."""
    first, *rest = name.split(".")
    node = module.definitions.get(first)
    for part in rest:
        body = node.body if isinstance(node, ast.ClassDef) else []
        node = dict(definitions(body)).get(part)
    return node
