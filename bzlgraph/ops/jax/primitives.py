"""Primitives, as the modules of JAX define them.

``x_p = Primitive("x")``, or another call with the name as a literal among its positional arguments or as ``name=``,
makes a primitive. What ``Primitive`` itself makes is one whatever the variable is called.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from bzlgraph.ops.jax.code import Definition, PythonCode
from bzlgraph.python_source.syntax import last_name, literal_texts

FOLDER = "jax"
ENDINGS = ("_p", "_p_wrapper")
MAKER = "Primitive"
NEEDLES = (b"_p =", b"_p: ", b"_p : ", b"_p_wrapper =", MAKER.encode() + b"(")


@dataclass(frozen=True, slots=True)
class Primitive:
    """``variable`` is what it is called in its module, ``name`` what it is called in jaxprs."""

    name: str
    variable: str
    path: str
    line: int

    @property
    def key(self) -> tuple[str, str]:
        """What it is known by: two modules may use the same name."""
        return self.path, self.variable


def primitive_of(found: Definition | None) -> Primitive | None:
    """The primitive that a definition makes, None for none."""
    if found is None or not isinstance(found.node, ast.Call):
        return None
    if not found.name.endswith(ENDINGS) and last_name(found.node.func) != MAKER:
        return None
    given = [*found.node.args, *(each.value for each in found.node.keywords if each.arg == "name")]
    names = [text for each in given if isinstance(each, ast.Constant) for text in literal_texts(each)]
    return Primitive(names[0], found.name, found.path, found.line) if names else None


def stands_for_primitive(name: str, found: Definition | None) -> bool:
    """Whether a name is a primitive's where it is used, by itself or by what it is there."""
    return found is not None and (name.endswith(ENDINGS) or primitive_of(found) is not None)


def all_primitives(code: PythonCode, folder: str = FOLDER) -> Iterator[Primitive]:
    """Every primitive of the tree."""
    for path in code.tree.containing(folder, NEEDLES):
        found = code.within(path, lambda: map(primitive_of, code.definitions(path)))  # noqa: B023
        yield from (each for each in found if each is not None)
