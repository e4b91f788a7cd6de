"""The C++ half of TensorFlow's tracer: ops, kernels and gradients by op, and from a file, a class or a target back.

``CppRecords`` and the packages of the files they name -> records of ``ops.model``, with targets and computing methods.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from bzlgraph.base.gap import Gap
from bzlgraph.base.phase import each_of
from bzlgraph.base.span import Location
from bzlgraph.cpp.condition import TRUE, both, condition_text, joined, negated, parse_condition, possible
from bzlgraph.cpp.text import cpp_files, is_test_file
from bzlgraph.loading.loader import Loader
from bzlgraph.ops.file_targets import FileTargets
from bzlgraph.ops.model import NO_GRADIENT, GradientRegistration, KernelRegistration, OpRegistration
from bzlgraph.ops.tensorflow.cpp.records import CppRecords, read_records
from bzlgraph.starlark.evaluation.watchdog import reading
from bzlgraph.workspace.sources.source import TolerantSource
from bzlgraph.workspace.tree import RepositoryTree

if TYPE_CHECKING:
    from bzlgraph.ops.tensorflow.cpp.work.beyond import Beyond
    from bzlgraph.ops.tensorflow.cpp.work.mlir import MlirWork

DEVICES = ("CPU", "GPU", "DEFAULT", "XLA")
"""The order in which kernels are shown; other devices come after."""

PASSED_ON = ("tensorflow/compiler/jit/",)
"""Folders whose files register other people's kernels again, for devices of the compiler."""

WRAPPING = "Variant"
"""The type of values that hold any other."""

AT_RUN_TIME = b"OpRegistry::Global()->Register("
"""How a loop registers ops of which only the running program knows the names."""

ASIDE = ("/examples/", "/testlib", "/test", "_testlib", "test_ops", "/experimental/")
"""What marks files that no product is made of."""


FRAMEWORK, SHARE = 1000, 0.5
"""Kernels, and a share of all: a file that more of them see than both is the framework's, and no kernel's work is
looked for in it."""


