"""What bindings are: plain frozen values. Lines are those of the files as they are on disk."""

from __future__ import annotations

from dataclasses import dataclass

from bzlgraph.base.span import Location

LAMBDA = "lambda"
"""The function of a binding that is one without a name."""


@dataclass(frozen=True, slots=True)
class Binding:
    """One name that Python sees, and the C++ behind it.

    ``kind``: function, method, static, property, field, class, enum, value, exception, submodule, operator, kernel.
    ``function`` is the C++ as it is named (``&A::f`` is ``A::f``), "lambda", or "constructor of T".
    """

    module: str
    name: str
    """Below the module: ``Class.method``."""
    kind: str
    location: Location
    how: str
    """What makes the module: ``PYBIND11_MODULE``."""
    function: str = ""
    defined: Location | None = None
    calls: tuple[str, ...] = ()
    """Functions of the tree, each with its place: those that a lambda calls, or in other sources those whose results a
    function returns."""
    key: str = ""
    """Of a kernel of torch: its dispatch key."""
    condition: str = ""
    home: str = ""
    """The file that is compiled for it, "" for the one of ``location``."""
    targets: tuple[str, ...] = ()

    @property
    def full_name(self) -> str:
        """``module.Class.method``."""
        return f"{self.module}.{self.name}" if self.name else self.module

    @property
    def is_module(self) -> bool:
        """Whether it stands for the module itself."""
        return not self.name


@dataclass(frozen=True, slots=True)
class PythonUse:
    """A line of Python that imports a module, or uses a name of it."""

    location: Location
    text: str
