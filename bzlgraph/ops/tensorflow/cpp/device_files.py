"""The ``.cu.cc`` files that hold a kernel's functors: those that make the templates which the kernel calls.

A functor is a class template of namespace ``functor`` (``functor::RandomShuffle<GPUDevice, T>``); the kernel's file
declares or calls it, a ``.cu.cc`` file of the same folder makes it, as ``template struct functor::X<GPUDevice, float>``
or as a specialisation ``struct X<GPUDevice, T>``. Launchers (``struct LaunchX<GPUDevice, T>``) are made the same way.
A kernel that says itself what one template computes, ``UnaryOp<GPUDevice, functor::cos<float>>``, has the files that
give that to a template or to a macro: the others make it for other functors.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_ENDINGS = (".cu.cc", ".cu")
_MADE = re.compile(rb"\b(?:struct|class)\s+(?:\w+::)*([A-Z]\w*)\s*<")
_GIVEN = re.compile(rb"[<(,]\s*(?:\w+::)*([a-z]\w*)\s*(?=[<,>)])")
_COMPUTES = re.compile(r"\bfunctor::([a-z]\w*)")
_CALLED = re.compile(rb"\b(?:functor::|(?:struct|class)\s+|)([A-Z]\w*)\s*<\s*(?:GPUDevice|Device|Eigen::GpuDevice|D)\b")


@dataclass(slots=True)
class DeviceFiles:
    """``contents`` are the bytes of the tree's C++ files."""

    contents: Mapping[str, bytes]
    _by_folder: dict[re.Pattern[bytes], dict[str, dict[bytes, list[str]]]] = field(default_factory=dict)
    _names: dict[tuple[str, re.Pattern[bytes]], frozenset[bytes]] = field(default_factory=dict)

    def of(self, kernel_class: str, *paths: str) -> tuple[str, ...]:
        """The device files behind a kernel, by its class and the files that register and compute it."""
        called, made = {each.encode() for each in _COMPUTES.findall(kernel_class)}, _GIVEN
        if not called:
            called, made = {name for path in paths for name in self._named(path, _CALLED)}, _MADE
        folders = [self._makers(made).get(folder, {}) for folder in {path.rpartition("/")[0] for path in paths}]
        return tuple(sorted({path for makers in folders for name in called for path in makers.get(name, ())}))

    def _makers(self, made: re.Pattern[bytes]) -> dict[str, dict[bytes, list[str]]]:
        """Folder -> template, or what is given to one -> the device files that have it."""
        if made not in self._by_folder:
            found = self._by_folder[made] = {}
            for path in self.contents:
                if path.endswith(_ENDINGS):
                    makers = found.setdefault(path.rpartition("/")[0], {})
                    for name in self._named(path, made):
                        makers.setdefault(name, []).append(path)
        return self._by_folder[made]

    def _named(self, path: str, pattern: re.Pattern[bytes]) -> frozenset[bytes]:
        """The templates that a file calls or makes; each file is searched once for each."""
        key = (path, pattern)
        if key not in self._names:
            self._names[key] = frozenset(pattern.findall(self.contents.get(path, b"")))
        return self._names[key]