@dataclass
class CppIndex:
    """Answers of a workspace's main repository; nothing is read before it is asked something."""

    loader: Loader
    targets: FileTargets = field(init=False)
    tree: RepositoryTree = field(init=False)
    files: TolerantSource = field(init=False)
    """What is searched without being read as C++."""

    def __post_init__(self) -> None:
        self.targets = FileTargets(self.loader)
        self.tree = self.loader.workspace.repository("").tree
        self.files = TolerantSource(self.tree.source)

    @cached_property
    def records(self) -> CppRecords:
        """Everything that the tree registers."""
        options = self.loader.workspace.options
        return read_records(self.tree.source, self.tree.entries, options.cache_folder, options.jobs)

    @cached_property
    def _ops(self) -> Mapping[str, Collection[OpRegistration]]:
        return self.records.ops.by_op()

    @cached_property
    def _kernels(self) -> Mapping[str, Collection[KernelRegistration]]:
        return self.records.kernels.by_op()

    @cached_property
    def _gradients(self) -> Mapping[str, Collection[GradientRegistration]]:
        return self.records.gradients.by_op()

    def ops(self) -> Collection[str]:
        """Every registered op."""
        return self._ops.keys()

    @cached_property
    def named(self) -> Collection[str]:
        """Every op that is registered or has a kernel: a plugin's kernels are of ops that TensorFlow registers."""
        return self._ops.keys() | self._kernels.keys()

    def registered_at_run_time(self) -> tuple[str, ...]:
        """``FILE:LINE`` of the calls that register ops without a macro, in the files that register others with one."""
        return tuple(
            f"{path}:{number}"
            for path in sorted({each.location.path for each in self.records.ops})
            for number, line in enumerate(self.files.read(path).splitlines(), 1)
            if AT_RUN_TIME in line
        )

    def registrations(self, op: str) -> tuple[OpRegistration, ...]:
        """Where an op is registered, the product's own registration first."""
        found = sorted(self._ops.get(op, ()), key=lambda each: (_aside(each.location.path), each.location))
        made = [replace(each, targets=self.targets.labels(each.location.path)) for each in found]
        return tuple(sorted(made, key=lambda each: not each.targets))

    def kernels(self, op: str, to_the_end: bool = False) -> tuple[KernelRegistration, ...]:
        """Its kernels: those that compute before those that pass on, each device, class and place once; of copies of a
        file for one device those that a target builds come first.

        ``to_the_end``: with where the work goes on behind Compute.
        """
        found = dict.fromkeys(sorted(self._kernels.get(op, ()), key=_rank))
        made = [self._kernel(each, to_the_end) for each in found]
        built = {(each.device, each.kernel_class) for each in made if each.targets}
        return tuple(sorted(made, key=lambda each: not each.targets and (each.device, each.kernel_class) in built))

    def first_kernels(self, op: str) -> tuple[KernelRegistration, ...]:
        """The kernel of an op on each device that comes first, with where its work goes on; of what people install.
        What registers it for some types or for others decides of types only."""
        first: dict[str, KernelRegistration] = {}
        ranked = sorted(self._kernels.get(op, ()), key=lambda each: (_wraps(each), _rank(each)))
        for each in filter(is_of_the_product, ranked):
            known = first.setdefault(each.device, each)
            if (_for_any(known), known.compute) == (_for_any(each), each.compute):
                first[each.device] = replace(known, condition=_either(known.condition, each.condition))
        return tuple(self._kernel(each, to_the_end=True) for each in first.values())

    def _kernel(self, each: KernelRegistration, to_the_end: bool) -> KernelRegistration:
        built = self.targets.of(each.location.path)
        condition = built[0].condition if built else ""
        made = replace(each, targets=tuple(target.label for target in built), build_condition=condition)
        return replace(made, work=(*self._beyond.of(made), *self._mlir.of(made))) if to_the_end else made

    @cached_property
    def _beyond(self) -> Beyond:
        from bzlgraph.cpp.include_tree import IncludeTree  # what reads C++ is imported when a file is read
        from bzlgraph.ops.tensorflow.cpp.work.beyond import Beyond
        from bzlgraph.ops.tensorflow.cpp.work.classes import Classes

        paths = frozenset(path for path in cpp_files(self.tree.entries) if not is_test_file(path))
        known = self.records.included
        return Beyond(Classes(IncludeTree(paths, self.tree.source.read, guard=reading, resolved=known)))

    @cached_property
    def _mlir(self) -> MlirWork:
        from bzlgraph.ops.tensorflow.cpp.work.mlir import MlirWork

        return MlirWork(self.tree, self.files.read, self.loader.find)

    def gradients(self, op: str) -> tuple[GradientRegistration, ...]:
        """Its gradients in C++; the function is "none" where there is none on purpose."""
        found = self._gradients.get(op, ())
        return tuple(sorted(found, key=lambda each: (each.function != NO_GRADIENT, each.function, each.location)))

    def file_of(self, op: str) -> str:
        """A file that registers an op, the product's own first; "" for none."""
        places = sorted((_aside(each.location.path), each.location) for each in self._ops.get(op, ()))
        return places[0][1].path if places else ""

    def is_stateful(self, op: str) -> bool | None:
        """Whether an op has a state by one of its registrations, None where there is none."""
        found = self._ops.get(op, ())
        return any(each.stateful for each in found) if found else None

    def registered_in(self, files: Collection[str]) -> set[str]:
        """The ops that some files register."""
        return {op for file in files for op in self._ops_by_file.get(file, ())}

    @cached_property
    def _ops_by_file(self) -> Mapping[str, Collection[str]]:
        found: dict[str, list[str]] = {}
        for each in self.records.ops:
            found.setdefault(each.location.path, []).append(each.op)
        return found

    def ops_in(self, file: str) -> tuple[str, ...]:
        """The ops that a file registers, has kernels of, computes, holds functors of, or has MLIR work for: those first
        that it is the file of, then those that only go on there."""
        found = self._registered_in({file}) | {
            each.op
            for each in self.records.kernels
            if file in each.device_files or (each.compute is not None and each.compute.path == file)
        }
        behind = self._behind(file, found) or (() if found else self._mlir.ops_of(file, self.records.kernels))
        return (*sorted(found), *sorted(behind))

    def _behind(self, file: str, known: Collection[str]) -> Collection[str]:
        """The ops of which some kernel's work goes on in a file behind Compute, but for those that are known."""
        if file not in self._beyond.classes.tree.paths:
            return ()
        kernels = [each for each in self.records.kernels if each.compute is not None]
        seeing = [each for each in kernels if self._beyond.may_reach(each, file)]
        if len(seeing) > max(FRAMEWORK, SHARE * len(kernels)):
            return ()
        found: set[str] = set()
        for kernel in each_of("Looking for kernels that work there", seeing):
            if kernel.op not in found and kernel.op not in known:
                places = (work.location for work in self._beyond.of(kernel))
                if any(place is not None and place.path == file for place in places):
                    found.add(kernel.op)
        return found

    def ops_of_class(self, name: str) -> tuple[str, ...]:
        """The ops that a kernel class computes, by its name with or without template arguments."""
        plain = name.replace(" ", "")
        classes = ((each.op, each.kernel_class.replace(" ", "")) for each in self.records.kernels)
        return tuple(sorted({op for op, written in classes if plain in (written, written.partition("<")[0])}))

    def ops_of_target(self, label: str) -> tuple[str, ...]:
        """The ops whose files a target builds."""
        return tuple(sorted(self._registered_in(set(self.targets.files_of(label)))))

    def _registered_in(self, files: set[str]) -> set[str]:
        """The ops and the kernels' ops of some files."""
        ops = {each.op for each in self.records.ops if each.location.path in files}
        return ops | {each.op for each in self.records.kernels if each.location.path in files}

    def gaps(self) -> tuple[Gap, ...]:
        """What could not be read, and what may hide the targets of what was."""
        of_records = (*self.records.gaps, *self.targets.gaps) if "records" in self.__dict__ else ()
        return (*of_records, *self.files.gaps.values())


