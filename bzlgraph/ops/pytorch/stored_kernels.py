"""Kernels and steps of operators, kept by the content of all C++ files: no second question about a tree reads them all.

Both come from one reading of all files. What functions call is looked for when a name leads to them: its steps are kept
by themselves, and only the files of functions that others reach are read again. Targets are not kept: BUILD files
change without the sources.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from bzlgraph.base.codec import Codec, Special
from bzlgraph.base.words import utf8
from bzlgraph.cache.freshness import key_of, state_of
from bzlgraph.cache.store import Store
from bzlgraph.ops.file_targets import Owner
from bzlgraph.ops.model import KernelRegistration
from bzlgraph.ops.pytorch.cpp.definitions import ALL_FACTS, Definitions
from bzlgraph.ops.pytorch.cpp.questions import Constants
from bzlgraph.ops.pytorch.cpp.values.function_names import TensorNames
from bzlgraph.ops.pytorch.derivatives import formula_definition
from bzlgraph.ops.pytorch.entries import ENTRIES, NativeFunction
from bzlgraph.ops.pytorch.kernels import kernels, wanted_names
from bzlgraph.ops.pytorch.running.composites import Composites
from bzlgraph.ops.pytorch.running.known.given_values import decides
from bzlgraph.ops.pytorch.running.steps import Step
from bzlgraph.starlark.evaluation.budget import OverBudget
from bzlgraph.starlark.evaluation.watchdog import reading

T = TypeVar("T")
NAME, FACTS, STEPS = "pytorch kernels 14", "pytorch facts 8", "pytorch steps 84"
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
    """What runs inside of an operator, and (path, why) of the files that were not read."""

    steps: tuple[Step, ...]
    broken: tuple[tuple[str, str], ...]


class Steps(Mapping[str, tuple[Step, ...]]):
    """What each name calls, read when somebody asks for it."""

    def __init__(
        self,
        names: Collection[str],
        read: Callable[[str, Constants], tuple[Step, ...]],
        mattering: Callable[[str], Collection[str]],
    ) -> None:
        self._names = names
        self._read = read
        self._matters = mattering
        self._known: dict[tuple[str, Constants], tuple[Step, ...]] = {}
        self._mattering: dict[str, Collection[str]] = {}

    def __getitem__(self, name: str) -> tuple[Step, ...]:
        return self.given(name, ())

    def given(self, name: str, given: Constants) -> tuple[Step, ...]:
        """What an operator calls that is given something."""
        at = name, given
        if at not in self._known:
            if name not in self._names:
                raise KeyError(name)
            self._known[at] = self._read(name, given)
        return self._known[at]

    def mattering(self, name: str, given: Constants) -> Constants:
        """Of what an operator is given that which decides anything."""
        if given and name not in self._mattering:
            self._mattering[name] = self._matters(name)
        return tuple(fact for fact in given if decides(fact[0], self._mattering[name]))

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class AllKernels(NamedTuple):
    """The kernels of every operator by its full name."""

    readings: Mapping[str, KernelReading]


def _by_name(codec: Codec[Any]) -> Special:
    """How what is kept by name is coded."""
    return Special(
        lambda rows, _: {name: codec.encode(each) for name, each in rows.items()}, lambda plain, _: Rows(plain, codec)
    )


_STEPS = Codec(StepReading)
_NAMES = Codec(tuple[str, ...])
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
    jobs: int = 0
    """How many processes read, 0 for one per core."""
    broken: dict[tuple[str, str], None] = field(default_factory=dict)
    _too_much: list[tuple[str, str]] = field(default_factory=list)
    _too_long: list[tuple[str, str]] = field(default_factory=list)
    """Entries with kernels, and names with steps, that were given up."""
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
    def steps(self) -> Steps:
        """The operators that each operator, function and formula calls itself."""
        names = dict.fromkeys((*self.entries, *self.functions, *self._by_key))
        return Steps(names, self._steps_of, self._mattering)

    @cached_property
    def _by_key(self) -> dict[str, Formula]:
        return {each.key: each for each in self.formulas}

    def _mattering(self, name: str) -> tuple[str, ...]:
        key = key_of(f"{STEPS} mattering", (self._content, utf8(name)))
        return self.store.remember(key, _NAMES, lambda: self._read_mattering(self.entries[name]))

    def _read_mattering(self, entry: NativeFunction) -> tuple[str, ...]:
        """Nothing where that takes too long: it runs as with unknown arguments."""
        try:
            with reading():
                return self._composites.mattering(entry)
        except OverBudget:
            return ()

    def _steps_of(self, name: str, given: Constants = ()) -> tuple[Step, ...]:
        key = key_of(STEPS, (self._content, utf8(name), *(utf8("=".join(each)) for each in given)))
        found = self.store.remember(key, _STEPS, lambda: self._read_steps(name, given))
        self.broken.update(dict.fromkeys(found.broken))
        return found.steps

    def _read_steps(self, name: str, given: Constants) -> StepReading:
        """What takes too long calls nothing; after a few names that do, none that is asked for later does."""
        found: tuple[Step, ...] = ()
        if len(self._too_long) < MAX_BROKEN:
            try:
                with reading():
                    found = self._found_steps(name, given)
            except OverBudget as problem:
                self._too_long.append((ENTRIES, f"{name}: {problem}"))
        return StepReading(found, (*self._with_calls.broken, *self._too_long))

    def _found_steps(self, name: str, given: Constants) -> tuple[Step, ...]:
        if name in self.entries:
            return self._composites.steps(self.entries[name], given)
        if name in self._by_key:
            op, line, formula = self._by_key[name]
            giving = self._with_calls.giving or TensorNames()
            return self._composites.of_definition(formula_definition(self.entries[op], line, formula, giving))
        return self._composites.of_function(name)

    @cached_property
    def _composites(self) -> Composites:
        return Composites(self.entries, self._with_calls)

    @cached_property
    def _giving(self) -> TensorNames:
        tensors = [entry for entry in self.entries.values() if entry.gives_tensor]
        lists = frozenset(entry.name for entry in self.entries.values() if entry.gives_list)
        functions, methods = (_named_in_cpp(tensors, variant) for variant in ("function", "method"))
        holding = {entry.name for entry in self.entries.values() if "Tensor" in entry.schema.rpartition("->")[2]}
        others = frozenset(entry.name for entry in self.entries.values()) - holding  # as `item`
        one = {entry.name for entry in self.entries.values() if entry.gives_one_tensor}
        tuples = [entry for entry in tensors if entry.gives_tuple]
        several = frozenset(name for each in ("function", "method") for name in _named_in_cpp(tuples, each))
        always = frozenset(several - one)
        return TensorNames(functions, methods, lists=lists, others=others, several=several, tuples=always)

    @cached_property
    def _with_calls(self) -> Definitions:
        key = key_of(FACTS, (self._content,))
        facts = self.store.remember(key, ALL_FACTS, lambda: self.definitions.all_facts(self._giving, self.jobs))
        return self.definitions.with_calls(facts)

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
        return KernelReading(
            (), (*definitions.broken, *self._too_much, (ENTRIES, "the kernels of the other operators are not listed"))
        )

    def _with_targets(self, reading: KernelReading) -> tuple[KernelRegistration, ...]:
        self.broken.update(dict.fromkeys(reading.broken))
        return tuple(replace(each, targets=self._targets(each)) for each in reading.kernels)

    def _targets(self, kernel: KernelRegistration) -> tuple[str, ...]:
        return self.owner(kernel.location.path) if kernel.location.line else ()


def _named_in_cpp(entries: Iterable[NativeFunction], variant: str) -> frozenset[str]:
    """What C++ calls the entries that have a variant."""
    names = {entry.name for entry in entries if variant in entry.variants}
    return frozenset((*names, *(f"{name}_symint" for name in names)))
