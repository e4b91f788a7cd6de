"""Where a kernel computes: the class a registration names -> the ``Compute`` (``ComputeAsync``, ``Compile``) it runs.

Rules
1. The class is looked for in the file that registers it, among the classes its macros make, then in the headers it
   includes. ``using A = B<C>;`` and ``typedef B<C> A;`` are followed.
2. Of several classes of one name (specialisations) the most special one that fits the arguments of the registration is
   taken (``arguments``), else the general one; a base class gets what its template's parameters stand for.
3. Of a class that macros make, the function of MLIR is kept that it calls by its C interface (``INTERFACE``): its own
   file generates it (``generated``).
4. The method is one of the class's body, or one defined outside of it (``A<T>::Compute``) in a file that sees the
   class; in any file where none of those does and the class defines none itself; else that of its bases, in order.
A kernel of the C API names its function itself: ``registrations`` reads it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

from bzlgraph.base.span import Location
from bzlgraph.cpp.expand import Piece
from bzlgraph.cpp.outline import Scope, name_index, read_outline
from bzlgraph.cpp.own_types import aliases_of
from bzlgraph.cpp.source_file import SourceFile
from bzlgraph.cpp.tokens import Lexeme
from bzlgraph.ops.tensorflow.cpp.scan import Scan
from bzlgraph.ops.tensorflow.cpp.work.arguments import (
    bases_of,
    bind,
    bindings,
    fits,
    listed,
    parameters_of,
    sameness,
    split_class,
    written,
)
from bzlgraph.ops.tensorflow.cpp.work.device_files import DeviceFiles

METHODS = ("Compute", "ComputeAsync", "Compile")
"""The methods that do a kernel's work, of which a class's own comes before any of its bases."""

FRAMEWORK = frozenset({"OpKernel", "AsyncOpKernel", "XlaOpKernel", "ResourceBase"})
"""Classes that every kernel derives from, and that compute nothing."""

_CLASS = tuple(
    re.compile(word + rb"\s+(?:[A-Z][A-Z0-9_]*(?:\([^()]*\))?\s+)?([^\W\d]\w*)") for word in (b"class", b"struct")
)
"""Two expressions that begin with plain text are found six times faster than one that does not."""
_METHOD = re.compile(rb"::\s*(?:" + "|".join(METHODS).encode() + rb")\s*\(")
_OWNER = re.compile(rb"\b(?!template\b)([^\W\d]\w*)\s*(?:<[^;{}()]*>)?\s*\Z")
"""What stands before a method that is defined outside of its class."""
MAX_OWNER = 1000
"""Characters that a class's name and its template arguments may have there."""
MAX_CLASSES = 40
INTERFACE = "_mlir_ciface_"
"""How the C name of a function begins that MLIR generates with the attribute ``llvm.emit_c_interface``."""


@dataclass(slots=True)
class Class:
    """A class found: its scope, and the tokens (of a file, or of an expansion) that the scope counts in."""

    name: str
    arguments: tuple[str, ...]
    """Those that a specialisation is written with."""
    parameters: tuple[str, ...]
    bases: tuple[str, ...]
    methods: dict[str, Location]
    home: str
    """The file it is looked up from: for its bases."""
    generated: str = ""
    """The function of MLIR that it calls (rule 3)."""

    def is_for(self, given: Sequence[str]) -> bool:
        """Whether a specialisation is meant by arguments that a class of its name is given."""
        return len(self.arguments) <= len(given) and fits(self.arguments, given, self.parameters)


class Method(NamedTuple):
    """A method that computes, the class that defines it, and which of ``METHODS`` it is; the function of MLIR that the
    kernel's own class calls (rule 3)."""

    location: Location
    owner: str
    name: str
    generated: str = ""


class Outside(NamedTuple):
    """A method that is defined outside of its class, with the arguments that the class is written with there, and the
    template's parameters in them."""

    name: str
    location: Location
    arguments: tuple[str, ...]
    parameters: tuple[str, ...]


