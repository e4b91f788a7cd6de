"""PyTorch's tracer: public names, operators, C++ functions and files, each leading to all the others.

word -> ``Answer``; a whole tree -> ``OpTable``. Nothing is read before a question needs it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path

from bzlgraph.base.codec import Codec
from bzlgraph.base.gap import Gap
from bzlgraph.base.span import Location
from bzlgraph.cache.freshness import key_of
from bzlgraph.cache.store import READINGS, Store
from bzlgraph.loading.loader import Loader
from bzlgraph.ops.file_targets import FileTargets, Hidden, Owner
from bzlgraph.ops.model import (
    ApiName,
    GradientRegistration,
    KernelRegistration,
    OpRegistration,
    OpUse,
    PythonRule,
    PythonStep,
    Run,
)
from bzlgraph.ops.pytorch.cpp.by_hand import AUTOGRAD_KEYS
from bzlgraph.ops.pytorch.cpp.definitions import Definitions
from bzlgraph.ops.pytorch.cpp.truth import all_of
from bzlgraph.ops.pytorch.derivatives import PATH as DERIVATIVES
from bzlgraph.ops.pytorch.derivatives import Derivative, read_derivatives
from bzlgraph.ops.pytorch.entries import ENTRIES, BrokenEntries, NativeFunction, function_name, read_entries
from bzlgraph.ops.pytorch.kernels import ABSENT, compiled_first, is_ordinary, runs_on, where_asked_for, without_choices
from bzlgraph.ops.pytorch.overloads import GivenByCalls, arguments_of, tensor_positions
from bzlgraph.ops.pytorch.python.public import REGISTERED, OperatorPath, PublicNames
from bzlgraph.ops.pytorch.python.rules import DECOMPOSITION, META, Registered, all_rules
from bzlgraph.ops.pytorch.running.call_meanings import FOLLOWED
from bzlgraph.ops.pytorch.running.devices import kernels_there, may_mix_devices, takes_device
from bzlgraph.ops.pytorch.running.let_through import LetThrough
from bzlgraph.ops.pytorch.running.run_tree import run_tree
from bzlgraph.ops.pytorch.running.steps import Step
from bzlgraph.ops.pytorch.stored_kernels import Formula, StoredKernels
from bzlgraph.ops.pytorch.word_meanings import WordMeanings
from bzlgraph.ops.tracer import Answer, Cell, OpTable, OpTrace, Tracer, columns
from bzlgraph.starlark.evaluation.budget import OverBudget
from bzlgraph.starlark.evaluation.watchdog import reading
from bzlgraph.workspace.sources.source import Source, TolerantSource, folder_of

FRAMEWORK = "pytorch"
COLUMNS = columns("schema dispatch_key function file line target how condition derivatives decompositions meta")
OUTSIDE = "no kernel in this tree: its dispatch is empty"
MAX_RUNS = 500
"""Operators inside of those, the nearest first."""
MAX_STORIES = 60
"""Operators that one public name is explained with; the names of the others are still listed."""


_ENTRIES = Codec(list[NativeFunction])


def open_tracer(loader: Loader, folder: Path | None) -> PytorchTracer:
    """The tracer of the workspace's main repository; ``folder`` is where readings are kept, None for nowhere."""
    targets = FileTargets(loader)
    source = loader.workspace.repository("").tree.source
    jobs = loader.workspace.options.jobs
    return PytorchTracer(source, targets.labels, folder, hidden=lambda: targets.gaps, jobs=jobs)


