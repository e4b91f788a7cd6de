"""What a C++ file of PyTorch defines, as values: functions, members of classes, and kernels behind stubs."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from bzlgraph.ops.pytorch.cpp.insides import NOTHING_INSIDE, Body, Inside


@dataclass(frozen=True, slots=True)
class Definition:
    """A function's definition; ``scope`` are the namespaces around it, ``through`` the macro that wrote it."""

    name: str
    scope: str
    path: str
    line: int
    parameters: tuple[str, ...] = ()
    """Each parameter as written, its name included."""
    stubs: tuple[tuple[str, str], ...] = ()
    """Names in its body that may be stubs; the function that is given one beside others, and calls one of them ("": the
    stub is called)."""
    through: str = ""
    condition: str = ""
    """What the preprocessor must have for it, "" for nothing."""
    own: bool = False
    """Whether no other file can call it by its name alone: it is ``static``, a template's, a class's, or in a namespace
    without a name."""
    helpers: tuple[str, ...] = ()
    """Its file's own functions that it names and that lead to stubs (``own_functions.py``); ``F::operator()`` for a
    class that is called or handed on."""
    asks: tuple[tuple[str, int, tuple[str, ...]], ...] = ()
    """Stubs that it calls only where a parameter is one of some constants: stub, position, constants."""
    gives: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Helpers that it calls, and the constants that each call gives (texts, enumerations), "" for any other value."""
    using: tuple[str, ...] = ()
    """The namespaces whose names its file uses as its own (``using namespace at::sparse;``)."""
    body: Body | None = field(default=None, compare=False)
    """What stands in it, where that was asked for."""

    @property
    def inside(self) -> Inside:
        """What it calls, and the like; nothing where that was not asked for."""
        return self.body.inside if self.body is not None else NOTHING_INSIDE

    @property
    def key(self) -> str:
        """How a definition is looked up: by its last name, structured kernels with their class."""
        parts = self.name.split("::")
        return "::".join(parts[-2:]) if parts[-1] in ("impl", "meta") and len(parts) > 1 else parts[-1]

    @property
    def namespace(self) -> str:
        """The namespaces (and classes) around the function, those written with its name included."""
        return _namespace(self.scope, self.name)


@cache
def _namespace(scope: str, name: str) -> str:
    """Kept, as a name that is looked up is asked for it again and again."""
    own = name.partition("structured_")[0] if "structured_" in name else name.rpartition("::")[0]
    return "::".join(part for part in (scope, own.rstrip(":")) if part).removeprefix("::")


@dataclass(frozen=True, slots=True)
class Members:
    """Members of a class that are ``true`` or ``false`` until they are set."""

    name: str
    defaults: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class StubKernel:
    """``REGISTER_DISPATCH(stub, function)`` for one device; the line is that of the function where the file has it."""

    stub: str
    function: str
    device: str
    path: str
    line: int
    condition: str = ""
    """What the preprocessor must have for both the function and its registration, "" for nothing."""


@dataclass(frozen=True, slots=True)
class LibraryKernel:
    """What ``TORCH_LIBRARY_IMPL`` registers by hand for an operator and a dispatch key of autograd, and where."""

    op: str
    key: str
    function: str
    path: str
    line: int
    condition: str = ""
