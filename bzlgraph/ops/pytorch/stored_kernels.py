"""Kernels and steps of operators, kept by the content of all C++ files: no second question about a tree reads any.

Both come from one reading of all files, but for who asks for kernels only: what functions call is not looked for then.
Targets are not kept: BUILD files change without the sources.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import NamedTuple

from bzlgraph.base.codec import Codec
from bzlgraph.base.words import utf8
from bzlgraph.cache.freshness import key_of
from bzlgraph.cache.store import Store
from bzlgraph.ops.file_targets import Owner
from bzlgraph.ops.model import KernelRegistration
from bzlgraph.ops.pytorch.composites import Composites, Step
from bzlgraph.ops.pytorch.cpp.definitions import Definitions
from bzlgraph.ops.pytorch.cpp.values import TensorNames
from bzlgraph.ops.pytorch.derivatives import formula_definition
from bzlgraph.ops.pytorch.entries import ENTRIES, NativeFunction
from bzlgraph.ops.pytorch.kernels import kernels, wanted_names
from bzlgraph.starlark.evaluation.budget import OverBudget
from bzlgraph.starlark.evaluation.watchdog import reading

NAME, STEPS = "pytorch kernels 7", "pytorch steps 17"
MAX_BROKEN = 2
"""Entries whose kernels may take too long before the rest is left out."""


class Formula(NamedTuple):
    """A formula of the gradient of an operator, and its line in derivatives.yaml."""

    op: str
    line: int
    formula: str

    @property
    def key(self) -> str:
        """What its steps are found under."""
        return f"{self.op} {self.line} {self.formula}"


class KernelReading(NamedTuple):
    """The kernels of an operator, without their targets, and (path, why) of the files that were not read so far."""

    kernels: tuple[KernelRegistration, ...]
    broken: tuple[tuple[str, str], ...]


class StepReading(NamedTuple):
    """What runs inside of every operator, and (path, why) of the files that were not read."""

    steps: dict[str, tuple[Step, ...]]
    broken: tuple[tuple[str, str], ...]


_STEPS = Codec(StepReading)
_READINGS = Codec(list[KernelReading])


@dataclass
class StoredKernels:
    """``broken`` collects (path, why) of the files that were not read."""

    store: Store
    entries: Mapping[str, NativeFunction]
    definitions: Definitions
    owner: Owner
    text: bytes
    """native_functions.yaml."""
    functions: tuple[str, ...] = ()
    """Functions that are told by what they call, beside the entries."""
    formulas: tuple[Formula, ...] = ()
    """Formulas of gradients, which are told so, too."""
    broken: dict[tuple[str, str], None] = field(default_factory=dict)
    _too_much: list[tuple[str, str]] = field(default_factory=list)
    _by_name: dict[str, KernelReading] | None = None

    def of(self, entry: NativeFunction) -> tuple[KernelRegistration, ...]:
        """The kernels of one operator, which is going to be asked for its steps, too."""
        if self._by_name is None:
            self._by_name = dict(zip(self.entries, self._kept(lambda: self._read_all(self._with_calls)), strict=True))
        return self._with_targets(self._by_name[entry.full_name])

    def of_all(self) -> list[tuple[KernelRegistration, ...]]:
        """The kernels of every operator, in the order of the entries."""
        return [self._with_targets(each) for each in self._kept(lambda: self._read_all(self.definitions))]

    def _kept(self, make: Callable[[], list[KernelReading]]) -> list[KernelReading]:
        return self.store.remember(key_of(NAME, (self._content,)), _READINGS, make)

    @cached_property
    def steps(self) -> dict[str, tuple[Step, ...]]:
        """The operators that each operator calls itself."""
        formulas = "\0".join(each.key for each in self.formulas)
        reading = self.store.remember(key_of(STEPS, (self._content, utf8(formulas))), _STEPS, self._read_steps)
        self.broken.update(dict.fromkeys(reading.broken))
        return reading.steps

    def _read_steps(self) -> StepReading:
        definitions = self._with_calls
        giving = definitions.giving or TensorNames()
        composites = Composites(self.entries, definitions)
        found: dict[str, tuple[Step, ...]] = {}
        too_much: list[tuple[str, str]] = []
        asked: dict[str, Callable[[], tuple[Step, ...]]] = {
            **{name: partial(composites.steps, entry) for name, entry in self.entries.items()},
            **{name: partial(composites.of_function, name) for name in self.functions},
            **{
                each.key: partial(
                    composites.of_definition, formula_definition(self.entries[each.op], *each[1:], giving)
                )
                for each in self.formulas
            },
        }
        for name, steps in asked.items():
            try:
                with reading():
                    found[name] = steps()
            except OverBudget as problem:
                too_much.append((ENTRIES, f"{name}: {problem}"))
                if len(too_much) == MAX_BROKEN:
                    break
        return StepReading(found, (*definitions.broken, *too_much))

    @cached_property
    def _giving(self) -> TensorNames:
        tensors = [entry for entry in self.entries.values() if entry.gives_tensor]
        lists = frozenset(entry.name for entry in self.entries.values() if entry.gives_list)
        functions, methods = (_named_in_cpp(tensors, variant) for variant in ("function", "method"))
        return TensorNames(functions, methods, lists=lists)

    @cached_property
    def _with_calls(self) -> Definitions:
        return self.definitions.with_calls(self._giving)

    @cached_property
    def _content(self) -> bytes:
        return key_of(NAME, (self.text, *self.definitions.contents()))

    def _read_all(self, definitions: Definitions) -> list[KernelReading]:
        definitions.look_for([name for entry in self.entries.values() for name in wanted_names(entry)])
        return [self._read(entry, definitions) for entry in self.entries.values()]

    def _read(self, entry: NativeFunction, definitions: Definitions) -> KernelReading:
        """An entry that takes too long has no kernels; after a few of them, none that is asked for later has."""
        if len(self._too_much) < MAX_BROKEN:
            try:
                with reading():
                    found = tuple(dict.fromkeys(kernels(entry, self.entries, definitions)))
                return KernelReading(found, (*definitions.broken, *self._too_much))
            except OverBudget as problem:
                self._too_much.append((ENTRIES, f"{entry.full_name}: {problem}"))
        return KernelReading((), (*definitions.broken, *self._too_much, (ENTRIES, "no kernels of the others")))

    def _with_targets(self, reading: KernelReading) -> tuple[KernelRegistration, ...]:
        self.broken.update(dict.fromkeys(reading.broken))
        return tuple(replace(each, targets=self._targets(each)) for each in reading.kernels)

    def _targets(self, kernel: KernelRegistration) -> tuple[str, ...]:
        return self.owner(kernel.location.path) if kernel.location.line else ()


def _named_in_cpp(entries: Iterable[NativeFunction], variant: str) -> frozenset[str]:
    """What C++ calls the entries that have a variant."""
    names = {entry.name for entry in entries if variant in entry.variants}
    return frozenset((*names, *(f"{name}_symint" for name in names)))