def is_of_the_product(kernel: KernelRegistration) -> bool:
    """Whether a kernel computes in what people install: no lowering of XLA, none that is passed on, no example."""
    path = kernel.location.path
    return not (kernel.for_xla or path.startswith(PASSED_ON) or _aside(path))


def _rank(kernel: KernelRegistration) -> tuple[bool, bool, int, str, bool, Location, str]:
    """The order of an op's kernels. One with a label is chosen by that only (the attribute ``_kernel``)."""
    device = DEVICES.index(kernel.device) if kernel.device in DEVICES else len(DEVICES)
    passed_on = kernel.location.path.startswith(PASSED_ON)
    about = kernel.device, bool(kernel.label), kernel.location, kernel.kernel_class
    return _aside(kernel.location.path), passed_on, device, *about


def _wraps(kernel: KernelRegistration) -> bool:
    """Whether a kernel is for values that hold others, whatever these are."""
    return any(each.rpartition(" ")[2].rpartition("::")[2] == WRAPPING for each in kernel.constraints)


def _for_any(kernel: KernelRegistration) -> str:
    """The class of a kernel with the names of attributes in place of the types that it is for."""
    found = kernel.kernel_class
    for each in kernel.constraints:
        name, _, written = each.partition(": ")
        found = re.sub(rf"(?<![\w:]){re.escape(written)}(?![\w:<])", name, found) if written else found
    return found


def _aside(path: str) -> bool:
    return any(mark in path for mark in ASIDE)


def _either(one: str, other: str) -> str:
    """The condition of what is there under one condition and under another.

    >>> _either("A && B", "A && !B"), _either("A && B", "A"), _either("A", "!A"), _either("A && C", "B && C")
    ('A', 'A', '', 'C && (A || B)')
    >>> _either("(A || B) && A", "A || B"), _either("A || B", "!A && !B"), _either("A", "")
    ('A || B', '', '')
    """
    first, second = (parse_condition(each) if each else TRUE for each in (one, other))
    for narrow, wide in ((first, second), (second, first)):
        if not possible(both(narrow, negated(wide))):
            return condition_text(wide)
    parts = [each.parts if each.kind == "and" else (each,) for each in (first, second)]
    common = [each for each in parts[0] if each in parts[1]]
    alone = [joined("and", tuple(each for each in listed if each not in common)) for listed in parts]
    rest = joined("or", tuple(alone))
    return condition_text(joined("and", (*common, rest if possible(negated(rest)) else TRUE)))
