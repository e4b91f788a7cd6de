"""Kernels and steps of operators, kept by the content of all C++ files: no second question about a tree reads any.

Both come from one reading of all files, but for who asks for kernels only: what functions call is not looked for then.
Targets are not kept: BUILD files change without the sources.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from bzlgraph.base.codec import Codec, Special
from bzlgraph.base.words import utf8
from bzlgraph.cache.freshness import key_of, state_of
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

T = TypeVar("T")
NAME, STEPS = "pytorch kernels 8", "pytorch steps 22"
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


class Rows(Mapping[str, T]):
    """What is kept by name, of which a question decodes only what it asks for: of thousands of operators thirty."""

    def __init__(self, plain: Mapping[str, Any], codec: Codec[T]) -> None:
        self._plain = plain
        self._codec = codec
        self._decoded: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        if name not in self._decoded:
            self._decoded[name] = self._codec.decode(self._plain[name])
        return self._decoded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._plain)

    def __len__(self) -> int:
        return len(self._plain)


class StepReading(NamedTuple):
    """What runs inside of every operator, and (path, why) of the files that were not read."""

    steps: Mapping[str, tuple[Step, ...]]
    broken: tuple[tuple[str, str], ...]


class AllKernels(NamedTuple):
    """The kernels of every operator by its full name."""

    readings: Mapping[str, KernelReading]


def _by_name(codec: Codec[Any]) -> Special:
    """How what is kept by name is coded."""
    return Special(
        lambda rows, _: {name: codec.encode(each) for name, each in rows.items()}, lambda plain, _: Rows(plain, codec)
    )


_STEPS = Codec(StepReading, special={(StepReading, "steps"): _by_name(Codec(tuple[Step, ...]))})
_CONTENT = Codec(bytes)
_READINGS = Codec(AllKernels, special={(AllKernels, "readings"): _by_name(Codec(KernelReading))})


@dataclass
class StoredKernels:
    """``broken`` collects (path, why) of the files that were not read."""

    store: Store
    entries: Mapping[str, NativeFunction]
    definitions: Definitions
    owner: Owner
    text: bytes
    """native_functions.yaml."""
    root: Path | None = None
    """The folder on disk that the sources are in."""
    functions: tuple[str, ...] = ()
    """Functions that are told by what they call, beside the entries."""
    formulas: tuple[Formula, ...] = ()
    """Formulas of gradients, which are told so, too."""
    broken: dict[tuple[str, str], None] = field(default_factory=dict)
    _too_much: list[tuple[str, str]] = field(default_factory=list)
    _readings: Mapping[str, KernelReading] | None = None

    def of(self, entry: NativeFunction) -> tuple[KernelRegistration, ...]:
        """The kernels of one operator, which is going to be asked for its steps, too."""
        if self._readings is None:
            self._readings = self._kept(lambda: self._read_all(self._with_calls))
        return self._with_targets(self._readings[entry.full_name])

    def of_all(self) -> list[tuple[KernelRegistration, ...]]:
        """The kernels of every operator, in the order of the entries."""
        kept = self._kept(lambda: self._read_all(self.definitions))
        return [self._with_targets(kept[name]) for name in self.entries]

    def _kept(self, make: Callable[[], AllKernels]) -> Mapping[str, KernelReading]:
        return self.store.remember(key_of(NAME, (self._content,)), _READINGS, make).readings

    @cached_property
    def steps(self) -> Mapping[str, tuple[Step, ...]]:
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
        holding = {entry.name for entry in self.entries.values() if "Tensor" in entry.schema.rpartition("->")[2]}
        others = frozenset(entry.name for entry in self.entries.values()) - holding  # as `item`
        return TensorNames(functions, methods, lists=lists, others=others)

    @cached_property
    def _with_calls(self) -> Definitions:
        return self.definitions.with_calls(self._giving)

    @cached_property
    def _content(self) -> bytes:
        """What the sources hold, found without reading them while none of them changes."""
        state = state_of(self.root, [ENTRIES, *self.definitions.paths()])
        if state is None:
            return self._read_content()
        return self.store.remember(key_of(f"{NAME} content", (state,)), _CONTENT, self._read_content)

    def _read_content(self) -> bytes:
        return key_of(NAME, (self.text, *self.definitions.contents()))

    def _read_all(self, definitions: Definitions) -> AllKernels:
        definitions.look_for([name for entry in self.entries.values() for name in wanted_names(entry)])
        return AllKernels({name: self._read(entry, definitions) for name, entry in self.entries.items()})

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
