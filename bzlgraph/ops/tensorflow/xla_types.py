"""The types for which XLA compiles an op: what its backend, the op's registration and the kernel's allow together.

Mirrors XlaOpRegistry::RegisterCompilationKernels (tensorflow/compiler/tf2xla/xla_op_registry.cc). For each backend that
``REGISTER_XLA_BACKEND(DEVICE_CPU_XLA_JIT, kCpuAllTypes, CpuOpFilter)`` names, an attribute of the op's types may be

1. a type of the backend's list
2. that the op allows: ``Attr("T: {half, float}")``, ``numbertype`` and its kin
3. and that the kernel allows: ``TypeConstraint("T", kFloatTypes)``;
4. and resource, variant or string where the kernel says ``AllowResourceTypes()``, or the backend's filter adds it.

A kernel of which an attribute has no type left is not registered for that backend. Lists are read where the tree
defines them; of one that is not found nothing is known, and it restricts nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from bzlgraph.base.words import utf8
from bzlgraph.ops.model import KernelRegistration, OpRegistration
from bzlgraph.workspace.sources.source import Source

FOLDER = "tensorflow/compiler/tf2xla"
TYPES = "tensorflow/core/framework/types.h"
TPU_TYPES = "tensorflow/core/tpu/tpu_defs.h"
COMPOUND = {
    "numbertype": "kNumberTypes",
    "numerictype": "kNumberTypes",
    "quantizedtype": "kQuantizedTypes",
    "realnumbertype": "kRealNumberTypes",
    "realnumerictype": "kRealNumberTypes",
}
"""Words in ``Attr`` that stand for several types -> the list of types.h."""
SAME = {"float16": "half", "float32": "float", "float64": "double"}
"""Types that have two names in ``Attr``."""

_BACKEND = re.compile(rb"^\s*REGISTER_XLA_BACKEND\(\s*DEVICE_(\w+)_XLA_JIT\s*,\s*(\w+)", re.MULTILINE)
_ADDED = re.compile(rb'op\(\)\s*==\s*"(\w+)"\)\s*\{\s*AddDtypeToKern[ae]lDefConstraint\(\s*"(\w+)",\s*DT_(\w+)')
_TYPE = re.compile(rb"\bDT_(\w+)")


@dataclass(frozen=True, slots=True)
class Backend:
    """A device that ops are compiled for: the types it knows, and (op, attribute) -> types that its filter adds."""

    device: str
    types: frozenset[str]
    added: Mapping[tuple[str, str], frozenset[str]]


@dataclass
class XlaTypes:
    """Answers for one tree; its lists are read when they are met."""

    source: Source
    _lists: dict[str, frozenset[str] | None] = field(default_factory=dict)

    @cached_property
    def backends(self) -> tuple[Backend, ...]:
        """The backends, CPU first."""
        found = {}
        for data in (self.source.read(path) for path in self._files if path.count("/") == FOLDER.count("/") + 1):
            backends = _BACKEND.findall(data)
            if not backends:
                continue
            added: dict[tuple[str, str], frozenset[str]] = {}
            for op, attribute, name in _ADDED.findall(data):
                added[op.decode(), attribute.decode()] = frozenset({name.decode().lower()})
            for device, types in backends:
                known = self.listed(types.decode())
                if known is not None:
                    found[device.decode()] = Backend(f"XLA_{device.decode()}_JIT", known, added)
        return tuple(found[name] for name in sorted(found))

    def of(
        self, op: OpRegistration | None, kernel: KernelRegistration, backend: Backend
    ) -> tuple[tuple[str, tuple[str, ...]], ...] | None:
        """(attribute, types) by name for one backend, None when the kernel is not registered for it."""
        if kernel.device not in ("XLA", backend.device):
            return None
        constraints = dict(each.split(": ", 1) for each in kernel.constraints)
        found = []
        for attribute, allowed in self._attributes(op):
            types = set(backend.types) if allowed is None else backend.types & allowed
            if attribute in constraints:
                only = self._named(constraints[attribute].split(" | "))
                types = types if only is None else types & only
            types = types | set(kernel.allows) | backend.added.get((kernel.op, attribute), frozenset())
            if not types:
                return None
            found.append((attribute, tuple(sorted(types))))
        return tuple(sorted(found))

    def _attributes(self, op: OpRegistration | None) -> Iterator[tuple[str, frozenset[str] | None]]:
        """An op's attributes that are types, each with the types that it allows, None for every type."""
        for text in op.type_attributes if op is not None else ():
            name, _, allowed = text.partition(":")
            inner = re.search(r"\{([^}]*)\}|(\w+type)", allowed)
            words = re.findall(r"\w+", inner.group()) if inner else []
            yield name.strip(), frozenset(self._expanded(words)) if words else None

    def _expanded(self, words: Iterable[str]) -> Iterator[str]:
        for word in words:
            if word in COMPOUND:
                yield from self.listed(COMPOUND[word]) or ()
            else:
                yield SAME.get(word, word)

    def _named(self, words: Iterable[str]) -> frozenset[str] | None:
        """The types that a constraint names one by one, or by a list or a function that gives one."""
        types: set[str] = set()
        for word in words:
            name = word.rpartition("::")[2].removesuffix("()")
            if name.startswith("DT_"):
                types.add(name[3:].lower())
            else:
                listed = self.listed(name)
                if listed is None:
                    return None
                types |= listed
        return frozenset(types)

    def listed(self, name: str) -> frozenset[str] | None:
        """The types of a list (``kFloatTypes = {{DT_HALF, ...}}``) or of a function that returns one."""
        if name not in self._lists:
            wanted = re.compile(
                rb"\b" + re.escape(utf8(name)) + rb"\s*(?:=|\(\)\s*\{\s*return)\s*((?:[^;]*?\bDT_)[^;]*);"
            )
            headers = filter(self.source.is_file, (TYPES, TPU_TYPES))
            found = (wanted.search(self.source.read(path)) for path in (*headers, *self._files))
            first = next((match for match in found if match is not None), None)
            types = [each.decode().lower() for each in _TYPE.findall(first.group(1))] if first else None
            self._lists[name] = frozenset(types) if types is not None else None
        return self._lists[name]

    @cached_property
    def _files(self) -> tuple[str, ...]:
        """The sources of tf2xla and its kernels."""
        return tuple(
            f"{folder}/{name}"
            for folder in (FOLDER, f"{FOLDER}/kernels")
            for name in sorted(self.source.entries(folder)[0])
            if name.endswith((".h", ".cc"))
        )
