"""What the functions of a C++ file do with a module: the names they bind, and the functions they hand it to."""

from __future__ import annotations

from typing import NamedTuple

from bzlgraph.ops.bindings.functions import Function

DERIVED = "bindDerived"
"""The method by which a type of MLIR binds its own names, when its ``bind`` is called."""


class Owner(NamedTuple):
    """Where a name is put: below the parameter ``root`` of the function, at ``trail`` (``Sub.Class``)."""

    root: int
    trail: str = ""
    kind: str = "module"
    type: str = ""

    def inside(self, name: str, kind: str, type_: str = "") -> Owner:
        """What is made below it."""
        return Owner(self.root, f"{self.trail}.{name}" if self.trail else name, kind, type_)


class Bound(NamedTuple):
    """A name that a function gives to one of its parameters."""

    root: int
    trail: str
    kind: str
    line: int
    function: Function
    condition: str


class Handed(NamedTuple):
    """A module or class that a function gives to another function, as its argument ``position``."""

    root: int
    trail: str
    function: str
    position: int


class Alias(NamedTuple):
    """Rule 6: another name of a class, both below the parameter ``root``."""

    root: int
    trail: str
    of: str


class Unit(NamedTuple):
    """A function that binds: ``name`` with its namespaces and class. ``module`` and ``how`` of one of rule 1."""

    name: str
    path: str
    bound: tuple[Bound, ...]
    handed: tuple[Handed, ...]
    unnamed: tuple[int, ...] = ()
    """Lines where the name that is bound is no literal."""
    module: str = ""
    how: str = ""
    key: str = ""
    aliases: tuple[Alias, ...] = ()
    makes: str = ""
    """Of ``DERIVED``: the class that is made of what it is given to, for it."""
