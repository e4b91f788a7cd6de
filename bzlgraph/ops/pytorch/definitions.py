"""Where the C++ functions of PyTorch's operators are defined, and what their stubs call.

names of functions -> ``Definition`` values. Only files that may hold a wanted name are cut into tokens, each once:
those with the name in their bytes, and those whose macros put names together (``##``).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass

from bzlgraph.cpp import NotCppText
from bzlgraph.cpp.condition import TRUE
from bzlgraph.cpp.macro import Macro
from bzlgraph.cpp.source_file import read_source_file
from bzlgraph.cpp.walk import HEADERS, cpp_files, is_test_file
from bzlgraph.ops.pytorch.cpp_facts import FileFacts, Registered, device_of, read_facts
from bzlgraph.workspace.source import Source

FOLDERS = ("aten/src/ATen", "torch/csrc/autograd", "torch/csrc/jit/runtime")
"""Where native functions, and those registered by hand, live."""
MANY_NAMES = 200
"""For so many names every file is read: looking for them in it would take longer."""
MACRO_FOLDERS = ("c10/core", "c10/util")
"""Where headers with lists of types are, besides."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A function's definition; ``scope`` are the namespaces around it, ``through`` the macro that wrote it."""

    name: str
    scope: str
    path: str
    line: int
    parameters: tuple[str, ...] = ()
    stubs: frozenset[str] = frozenset()
    through: str = ""
    condition: str = ""
    """What the preprocessor must have for it, "" for nothing."""

    @property
    def namespace(self) -> str:
        """The namespaces (and classes) around the function, those written with its name included."""
        own = self.name.partition("structured_")[0] if "structured_" in self.name else self.name.rpartition("::")[0]
        return "::".join(part for part in (self.scope, own.rstrip(":")) if part).removeprefix("::")


@dataclass(frozen=True, slots=True)
class StubKernel:
    """A function registered behind a stub, for one device."""

    stub: str
    function: str
    device: str
    path: str
    line: int


class Definitions:
    """The C++ half of a PyTorch tree."""

    def __init__(self, files: Source) -> None:
        self._files = files
        self._contents: dict[str, bytes] | None = None
        self._further: dict[str, bytes] | None = None
        self._read: set[str] = set()
        self._asked: set[str] = set()
        self._by_name: dict[str, list[Definition]] = defaultdict(list)
        self._stubs: dict[str, list[StubKernel]] = defaultdict(list)
        self._foreign: dict[str, Macro | None] = {}
        self.broken: list[tuple[str, str]] = []
        """(path, why) of the files that could not be read."""

    def named(self, name: str) -> list[Definition]:
        """The definitions of a function, or of ``structured_x::impl``, in the order of their files."""
        self.look_for([name])
        return self._by_name.get(name, [])

    def behind(self, stub: str) -> list[StubKernel]:
        """What is registered behind a stub."""
        self.look_for([stub])
        return self._stubs.get(stub, [])

    def look_for(self, names: Collection[str]) -> None:
        """Read the files that may define these names, or register functions behind them."""
        wanted = {_written_as(name) for name in names} - self._asked
        if not wanted:
            return
        self._asked |= wanted
        names_in_use = rf"(?<![.\w>])(?:{'|'.join(map(re.escape, sorted(wanted)))})\s*[(,)]"
        expression = re.compile(names_in_use.encode()) if len(wanted) < MANY_NAMES else None
        words = [name.encode() for name in wanted]
        for path, data in self._all().items():
            if path in self._read:
                continue
            if expression is None or b"##" in data or (any(word in data for word in words) and expression.search(data)):
                self._read.add(path)
                self._enter(path, data)

    def contents(self) -> Iterator[bytes]:
        """The bytes of every file that an answer may depend on."""
        yield from (path.encode() + b"\0" + data for path, data in self._all().items())
        yield from self._type_lists().values()

    def _all(self) -> dict[str, bytes]:
        """The bytes of every file, read once."""
        if self._contents is None:
            self._contents = {}
            for folder in FOLDERS:
                for path in cpp_files(self._files.entries, folder):
                    if is_test_file(path) or "/test/" in path or "/templates/" in path:
                        continue
                    try:
                        self._contents[path] = self._files.read(path)
                    except OSError as error:
                        self.broken.append((path, error.strerror or str(error)))
        return self._contents

    def _enter(self, path: str, data: bytes) -> None:
        try:
            file = read_source_file(data, path)
        except NotCppText as problem:
            self.broken.append((path, str(problem)))
            return
        facts = read_facts(file, self._header_macro)
        for name, scope, offset, uses, parameters, through in facts.defined:
            condition = file.directives.condition(offset)
            when = "" if condition == TRUE else str(condition)
            definition = Definition(name, scope, path, file.line(offset), parameters, uses, through, when)
            self._by_name[_key(name)].append(definition)
        for registered in facts.registered:
            line = file.line(_place_of(registered, facts))
            self._stubs[registered.stub].append(
                StubKernel(registered.stub, registered.function, registered.device or device_of(path), path, line)
            )

    # ------------------------------------------------------------------------------------------- macros of headers
    def _header_macro(self, name: str) -> Macro | None:
        """The function-like macro of a header, found by its name."""
        if name not in self._foreign:
            self._foreign[name] = next(self._header_macros(name), None)
        return self._foreign[name]

    def _type_lists(self) -> dict[str, bytes]:
        """The headers of ``MACRO_FOLDERS``, read once."""
        if self._further is None:
            self._further = {}
            for folder in MACRO_FOLDERS:
                for path in cpp_files(self._files.entries, folder):
                    if path.endswith(HEADERS):
                        with suppress(OSError):
                            self._further[path] = self._files.read(path)
        return self._further

    def _header_macros(self, name: str) -> Iterator[Macro]:
        needle = re.compile(rb"#\s*define\s+" + name.encode() + rb"\(")
        headers = {path: data for path, data in self._all().items() if path.endswith(HEADERS)}
        headers |= self._type_lists()
        word = name.encode()
        for path, data in headers.items():
            if word not in data or needle.search(data) is None:
                continue
            try:
                file = read_source_file(data, path)
            except NotCppText:
                continue
            yield from (macro for _, defined, macro in file.defines if defined == name and macro is not None)


def _key(name: str) -> str:
    """How a definition is looked up: by its last name, structured kernels with their class."""
    parts = name.split("::")
    return "::".join(parts[-2:]) if parts[-1] in ("impl", "meta") and len(parts) > 1 else parts[-1]


def _written_as(name: str) -> str:
    """The word in a file that defines the name: ``structured_x::impl`` is written ``TORCH_IMPL_FUNC(x)``."""
    return name.partition("::")[0].removeprefix("structured_")


def _place_of(registered: Registered, facts: FileFacts) -> int:
    """Where the registered function is defined, if the file defines it, else the place of the registration."""
    return next((each.offset for each in facts.defined if _key(each.name) == registered.function), registered.offset)
