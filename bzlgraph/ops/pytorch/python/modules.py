"""The modules of PyTorch's Python: what a file defines and imports, and what kind of thing a name in it is.

statements of a file -> ``Module``; a name in it -> the node of its definition.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from bzlgraph.ops.pytorch.python.tensor_values import dotted_parts, methods_run
from bzlgraph.python_source.syntax import AnyFunction, definitions, flattened, imported_names, starred_modules, walk


@dataclass(slots=True)
class Module:
    """One Python file: what its top level defines (name -> node) and imports (name -> dotted target)."""

    name: str
    path: str
    definitions: dict[str, ast.stmt] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)


Class = TypeVar("Class", bound=Hashable)
_REGISTERING = (("self", "register_buffer"), ("self", "register_parameter"))
MAX_BASES = 12
"""Classes above one another."""

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
    folders = path.split("/")[:-1]
    for statement in flattened(body):
        module.imports.update((name, full) for name, full in imported_names(statement, folders) if name != "*")
    for name, node in module.definitions.items():  # `aten = torch.ops.aten`
        parts = dotted_parts(node.value, set()) if isinstance(node, ast.Assign) else ()
        if len(parts) > 1 and parts[0] in module.imports:
            module.imports.setdefault(name, ".".join([module.imports[parts[0]], *parts[1:]]))
    module.stars[:] = starred_modules(body, folders)
    return module


def is_code(place: Place | None) -> bool:
    """Whether a name may stand for what can be called: a table of words cannot."""
    node = definition_of(*place) if place is not None else None
    words = isinstance(node, ast.Assign) and not any(isinstance(each, ast.Name) for each in walk(node.value))
    return node is not None and not words


def is_plain_class(node: ast.stmt | None) -> bool:
    """A class that does nothing when it is called, named for a check of types most of the time."""
    return isinstance(node, ast.ClassDef) and not methods_run(node)


def made_by_constructor(node: ast.stmt | None, attribute: str) -> Iterator[tuple[str, ...]]:
    """What ``__init__`` of a class calls for the values of an attribute, () for what is no call of a name."""
    for method in node.body if isinstance(node, ast.ClassDef) else ():
        if isinstance(method, AnyFunction) and method.name == "__init__":
            for each in walk(method):
                for target in each.targets if isinstance(each, ast.Assign) else ():
                    if dotted_parts(target, set()) == ("self", attribute):
                        value = each.value if isinstance(each, ast.Assign) else None
                        yield dotted_parts(value.func, set()) if isinstance(value, ast.Call) else ()


def registered_tensors(node: ast.stmt | None) -> frozenset[str]:
    """The attributes of a class that are tensors: ``self.register_buffer("steps", ...)``."""
    calls = (each for each in walk(node) if isinstance(each, ast.Call)) if isinstance(node, ast.ClassDef) else ()
    named = (each for each in calls if dotted_parts(each.func, set()) in _REGISTERING and each.args)
    first = (each.args[0] for each in named)
    return frozenset(each.value for each in first if isinstance(each, ast.Constant) and isinstance(each.value, str))


def order_of(start: Class, bases_of: Callable[[Class], Sequence[Class]], left: int = MAX_BASES) -> list[Class]:
    """In which order Python looks for a method in a class and those that it is derived from, the class itself first:
    one that two others have in common comes behind both (https://docs.python.org/3/howto/mro.html). Classes that
    Python could not put in an order stand as they are written.

    >>> bases = {"Lazy": ["Mixin", "Norm"], "Mixin": ["Module"], "Norm": ["Module"], "Module": []}
    >>> order_of("Lazy", bases.__getitem__)
    ['Lazy', 'Mixin', 'Norm', 'Module']
    """
    bases = list(dict.fromkeys(bases_of(start))) if left else []
    waiting = [*(order_of(each, bases_of, left - 1) for each in bases), bases]
    order = [start]
    while waiting := [each for each in waiting if each]:
        heads = [each[0] for each in waiting]
        behind = {each for listed in waiting for each in listed[1:]}
        head = next((each for each in heads if each not in behind), heads[0])
        order.append(head)
        waiting = [[each for each in listed if each != head] for listed in waiting]
    return order


def definition_of(module: Module, name: str) -> ast.stmt | None:
    """The node of a name or of ``Class.method``."""
    first, *rest = name.split(".")
    node = module.definitions.get(first)
    for part in rest:
        body = node.body if isinstance(node, ast.ClassDef) else []
        node = dict(definitions(body)).get(part)
    return node
