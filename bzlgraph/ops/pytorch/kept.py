"""The kernels of operators, kept by the content of all C++ files: a question that was asked before reads none of them.

Targets are not kept: BUILD files change without the sources.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from bzlgraph.base.span import Location
from bzlgraph.ops.model import KernelRegistration
from bzlgraph.ops.pytorch.definitions import Definitions
from bzlgraph.ops.pytorch.entries import NativeFunction
from bzlgraph.ops.pytorch.kernels import Owner, kernels, wanted_names
from bzlgraph.ops.readings import Readings, digest_of

NAME = "pytorch kernels 1"
Plain = tuple[list[tuple[Any, ...]], list[tuple[str, str]]]


@dataclass
class KeptKernels:
    """``broken`` collects (path, why) of the files that were not read."""

    readings: Readings
    entries: Mapping[str, NativeFunction]
    definitions: Definitions
    owner: Owner
    text: bytes
    """native_functions.yaml."""
    broken: dict[tuple[str, str], None] = field(default_factory=dict)

    def of(self, entry: NativeFunction) -> tuple[KernelRegistration, ...]:
        """The kernels of one operator."""
        made = self.readings.kept(f"{NAME} {entry.full_name}", self._content, lambda: self._read(entry))
        return self._told(made)

    def of_all(self) -> list[tuple[KernelRegistration, ...]]:
        """The kernels of every operator, in the order of the entries."""
        made = self.readings.kept(NAME, self._content, self._read_all)
        return [self._told(each) for each in made]

    @cached_property
    def _content(self) -> bytes:
        return digest_of([self.text, *self.definitions.contents()])

    def _read_all(self) -> list[Plain]:
        self.definitions.look_for([name for entry in self.entries.values() for name in wanted_names(entry)])
        return [self._read(entry) for entry in self.entries.values()]

    def _read(self, entry: NativeFunction) -> Plain:
        found = kernels(entry, self.entries, self.definitions, lambda _path: ())
        return [_plain(each) for each in found], self.definitions.broken

    def _told(self, made: Plain) -> tuple[KernelRegistration, ...]:
        found, broken = made
        self.broken.update(dict.fromkeys(tuple(each) for each in broken))  # type: ignore[misc]
        kept = (_kernel(each) for each in found)
        return tuple(replace(each, targets=self._targets(each)) for each in kept)

    def _targets(self, kernel: KernelRegistration) -> tuple[str, ...]:
        return self.owner(kernel.location.path) if kernel.location.line else ()


def _plain(kernel: KernelRegistration) -> tuple[Any, ...]:
    place = (kernel.location.path, kernel.location.line)
    return kernel.op, kernel.device, kernel.kernel_class, place, kernel.through, kernel.condition


def _kernel(plain: tuple[Any, ...]) -> KernelRegistration:
    op, device, function, (path, line), through, condition = plain
    return KernelRegistration(
        op, device, function, Location(path, line, 1 if line else 0), through, condition=condition
    )
