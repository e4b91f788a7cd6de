"""What the functions of a C++ file do with a module: the names they bind, and the functions they hand it to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from bzlgraph.ops.bindings.pybind.functions import Function

DERIVED = "bindDerived"
"""The method by which a type of MLIR binds its own names, when its ``bind`` is called."""


RESULTS = 1000
"""The first number of what the functions that a function calls give it, which it may bind to as to its parameters."""
_GIVEN = re.compile(r"<(\d+)>")


def given_text(position: int) -> str:
    """What stands in a trail for the text that a function is given as its argument ``position``."""
    return f"<{position}>"


def filled(trail: str, texts: Sequence[str]) -> str | None:
    """A trail with the texts that a function is given; None where one of them is not known.

    >>> filled("Sub.<1>.f", ["", "Class"]), filled("<0>", [""]), filled("<2>", []), filled("f", [])
    ('Sub.Class.f', None, None, 'f')
    """
    wanted = {int(each) for each in _GIVEN.findall(trail)}
    if not all(each < len(texts) and texts[each] for each in wanted):
        return None
    return _GIVEN.sub(lambda found: texts[int(found.group(1))], trail)


class Owner(NamedTuple):
    """Where a name is put: below the parameter ``root`` of the function, or below what a function gives it
    (``RESULTS``), at ``trail`` (``Sub.Class``)."""

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
    texts: tuple[str, ...] = ()
    """Each argument of that call that is a text, "" for any other."""
    result: int = -1
    """The number of what it gives back."""


class Alias(NamedTuple):
    """Rule 6: another name of a class, both below the parameter ``root``."""

    root: int
    trail: str
    of: str


class CallBack(NamedTuple):
    """A parameter that a function gives, as argument ``position``, to what was given by name to one of the functions
    ``beside`` it in its file: ``for (auto& each : callbacks) each.run(m);``."""

    root: int
    position: int
    beside: tuple[str, ...]


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
    gives: Owner | None = None
    """The module or class that it gives back."""
    makes: str = ""
    """Of ``DERIVED``: the class that is made of what it is given to, for it."""

    takes_module: bool = False
    """Whether a parameter is declared as a module."""
    line: int = 0
    registered: tuple[str, ...] = ()
    """The functions that are given its name, to call it later."""
    calls_back: tuple[CallBack, ...] = ()
    is_macro: bool = False
    """Whether it is a macro that binds names, and that no line of its file calls: another macro does."""

    @property
    def is_opaque(self) -> bool:
        """Whether it is given a module, and nothing is read that it does with it."""
        return self.takes_module and not (self.module or self.bound or self.handed)