class PytorchTracer(Tracer):
    """A PyTorch tree. ``owner`` says which targets a file is built into, ``folder`` where readings are kept; ``jobs``:
    how many processes read, 0 for one per core."""

    framework = FRAMEWORK

    def __init__(
        self, files: Source, owner: Owner, folder: Path | None = None, hidden: Hidden = tuple, jobs: int = 0
    ) -> None:
        self._files = files
        self._readable = TolerantSource(files)
        """What is searched, or read as Python."""
        self._jobs = jobs
        self._owner = owner
        self._hidden = hidden
        self._readings = Store(folder, READINGS)
        self._gaps: list[Gap] = []

    # -------------------------------------------------------------------------------------------------- questions
    def explain(self, word: str) -> Answer:
        """A public name (``torch.add``), an operator (``add.Tensor``, ``aten::add``), a C++ function or a file."""
        operators, found = self._words.meaning(word.strip())
        symbol = found.steps[0] if found is not None and found.steps else None
        by_hand = found.operators if found is not None and symbol is None and not operators else ()
        if by_hand:  # a method in C++ that calls no operator which is found; what it calls elsewhere is not followed
            symbol = PythonStep(by_hand[0], Location(self._public.bound.written_in(by_hand[0]), 0, 0))
        elsewhere = tuple(
            each for each in (found.operators if found is not None else ()) if each.startswith(REGISTERED)
        )
        stories = self._with_insides([self._story(entry) for entry in operators[:MAX_STORIES]])
        taken = found.taken if found is not None else ()
        remarks = [f"{len(operators) - MAX_STORIES} more operators"] if len(operators) > MAX_STORIES else []
        if taken and operators:
            remarks.append(f"calls what its caller passes as {', '.join(taken)}: what that runs is not listed")
        return Answer(
            asked=word,
            framework=FRAMEWORK,
            symbol=symbol,
            not_followed=(*(by_hand or elsewhere), *(f"what its caller passes as {each}" for each in taken)),
            uses=tuple(self._uses(found, operators)),
            stories=stories,
            remarks=tuple(remarks),
            gaps=self.gaps(),
            suggestions=() if operators or found else self._words.similar(word),
        )

    def ops(self) -> Iterator[OpTrace]:
        """Every operator, in the order of native_functions.yaml."""
        every = zip(self._entries.values(), self._kernels.of_all(), strict=True)
        return (self._story(entry, found) for entry, found in every)

    def table(self) -> OpTable:
        """A row for each operator and C++ function."""
        return OpTable(COLUMNS, [row for story in self.ops() for row in self._rows(story)])

    def _rows(self, story: OpTrace) -> Iterator[tuple[Cell, ...]]:
        entry = self._entries[story.op]
        schema, around = entry.schema, self._around(entry, story.gradients)
        for kernel in story.kernels:
            place, targets, how = kernel.location, " ".join(kernel.targets), "; ".join(kernel.through)
            where = (place.path, place.line or None, targets)
            yield (schema, kernel.device, kernel.kernel_class, *where, how, kernel.condition, *around)
        if not story.kernels:
            yield (schema, "", "", "", None, "", OUTSIDE, "", *around)

    def _around(self, entry: NativeFunction, gradients: Sequence[GradientRegistration]) -> tuple[Cell, ...]:
        """What is registered for an operator beside its kernels."""
        rules: dict[str, list[str]] = {DECOMPOSITION: [], META: []}
        for each in self._registered_for(entry):
            rules[each.kind].append(f"{each.function} at {each.path}:{each.line}")
        formulas = (f"{each.function} at {each.location.short}" for each in gradients)
        return ("; ".join(formulas), *map("; ".join, rules.values()))

    # ------------------------------------------------------------------------------------------------ what is read
    @cached_property
    def _entries(self) -> dict[str, NativeFunction]:
        try:
            with reading():
                text = self._files.read(ENTRIES)
                entries = self._readings.remember(
                    key_of(f"{ENTRIES} 2", (text,)), _ENTRIES, lambda: read_entries(text.decode("utf-8", "replace"))
                )
                return {entry.full_name: entry for entry in entries}
        except OSError as error:
            self._gap(ENTRIES, 1, error.strerror or str(error), "all operators")
        except (BrokenEntries, OverBudget) as problem:
            self._gap(ENTRIES, getattr(problem, "line", 1), str(problem), "all operators")
        return {}

    @cached_property
    def _kernels(self) -> StoredKernels:
        entries = self._entries
        text = self._files.read(ENTRIES) if entries else b""
        written = {*self._public.bound.methods.values(), *self._public.bound.functions.values()}
        by_hand = tuple(sorted(written - {entry.name for entry in entries.values()}))
        definitions = Definitions(self._files)
        root = folder_of(self._files) if self._readings.folder is not None else None
        about = (text, root, by_hand, self._formulas, self._jobs)
        return StoredKernels(self._readings, entries, definitions, self._owner, *about)

    @property
    def steps(self) -> Mapping[str, Sequence[Step]]:
        """What each operator calls itself."""
        return self._kernels.steps

    @cached_property
    def _words(self) -> WordMeanings:
        return WordMeanings(self._entries, self._public, lambda: self._kernels.steps, self._in_file)

    def _in_file(self, path: str) -> list[NativeFunction] | None:
        """The operators whose functions a file holds, None where there is no such file."""
        if not self._files.is_file(path):
            return None
        stories = (each for each in self.ops() if any(kernel.location.path == path for kernel in each.kernels))
        return [self._entries[each.op] for each in stories]

    @cached_property
    def _derivatives(self) -> dict[str, list[Derivative]]:
        try:
            with reading():
                data = self._readable.read(DERIVATIVES) if self._files.is_file(DERIVATIVES) else b""
                return read_derivatives(data.decode("utf-8", "replace"))
        except (BrokenEntries, OverBudget) as problem:
            self._gap(DERIVATIVES, getattr(problem, "line", 1), str(problem), "gradients")
            return {}

    @cached_property
    def _registered(self) -> dict[str, list[Registered]]:
        found = all_rules(self._readable, self._readings)
        for path, why in found.broken:
            self._gap(path, 1, why, "what it registers")
        names: dict[str, list[Registered]] = {}
        for each in found.known:
            names.setdefault(each.op, []).append(each)
        return names

    @cached_property
    def _formulas(self) -> tuple[Formula, ...]:
        return tuple(
            Formula(name, derivative.line, formula)
            for name, derivatives in self._derivatives.items()
            if name in self._entries
            for derivative in derivatives
            for _argument, formula in derivative.formulas
        )

    @cached_property
    def _public(self) -> PublicNames:
        functions = {function_name(entry) for entry in self._entries.values() if "function" in entry.variants}
        methods = {entry.name for entry in self._entries.values() if "method" in entry.variants}
        return PublicNames(self._readable, functions, methods, GivenByCalls(self._entries.values()))

    # ----------------------------------------------------------------------------------------------- what is told
    def _story(self, entry: NativeFunction, read: tuple[KernelRegistration, ...] | None = None) -> OpTrace:
        found = self._kernels.of(entry) if read is None else read
        absent = sorted({kernel.device for kernel in found if ABSENT in kernel.through})
        return OpTrace(
            op=entry.full_name,
            api_names=tuple(ApiName(name, ()) for name in self._words.api_names(entry)),
            registrations=(OpRegistration(entry.full_name, Location(ENTRIES, entry.line, 1)),),
            kernels=found,
            gradients=tuple(self._gradients(entry)),
            remarks=(f"no definition in this tree for {', '.join(absent)}",) if absent else (),
        )

    def _with_insides(self, stories: list[OpTrace]) -> tuple[OpTrace, ...]:
        """Stories with what runs inside of each, every operator where it is nearest, and of its gradients."""
        if not stories:
            return ()
        steps = self._kernels.steps
        moving = {name for name, entry in self._entries.items() if takes_device(entry)}
        about = partial(runs_on, self._entries), partial(is_ordinary, self._entries), moving.__contains__
        letting = LetThrough(self._entries, self._readable, steps.__getitem__)
        mixing = partial(may_mix_devices, self._entries)
        trees = run_tree(steps, [story.op for story in stories], MAX_RUNS, *about, letting.below, mixing)
        return tuple(
            replace(
                story,
                runs=tuple(self._runs(trees[story.op])),
                gradients=tuple(self._with_kernels(each, steps) for each in story.gradients),
                python_rules=tuple(self._python_rules(self._entries[story.op])),
            )
            for story in stories
        )

    def _with_kernels(
        self, gradient: GradientRegistration, steps: Mapping[str, tuple[Step, ...]]
    ) -> GradientRegistration:
        """A formula with the operators that it calls, and the first kernel of those that compute on each device."""
        formula = gradient.function.partition(": ")[2]
        names = [name for name in self._derived_from(gradient.op) if name in self._derivatives]
        keys = (Formula(name, gradient.location.line, formula).key for name in names)
        inside = [step for key in keys for step in steps.get(key, ())]
        called = [step.op for step in inside]
        possible = tuple(step.op for step in inside if step.conditions)
        kernels = {
            (kernel.op, kernel.device): kernel
            for name in called
            if not self._entries[name].moves
            for kernel in reversed(without_choices(compiled_first(self._kernels.of(self._entries[name]))))
            if kernel.location.line and kernel.device in FOLLOWED
        }
        first = tuple(reversed(kernels.values()))
        return replace(gradient, ops=tuple(called), kernels=first, possible=possible)

    def _runs(self, rows: list[tuple[int, Step]]) -> Iterator[Run]:
        above = [True]  # whether what each depth is called by runs for certain
        for depth, step in rows:
            entry = self._entries[step.op]
            listed = (each for each in self._kernels.of(entry) if each.location.path)
            found = [each for each in listed if AUTOGRAD_KEYS.fullmatch(each.device) is None]  # of what is asked for
            there = where_asked_for(kernels_there(found, step.device), step.conditions)
            kernels = compiled_first(there, step.conditions)
            condition = all_of(step.conditions)
            certain = above[depth - 1] and not condition
            above[depth:] = [certain]
            yield Run(
                step.op,
                depth,
                step.location,
                step.through,
                condition,
                kernels,
                entry.moves,
                step.device,
                step.otherwise,
                certain,
            )

    def _registered_for(self, entry: NativeFunction) -> Iterator[Registered]:
        """What Python registers for an operator, or for all its overloads but those that write to ``out``."""
        rules = self._registered
        own = entry.full_name if entry.overload else f"{entry.name}.default"
        for each in (*rules.get(own, ()), *rules.get(entry.name, ())):
            if each.op == own or not entry.writes_out:
                yield each

    def _python_rules(self, entry: NativeFunction) -> Iterator[PythonRule]:
        """The same, with the operators that each function calls."""
        for each in self._registered_for(entry):
            name = f"{each.path.removesuffix('.py').replace('/', '.')}.{each.function}"
            found = self._public.find(name, tensor_positions(entry.schema))
            ops = self._words.plain(found.operators) if found is not None else ()
            certain = self._words.plain(found.certain) if found is not None else ()
            possible = tuple(name for name in ops if name not in certain)
            yield PythonRule(
                entry.full_name, each.kind, each.function, Location(each.path, each.line, 1), ops, possible
            )

    def _gradients(self, entry: NativeFunction) -> Iterator[GradientRegistration]:
        """What derivatives.yaml says of an operator; an in-place one has the formulas of the one it is made from."""
        for name in self._derived_from(entry.full_name):
            for derivative in self._derivatives.get(name, ()):
                for argument, formula in derivative.formulas:
                    place = Location(DERIVATIVES, derivative.line, 1)
                    yield GradientRegistration(entry.full_name, f"{argument}: {formula}", place)
            if name in self._derivatives:
                return

    def _derived_from(self, operator: str) -> tuple[str, ...]:
        """The operators whose formulas are those of one: its own, else those of the one that it changes in place."""
        entry = self._entries[operator]
        new = self._words.by_base.get(entry.name.removesuffix("_"), []) if entry.name.endswith("_") else []
        alike = (each.full_name for each in new if arguments_of(each.schema) == arguments_of(entry.schema))
        return (operator, *alike)

    def _uses(self, found: OperatorPath | None, operators: list[NativeFunction]) -> Iterator[OpUse]:
        """How a public name leads to operators; of several overloads the arguments choose one."""
        if found is None:
            return
        overloads = Counter(entry.name for entry in operators)
        reached = {each for name in found.certain for each in self._words.always(name)}
        for entry in operators:
            place = found.steps[0].location if found.steps else Location(ENTRIES, entry.line, 1)
            certain = overloads[entry.name] == 1 and entry.full_name in reached
            yield OpUse(entry.full_name, f"torch._C {entry.name}", place, found.steps[:1], certain)

    def gaps(self) -> tuple[Gap, ...]:
        """What could not be read so far."""
        for path, why in self._kernels.broken:
            self._gap(path, 1, why, "what it defines")
        for path, line, why in self._public.broken if "_public" in self.__dict__ else ():
            self._gap(path, line, why, "what it calls")
        return tuple(dict.fromkeys((*self._gaps, *self._readable.gaps.values(), *self._hidden())))

    def _gap(self, path: str, line: int, why: str, hides: str) -> None:
        self._gaps.append(Gap("file", f"{path}: {why}", hides, Location(path, line, 1)))
