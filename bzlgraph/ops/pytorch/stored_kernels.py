"""The kernels of operators, kept by the content of all C++ files: a question that was asked before reads none of them.

Targets are not kept: BUILD files change without the sources.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from bzlgraph.base.codec import Codec
from bzlgraph.ops.file_targets import Owner
from bzlgraph.ops.model import KernelRegistration
from bzlgraph.ops.pytorch.definitions import Definitions
from bzlgraph.ops.pytorch.entries import NativeFunction
from bzlgraph.ops.pytorch.kernels import kernels, wanted_names
from bzlgraph.workspace.cache.freshness import key_of
from bzlgraph.workspace.cache.store import Store

NAME = "pytorch kernels"


class KernelReading(NamedTuple):
    """The kernels of an operator, without their targets, and (path, why) of the files that were not read so far."""

    kernels: tuple[KernelRegistration, ...]
    broken: tuple[tuple[str, str], ...]


_READING, _READINGS = Codec(KernelReading), Codec(list[KernelReading])


@dataclass
class StoredKernels:
    """``broken`` collects (path, why) of the files that were not read."""

    store: Store
    entries: Mapping[str, NativeFunction]
    definitions: Definitions
    owner: Owner
    text: bytes
    """native_functions.yaml."""
    broken: dict[tuple[str, str], None] = field(default_factory=dict)

    def of(self, entry: NativeFunction) -> tuple[KernelRegistration, ...]:
        """The kernels of one operator."""
        key = key_of(f"{NAME} {entry.full_name}", (self._content,))
        return self._with_targets(self.store.remember(key, _READING, lambda: self._read(entry)))

    def of_all(self) -> list[tuple[KernelRegistration, ...]]:
        """The kernels of every operator, in the order of the entries."""
        readings = self.store.remember(key_of(NAME, (self._content,)), _READINGS, self._read_all)
        return [self._with_targets(each) for each in readings]

    @cached_property
    def _content(self) -> bytes:
        return key_of(NAME, (self.text, *self.definitions.contents()))

    def _read_all(self) -> list[KernelReading]:
        self.definitions.look_for([name for entry in self.entries.values() for name in wanted_names(entry)])
        return [self._read(entry) for entry in self.entries.values()]

    def _read(self, entry: NativeFunction) -> KernelReading:
        found = kernels(entry, self.entries, self.definitions)
        return KernelReading(tuple(found), tuple(self.definitions.broken))

    def _with_targets(self, reading: KernelReading) -> tuple[KernelRegistration, ...]:
        self.broken.update(dict.fromkeys(reading.broken))
        return tuple(replace(each, targets=self._targets(each)) for each in reading.kernels)

    def _targets(self, kernel: KernelRegistration) -> tuple[str, ...]:
        return self.owner(kernel.location.path) if kernel.location.line else ()
