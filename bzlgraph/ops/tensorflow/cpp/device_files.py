"""The ``.cu.cc`` files that hold a kernel's functors: those that make the templates which the kernel calls.

A functor is a class template of namespace ``functor`` (``functor::RandomShuffle<GPUDevice, T>``); the kernel's file
declares or calls it, a ``.cu.cc`` file of the same folder makes it, as ``template struct functor::X<GPUDevice, float>``
or as a specialisation ``struct X<GPUDevice, T>``. Launchers (``struct LaunchX<GPUDevice, T>``) are made the same way.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_ENDINGS = (".cu.cc", ".cu")
_MADE = re.compile(rb"\b(?:struct|class)\s+(?:\w+::)*([A-Z]\w*)\s*<")
_CALLED = re.compile(rb"\b(?:functor::|(?:struct|class)\s+|)([A-Z]\w*)\s*<\s*(?:GPUDevice|Device|Eigen::GpuDevice|D)\b")


@dataclass(slots=True)
class DeviceFiles:
    """``contents`` are the bytes of the tree's C++ files."""

    contents: Mapping[str, bytes]
    _by_folder: dict[str, dict[bytes, list[str]]] | None = None
    _names: dict[tuple[str, re.Pattern[bytes]], frozenset[bytes]] = field(default_factory=dict)

    def of(self, *paths: str) -> tuple[str, ...]:
        """The device files behind a kernel, by the files that register and compute it."""
        called: set[bytes] = set()
        for path in paths:
            called |= self._named(path, _CALLED)
        folders = [self._makers().get(folder, {}) for folder in {path.rpartition("/")[0] for path in paths}]
        return tuple(sorted({path for makers in folders for name in called for path in makers.get(name, ())}))

    def _makers(self) -> dict[str, dict[bytes, list[str]]]:
        """Folder -> template -> the device files that make it."""
        if self._by_folder is None:
            self._by_folder = {}
            for path in self.contents:
                if path.endswith(_ENDINGS):
                    makers = self._by_folder.setdefault(path.rpartition("/")[0], {})
                    for name in self._named(path, _MADE):
                        makers.setdefault(name, []).append(path)
        return self._by_folder

    def _named(self, path: str, pattern: re.Pattern[bytes]) -> frozenset[bytes]:
        """The templates that a file calls or makes; each file is searched once for each."""
        key = (path, pattern)
        if key not in self._names:
            self._names[key] = frozenset(pattern.findall(self.contents.get(path, b"")))
        return self._names[key]