@dataclass(slots=True)
class ComputeFinder:
    """Finds the methods of kernels in what was scanned; each class is found once."""

    scan: Scan
    device_files: DeviceFiles = field(init=False)
    _classes: dict[str, dict[str, list[Class]]] = field(default_factory=dict)
    _places: dict[str, set[str]] | None = None
    _outside: dict[str, set[str]] | None = None
    _aliases: dict[str, dict[str, str]] = field(default_factory=dict)
    _known: dict[tuple[str, str], Method | None] = field(default_factory=dict)
    _methods: dict[str, dict[str, list[Outside]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.device_files = DeviceFiles(self.scan.tree, self.scan.contents)

    def find(self, kernel_class: str, home: str) -> Method | None:
        """The method that a kernel registered in the file ``home`` runs, None when it is not found."""
        key = (kernel_class, home)
        if key not in self._known:
            self._known[key] = self._method(*key)
        return self._known[key]

    def _method(self, kernel_class: str, home: str) -> Method | None:
        waiting = [(*split_class(kernel_class), home)]
        seen: set[tuple[str, str]] = set()
        generated = ""
        while waiting and len(seen) < MAX_CLASSES:
            name, arguments, place = waiting.pop(0)
            if (name, place) in seen or name in FRAMEWORK:
                continue
            seen.add((name, place))
            found = self._class(name, arguments, place)
            if found is None:
                alias = self._alias(name, place)
                if alias is not None:
                    waiting.insert(0, (*split_class(alias), place))
                continue
            generated = generated or found.generated
            for method in METHODS:
                if method in found.methods:
                    return Method(found.methods[method], name, method, generated)
            waiting += [(*split_class(base), found.home) for base in found.bases]
        return None

    def _class(self, name: str, arguments: str, home: str) -> Class | None:
        """The class of a name that a file sees, with its methods wherever they are defined."""
        candidates: list[Class] = []
        for path in self._where(name, home):
            candidates += self._classes_of(path).get(name, ())
        if not candidates:
            return None
        given = listed(arguments)
        special = [each for each in candidates if each.arguments and each.is_for(given)]
        general = [each for each in candidates if not each.arguments] or candidates
        chosen = max(special, key=lambda each: sameness(each.arguments, given)) if special else general[0]
        methods = self._outside_of(name, home, chosen, given)
        # A method outside may be that of another class of the same name: what the class itself defines comes first.
        for each in (chosen,) if special else (*reversed(general), chosen):
            methods |= each.methods
        bound = bindings(chosen.arguments, given, chosen.parameters)
        return replace(chosen, bases=tuple(bind(base, bound) for base in chosen.bases), methods=methods)

    def _where(self, name: str, home: str) -> list[str]:
        """The files that define a class of this name and that ``home`` sees, itself first."""
        self.prepare()
        found = (self._places or {}).get(name, set())
        closure = self.scan.tree.closure(home)
        seen = [home] if home in found or home in self.scan.readers else []
        near = sorted(path for path in found if path in closure and path != home)
        return seen + near

    def prepare(self) -> None:
        """Make the indexes of classes and of methods defined outside of them, if that is not done."""
        if self._places is None or self._outside is None:
            self._places, self._outside = {}, {}
            for path in self._files():
                data = self.scan.contents.get(path, b"")
                named = self.scan.tree.within(path, partial(_named, data)) or (set(), set())
                for index, names in zip((self._places, self._outside), named, strict=True):
                    for name in names:
                        index.setdefault(name.decode("latin-1"), set()).add(path)

    def _files(self) -> list[str]:
        """The files that kernels are made of: those that may register something, what they include, and the sources
        beside those headers."""
        wanted = self.scan.tree.reached(self.scan.files)
        folders = {path.rpartition("/")[0] for path in wanted}
        wanted |= {path for path in self.scan.contents if path.rpartition("/")[0] in folders and _is_source(path)}
        return sorted(wanted)

    def _classes_of(self, path: str) -> dict[str, list[Class]]:
        """All classes of a file by name, those that its macros make among them."""
        known = self._classes.get(path)
        if known is not None:
            return known
        file = self.scan.tree.file(path)
        found: list[Class] = []
        if file is not None:
            outline = file.outline
            found += _classes(outline.tokens, outline.scopes, path, lambda at: file.location(outline.tokens[at].start))
        reader = self.scan.readers.get(path)
        if reader is not None and file is not None:
            for pieces, start, _condition in reader.made:
                found += self._made(pieces, file, start)
        named = self._classes[path] = {}
        for each in found:
            named.setdefault(each.name, []).append(each)
        return named

    def _made(self, pieces: Sequence[Piece], file: SourceFile, start: int) -> list[Class]:
        """The classes of an expansion: their places are those of the macro bodies that hold them."""
        outline = read_outline(pieces)
        invoked = file.location(start)

        def place(at: int) -> Location:
            origin = outline.tokens[at].origin
            return invoked if origin is None else Location(origin.path, origin.source.line(outline.tokens[at].start), 0)

        found = _classes(outline.tokens, outline.scopes, file.path, place)
        scopes = (scope for scope in outline.scopes if scope.kind == "class" and scope.name)
        for each, scope in zip(found, scopes, strict=True):
            body = outline.tokens[scope.opening : scope.closing]
            called = (token.text for token in body if token.text.startswith(INTERFACE))
            each.generated = next(called, "").removeprefix(INTERFACE)
        return found

    def _outside_of(self, name: str, home: str, owner: Class, given: Sequence[str]) -> dict[str, Location]:
        """The methods of a class that are defined outside of its body for the arguments it is given: the most special
        of them, nearest to ``home`` first. What is written where the class is not seen is another one's of that name.
        """
        self.prepare()
        everywhere = (self._outside or {}).get(name, set())
        seeing = {path for path in everywhere if path == owner.home or owner.home in self.scan.tree.closure(path)}
        paths = seeing if seeing or owner.methods else everywhere
        near = sorted(paths, key=lambda each: (each != home, _distance(each, home), each))
        written = (each for path in near for each in self._methods_outside(path).get(name, ()))
        fitting = [each for each in written if fits(each.arguments, given, each.parameters)]
        fitting.sort(key=lambda each: -sameness(each.arguments, given))
        return {each.name: each.location for each in reversed(fitting)}

    def _methods_outside(self, path: str) -> dict[str, list[Outside]]:
        """The methods that a file defines outside of their classes, by the names of those."""
        known = self._methods.get(path)
        if known is not None:
            return known
        found: dict[str, list[Outside]] = {}
        file = self.scan.tree.file(path)
        for scope in file.outline.scopes if file is not None else ():
            owner, _, method = scope.name.rpartition("::")
            if file is not None and method in METHODS:
                tokens = file.outline.tokens
                place = file.location(tokens[file.outline.name_index(scope)].start)
                name, opening, rest = owner.partition("<")
                found.setdefault(name.rpartition("::")[2], []).append(
                    Outside(method, place, listed(opening + rest), parameters_of(tokens, scope))
                )
        self._methods[path] = found
        return found

    def _alias(self, name: str, home: str) -> str | None:
        """What ``using NAME = ...;`` or ``typedef ... NAME;`` stands for."""
        for path in (home, *sorted(self.scan.tree.closure(home))):
            file = self.scan.tree.file(path)
            if file is None or name not in file.text.text:
                continue
            if path not in self._aliases:
                self._aliases[path] = aliases_of(file.text.text)
            if name in self._aliases[path]:
                return self._aliases[path][name]
        return None


def _classes(
    tokens: Sequence[Lexeme], scopes: Sequence[Scope], home: str, place: Callable[[int], Location]
) -> list[Class]:
    """The classes of an outline with the methods that their bodies define or declare."""
    found: list[Class] = []
    at_scope: dict[int, Class] = {}
    for index, scope in enumerate(scopes):
        if scope.kind == "class" and scope.name:
            each = at_scope[index] = Class(
                scope.name, written(tokens, scope), parameters_of(tokens, scope), bases_of(tokens, scope), {}, home
            )
            found.append(each)
        elif scope.kind == "function" and scope.parent in at_scope and scope.name in METHODS:
            at_scope[scope.parent].methods.setdefault(scope.name, place(name_index(tokens, scope)))
    return found


def _named(data: bytes) -> tuple[set[bytes], set[bytes]]:
    """The names that stand where a class's does, and those of classes with a method that is defined outside of them."""
    places = (found.start() for found in _METHOD.finditer(data))
    owners = (_OWNER.search(data, max(0, place - MAX_OWNER), place) for place in places)
    classes = {name for pattern in _CLASS for name in pattern.findall(data)}
    return classes, {owner.group(1) for owner in owners if owner is not None}


def _distance(path: str, home: str) -> int:
    """How many folders two files do not share."""
    left, right = path.split("/"), home.split("/")
    shared = 0
    while shared < min(len(left), len(right)) - 1 and left[shared] == right[shared]:
        shared += 1
    return len(left) + len(right) - 2 * shared


def _is_source(path: str) -> bool:
    return not path.endswith((".h", ".inc", ".hpp"))
