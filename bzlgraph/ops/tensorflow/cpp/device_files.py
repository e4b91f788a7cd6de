"""The ``.cu.cc`` files that hold a kernel's functors: those that make the templates which the kernel calls.

A functor is a class template of namespace ``functor`` (``functor::RandomShuffle<GPUDevice, T>``); the kernel's file
declares or calls it, a ``.cu.cc`` file of the same folder makes it, as ``template struct functor::X<GPUDevice, float>``
or as a specialisation ``struct X<GPUDevice, T>``. Launchers (``struct LaunchX<GPUDevice, T>``) are made the same way.
A kernel that says itself what one template computes, ``UnaryOp<GPUDevice, functor::cos<float>>``, has the files that
give that to a template or to a macro: the others make it for other functors.
A kernel that is given the CPU's device (``FillOp<CPUDevice, int32>``: its tensors stay on the host) has none. Others
have those of what their own class comes to in its file, not what the classes beside it call; where that is none
although they are given a device, those of the whole file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from bzlgraph.base.words import utf8
from bzlgraph.cpp.source_file import SourceFile

_ON_HOST = re.compile(r"<(?:.*[\s,:])?(?:CPUDevice|ThreadPoolDevice)\b")
_WORD = re.compile(r"\w+")
_ENDINGS = (".cu.cc", ".cu")
_MADE = re.compile(rb"\b(?:struct|class)\s+(?:\w+::)*([A-Z]\w*)\s*<")
_GIVEN = re.compile(rb"[<(,]\s*(?:\w+::)*([a-z]\w*)\s*(?=[<,>)])")
_COMPUTES = re.compile(r"\bfunctor::([a-z]\w*)")
_CALLED = re.compile(
    rb"\b(?:functor::|(?:struct|class)\s+|)([A-Z]\w*)\s*<\s*(?:GPUDevice|Device|Eigen::GpuDevice|D)\b"
    rb"(?!\s*,\s*(?:\w+::)*functor::[a-z])"
)
_CALLED_WITH = re.compile(rb"<\s*(?:GPUDevice|Device|Eigen::GpuDevice|D)\s*,\s*(?:\w+::)*functor::([a-z]\w*)")
"""A template that is given what it computes, ``UnaryFunctor<GPUDevice, functor::conj<T>>``."""


@dataclass(slots=True)
class DeviceFiles:
    """``contents`` are the bytes of the tree's C++ files."""

    contents: Mapping[str, bytes]
    _by_folder: dict[re.Pattern[bytes], dict[str, dict[bytes, list[str]]]] = field(default_factory=dict)
    _own: dict[tuple[str, str], frozenset[bytes] | None] = field(default_factory=dict)
    _names: dict[tuple[str, re.Pattern[bytes]], frozenset[bytes]] = field(default_factory=dict)

    def of(self, kernel_class: str, files: Mapping[str, SourceFile | None]) -> tuple[str, ...]:
        """The device files behind a kernel, by its class and the files, by path, that register and compute it."""
        if _ON_HOST.search(kernel_class):
            return ()
        called = frozenset(each.encode() for each in _COMPUTES.findall(kernel_class))
        called = called or self._called_by(kernel_class, files) or self._whole(kernel_class, files)
        folders = {path.rpartition("/")[0] for path in files}
        sought = [(self._makers(_GIVEN if name[:1].islower() else _MADE), name) for name in called]
        found = (path for makers, name in sought for each in folders for path in makers.get(each, {}).get(name, ()))
        return tuple(sorted(set(found)))

    def _called_by(self, kernel_class: str, files: Mapping[str, SourceFile | None]) -> frozenset[bytes]:
        """The templates that a class comes to in files; all that are called in one which does not define it."""
        name = (_WORD.findall(kernel_class.partition("<")[0]) or [""])[-1]
        found: set[bytes] = set()
        for path, file in files.items():
            if (path, name) not in self._own:
                text = own_text(file, name) if file is not None else None
                self._own[path, name] = None if text is None else _called_in(text)
            own = self._own[path, name]
            found |= self._called(path) if own is None else own
        return frozenset(found)

    def _whole(self, kernel_class: str, files: Iterable[str]) -> frozenset[bytes]:
        """The templates that files call, for a class that is given a device."""
        given = "Device" in kernel_class.partition("<")[2]
        return frozenset(name for path in files for name in self._called(path)) if given else frozenset()

    def _called(self, path: str) -> frozenset[bytes]:
        return self._named(path, _CALLED) | self._named(path, _CALLED_WITH)

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


def _called_in(text: bytes) -> frozenset[bytes]:
    return frozenset([*_CALLED.findall(text), *_CALLED_WITH.findall(text)])


def own_text(file: SourceFile, name: str) -> bytes | None:
    """What a class of a file comes to there: its own text and methods, and those of the classes and functions that it
    names; None where the file does not define it."""
    tokens, scopes = file.outline.tokens, file.outline.scopes
    parts: dict[str, list[str]] = {}
    for scope in scopes:
        if scope.kind != "namespace" and (scope.parent < 0 or scopes[scope.parent].kind == "namespace"):
            owner = scope.name.partition("<")[0] if "<" in scope.name else scope.name.partition("::")[0]
            text = file.text.text[tokens[scope.start].start : tokens[min(scope.closing, len(tokens) - 1)].end]
            parts.setdefault(owner.rpartition("::")[2], []).append(text)
    if name not in parts:
        return None
    found: dict[str, str] = {}
    waiting = [name]
    while waiting:
        each = waiting.pop()
        if each in parts and each not in found:
            found[each] = "\n".join(parts[each])
            waiting += _WORD.findall(found[each])
    return utf8("\n".join(found.values()))
