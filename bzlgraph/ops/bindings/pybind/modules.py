"""The modules of a tree: what each binds itself, and through the functions that it is given to.

units of all files -> ``Binding`` values, without the places of C++ functions and without targets.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from bzlgraph.base.span import Location
from bzlgraph.ops.binding import Binding
from bzlgraph.ops.bindings.pybind.module_macros import TORCH_CLASSES, TORCH_OPS
from bzlgraph.ops.bindings.pybind.units import DERIVED, Bound, Handed, Owner, Unit, filled

MAX_DEPTH = 12
OF_CLASSES = frozenset({"class", "method", "static", "property", "field"})
EXTENSION = "TORCH_EXTENSION_NAME"
"""The name that the build gives to a torch extension: nothing in the sources of a module says it. Where ``setup.py``
does not either, the name of the file stands for it."""
GUESSED = f"({EXTENSION}, its name is not known)"
"""How such a module is said to be made."""


class _Way(NamedTuple):
    """How a unit came to a part of a module: that is at ``prefix`` of it, ``begun`` is the module's own unit, ``above``
    are the units that handed it on, ``texts`` what the last of them gave beside it."""

    module: str
    begun: Unit
    prefix: str = ""
    above: tuple[Unit, ...] = ()
    texts: tuple[str, ...] = ()


@dataclass(slots=True)
class Modules:
    """Joins units. ``named`` are the extensions that sources are made into, ``unnamed`` the places where names are
    bound that are no literals."""

    named: Mapping[str, str] = field(default_factory=dict)
    unnamed: dict[Location, str] = field(default_factory=dict)
    opaque: dict[Location, tuple[str, str]] = field(default_factory=dict)
    """Functions that a module is given to, and of which nothing is read that they do with it; with the module."""
    unreached: list[Unit] = field(default_factory=list)
    """Functions that bind something to a parameter, and that no known module is given to."""
    _registered: list[Unit] = field(default_factory=list)
    """Functions that are given by name to others, to be called later."""
    _reached: set[tuple[str, str]] = field(default_factory=set)
    _results: dict[tuple[str, str, int], str] = field(default_factory=dict)
    """What functions give back, by the file and name of who calls them and ``Handed.result``: the module that may get
    it, "" where it is known."""
    _aliases: list[tuple[str, str]] = field(default_factory=list)
    """Of the module that is being joined: other names of classes, and those that they are made under."""
    _by_last: dict[str, list[Unit]] = field(default_factory=lambda: defaultdict(list))

    def bindings(self, units: Iterable[Unit]) -> list[Binding]:
        """All bindings, by module; the same name twice are overloads."""
        known = [each for each in units if not each.is_macro]
        self._registered = [each for each in known if each.registered]
        for unit in known:
            if not unit.module:
                self._by_last[unit.name.rpartition("::")[2]].append(unit)
        made = [each for unit in known if unit.module for each in self._of_module(unit)]
        for unit in known:
            for each in unit.bound:
                module = self._results.get((unit.path, unit.name, each.root)) if each.kind != "value" else ""
                if module:
                    self.unnamed.setdefault(Location(unit.path, each.line, 0), module)
            binds = any(each.kind != "value" for each in unit.bound)  # an attribute may be set of anything
            if binds and (unit.path, unit.name) not in self._reached:
                self.unreached.append(unit)
        return list(dict.fromkeys(sorted(made, key=lambda each: (each.module, each.location, each.name))))

    def _of_module(self, unit: Unit) -> Iterator[Binding]:
        module = self._module_name(unit)
        said = f"({EXTENSION}, named by setup.py)" if unit.path in self.named else GUESSED
        unit = unit._replace(how=f"{unit.how}{said}") if _is_extension(unit) else unit
        self._aliases = []
        made = list(self._below(unit, 0, _Way(module, unit)))
        for each in dict.fromkeys((module, *(each.module for each in made))):
            yield Binding(each, "", "module", Location(unit.path, 0, 0), unit.how, key=unit.key)
        yield from made
        for other, of in dict.fromkeys(self._aliases):
            members = [each for each in made if each.name.startswith(f"{of}.")]
            yield from (replace(each, name=other + each.name[len(of) :]) for each in members)

    def _module_name(self, unit: Unit) -> str:
        if not _is_extension(unit):
            return unit.module
        name = self.named.get(unit.path) or unit.path.rpartition("/")[2].partition(".")[0]
        return unit.module.removesuffix(EXTENSION) + name

    def _below(self, unit: Unit, root: int, way: _Way) -> Iterator[Binding]:
        """What a unit binds to its parameter ``root``."""
        module, begun = way.module, way.begun
        self._reached.add((unit.path, unit.name))
        self._aliases += [
            (_joined(way.prefix, each.trail), _joined(way.prefix, each.of))
            for each in unit.aliases
            if each.root == root
        ]
        for line in unit.unnamed:
            self.unnamed.setdefault(Location(unit.path, line, 0), module)
        for each in (one for one in unit.bound if one.root == root):
            place = Location(unit.path, each.function.line, 0) if each.function.line >= 0 else None
            trail, where = filled(each.trail, way.texts), Location(unit.path, each.line, 0)
            if trail is None:
                self.unnamed.setdefault(where, module)
                continue
            yield Binding(
                _module_of(module, each), _joined(way.prefix, trail), each.kind, where, begun.how, each.function.name,
                place, each.function.calls, begun.key, each.condition,
            )  # fmt: skip
        if len(way.above) < MAX_DEPTH:
            yield from self._further(unit, root, way)

    def _further(self, unit: Unit, root: int, way: _Way) -> Iterator[Binding]:
        """What the functions bind that are given the parameter, and what is bound to what they give back."""
        for handed in (each for each in unit.handed if each.root == root):
            yield from self._handed(handed, unit, way)
        for other, position in self._called_back(unit, root):
            if other not in way.above:
                yield from self._below(other, position, way._replace(above=(*way.above, unit), texts=()))

    def _handed(self, handed: Handed, unit: Unit, way: _Way) -> Iterator[Binding]:
        trail, result = filled(handed.trail, way.texts), (unit.path, unit.name, handed.result)
        self._results.setdefault(result, way.module)
        texts = tuple(filled(each, way.texts) or "" for each in handed.texts)
        for given in self._given_to(handed, unit):
            if given.is_opaque and not self._called_back(given, handed.position):
                self.opaque.setdefault(Location(given.path, given.line, 0), (way.module, given.name))
            elif given not in way.above and trail is not None:
                prefix = _joined(_joined(way.prefix, trail), given.makes)
                inside = way._replace(prefix=prefix, above=(*way.above, unit), texts=texts)
                yield from self._below(given, handed.position, inside)
                gives = given.gives if given.gives is not None and given.gives.root == handed.position else None
                made = filled(gives.trail, texts) if gives is not None else None
                if gives is not None and made is not None:
                    self._results[result] = ""
                    yield from self._of_result(unit, handed.result, gives, way._replace(prefix=_joined(prefix, made)))

    def _of_result(self, unit: Unit, result: int, gives: Owner, way: _Way) -> Iterator[Binding]:
        """What a unit binds to what a function gave it, of which only now is known what that is."""
        for each in self._below(unit, result, way):
            is_direct = each.kind == "method" and each.name.rpartition(".")[0] == way.prefix
            yield replace(each, kind="function") if is_direct and gives.kind == "module" else each

    def _called_back(self, unit: Unit, root: int) -> list[tuple[Unit, int]]:
        """The functions that were registered with the file of one that calls them with its parameter ``root``, and
        which of theirs that is."""
        return [
            (other, call.position)
            for call in unit.calls_back
            if call.root == root
            for other in self._registered
            if not set(other.registered).isdisjoint(call.beside)
        ]

    def _given_to(self, handed: Handed, caller: Unit) -> list[Unit]:
        """The function that a module is given to, with all its overloads: the one that C++ finds from where it is
        called, else by as much of its qualified name as fits; of several the one of the same file. ``bind`` of MLIR's
        types means ``DERIVED``."""
        found = self._named(handed, caller)
        type_, _, last = handed.function.rpartition("::")
        if not found and type_ and last == "bind":
            found = self._named(handed._replace(function=f"{type_}::{DERIVED}"), caller)
        return found

    def _named(self, handed: Handed, caller: Unit) -> list[Unit]:
        last = handed.function.rpartition("::")[2]
        found = [each for each in self._by_last.get(last, ()) if _binds(each, handed.position)]
        around = caller.name.split("::")[:-1]
        for length in range(len(around), -1, -1):
            wanted = "::".join((*around[:length], handed.function))
            if fitting := _one([each for each in found if each.name == wanted], caller):
                return fitting
        parts = handed.function.split("::")
        for length in range(len(parts), 0, -1):
            fitting = [each for each in found if each.name.split("::")[-length:] == parts[-length:]]
            if length == 1 and len(parts) > 1:
                fitting = [each for each in fitting if each.name == last]
            if fitting := _one(fitting, caller):
                return fitting
        return []


def _one(fitting: list[Unit], caller: Unit) -> list[Unit]:
    """The overloads of one function, that of the caller's file if there is one; none where they are of several."""
    chosen = [each for each in fitting if each.path == caller.path] or fitting
    return chosen if len({(each.path, each.name) for each in chosen}) == 1 else []


def _is_extension(unit: Unit) -> bool:
    return unit.module in (EXTENSION, TORCH_OPS + EXTENSION)


def _module_of(module: str, each: Bound) -> str:
    """The module that has what is bound: a class of torch, and what is in one, is not beside the operators."""
    in_class = module.startswith(TORCH_OPS) and each.kind in OF_CLASSES
    return TORCH_CLASSES + module.removeprefix(TORCH_OPS) if in_class else module


def _binds(unit: Unit, position: int) -> bool:
    """Whether a function does something with what it is given as that argument."""
    roots = (*(each.root for each in unit.handed), *(each.root for each in unit.bound))
    return unit.is_opaque or position in (*roots, *(each.root for each in unit.calls_back))


def _joined(prefix: str, trail: str) -> str:
    return f"{prefix}.{trail}" if prefix and trail else prefix or trail
