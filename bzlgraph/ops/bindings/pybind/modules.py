"""The modules of a tree: what each binds itself, and through the functions that it is given to.

units of all files -> ``Binding`` values, without the places of C++ functions and without targets.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

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
            binds = any(each.kind != "value" for each in unit.bound)  # an attribute may be set of anything
            if binds and (unit.path, unit.name) not in self._reached:
                self.unreached.append(unit)
        return list(dict.fromkeys(sorted(made, key=lambda each: (each.module, each.location, each.name))))

    def _of_module(self, unit: Unit) -> Iterator[Binding]:
        module = self._module_name(unit)
        said = f"({EXTENSION}, named by setup.py)" if unit.path in self.named else GUESSED
        unit = unit._replace(how=f"{unit.how}{said}") if _is_extension(unit) else unit
        self._aliases = []
        made = list(self._below(unit, 0, "", (module, unit), ()))
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

    def _below(
        self,
        unit: Unit,
        root: int,
        prefix: str,
        top: tuple[str, Unit],
        above: tuple[Unit, ...],
        texts: Sequence[str] = (),
    ) -> Iterator[Binding]:
        """What a unit binds to its parameter ``root``, which is at ``prefix`` of the module; ``texts``: what it is
        given beside that."""
        module, begun = top
        self._reached.add((unit.path, unit.name))
        self._aliases += [
            (_joined(prefix, each.trail), _joined(prefix, each.of)) for each in unit.aliases if each.root == root
        ]
        for line in unit.unnamed:
            self.unnamed.setdefault(Location(unit.path, line, 0), module)
        for each in (one for one in unit.bound if one.root == root):
            place = Location(unit.path, each.function.line, 0) if each.function.line >= 0 else None
            trail, where = filled(each.trail, texts), Location(unit.path, each.line, 0)
            if trail is None:
                self.unnamed.setdefault(where, module)
                continue
            yield Binding(
                _module_of(module, each), _joined(prefix, trail), each.kind, where, begun.how, each.function.name,
                place, each.function.calls, begun.key, each.condition,
            )  # fmt: skip
        for handed in unit.handed if len(above) < MAX_DEPTH else ():
            if handed.root == root:
                yield from self._handed(handed, unit, prefix, top, above, texts)
        for call in unit.calls_back if len(above) < MAX_DEPTH else ():
            for other in self._registered if call.root == root else ():
                if other not in above and not set(other.registered).isdisjoint(call.beside):
                    yield from self._below(other, call.position, prefix, top, (*above, unit))

    def _handed(
        self,
        handed: Handed,
        unit: Unit,
        prefix: str,
        top: tuple[str, Unit],
        above: tuple[Unit, ...],
        texts: Sequence[str],
    ) -> Iterator[Binding]:
        """What the function binds that a module is given to, and what is bound to what it gives back."""
        trail, passed = filled(handed.trail, texts), [filled(each, texts) or "" for each in handed.texts]
        results = dict[str, Owner]()
        for given in self._given_to(handed, unit):
            if given.is_opaque:
                self.opaque.setdefault(Location(given.path, given.line, 0), (top[0], given.name))
            elif given not in above and trail is not None:
                inside = _joined(_joined(prefix, trail), given.makes)
                yield from self._below(given, handed.position, inside, top, (*above, unit), passed)
                if given.gives is not None and given.gives.root == handed.position:
                    result = filled(given.gives.trail, passed)
                    results |= {_joined(inside, result): given.gives} if result is not None else {}
        for place, gives in results.items():
            made = self._below(unit, handed.result, place, top, above, texts)
            yield from map(_of_module, made) if gives.kind == "module" else made
        for each in unit.bound if not results else ():
            if each.root == handed.result and each.kind != "value":
                self.unnamed.setdefault(Location(unit.path, each.line, 0), top[0])

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


def _of_module(each: Binding) -> Binding:
    """What was taken for a method, as nothing said that it is bound to a module."""
    return replace(each, kind="function") if each.kind == "method" else each


def _is_extension(unit: Unit) -> bool:
    return unit.module in (EXTENSION, TORCH_OPS + EXTENSION)


def _module_of(module: str, each: Bound) -> str:
    """The module that has what is bound: a class of torch, and what is in one, is not beside the operators."""
    in_class = module.startswith(TORCH_OPS) and each.kind in OF_CLASSES
    return TORCH_CLASSES + module.removeprefix(TORCH_OPS) if in_class else module


def _binds(unit: Unit, position: int) -> bool:
    """Whether a function does something with what it is given as that argument."""
    roots = (*(each.root for each in unit.handed), *(each.root for each in unit.bound))
    return unit.is_opaque or position in roots or position in (each.root for each in unit.calls_back)


def _joined(prefix: str, trail: str) -> str:
    return f"{prefix}.{trail}" if prefix and trail else prefix or trail
