"""The ``.cu.cc`` files that hold a kernel's device code: those that make what the kernel comes to.

Of the templates that a class comes to in its folder (``folder_names``), ``functor::RandomShuffle<Device, T>`` or
``LaunchX<GPUDevice, T>``, the device files of the folder count that make them, themselves or by macros of headers: as
``template struct functor::X<GPUDevice, float>``, as a specialisation ``struct X<GPUDevice, T>``, or a method of one,
``void X<GPUDevice, T>::operator()``. A function is made where it is defined, if a header declares it to both.
A device file that names types (``TF_CALL_float(``, ``<GPUDevice, float>``), but not that of a kernel's values, which is
the first that its class is given, makes things for others.
A kernel that says itself what one template computes, ``UnaryOp<GPUDevice, functor::cos<float>>``, has the files that
give that to a template or to a macro: the others make it for other functors.
A kernel that is given the CPU's device (``FillOp<CPUDevice, int32>``: its tensors stay on the host) has none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from bzlgraph.cpp.include_tree import IncludeTree
from bzlgraph.cpp.text import SOURCES
from bzlgraph.ops.tensorflow.cpp.work.arguments import plain
from bzlgraph.ops.tensorflow.cpp.work.folder_names import FolderNames, Text, folder_of, is_device_code

_ON_HOST = re.compile(r"<(?:.*[\s,:])?(?:CPUDevice|ThreadPoolDevice)\b")
_SOURCES = (".cu.cc", ".cu")
_MADE = re.compile(
    r"\b(?:(?:struct|class)\s+(?:\w+::)*([A-Z]\w*)\s*<"
    r"|(?:void|bool|int|Status)\s+(?:\w+::)*([A-Z]\w*)\s*<[^;{}()]*>\s*::\s*\w+)"
)
"""``struct X<``, ``void X<GPUDevice, T>::Run``."""
_GIVEN = re.compile(r"[<(,]\s*(?:\w+::)*([a-z]\w*)\s*(?=[<,>)])")
_COMPUTES = re.compile(r"\bfunctor::([a-z]\w*)")
_CALLED = re.compile(
    r"\b([A-Z]\w*)\s*<(?!\s*(?:Eigen::)?(?:CPUDevice|ThreadPoolDevice)\b)"
    r"(?!\s*[\w:]+\s*,\s*(?:\w+::)*functor::[a-z])"
)
_CALLED_WITH = re.compile(r"<\s*(?:GPUDevice|Device|Eigen::GpuDevice|D)\s*,\s*(?:\w+::)*functor::([a-z]\w*)")
"""A template that is given what it computes, ``UnaryFunctor<GPUDevice, functor::conj<T>>``."""

_ONLY_INCLUDES = re.compile(r"(?>(?:\s+|//.*|/\*(?s:.*?)\*/|#.*)*)")
_NAME = re.compile(r"[^\W\d]\w*")
_MADE_FOR = re.compile(
    r"\bTF_CALL_(\w+)\(|^[ \t]*[A-Z][A-Z0-9_]*\(([^()]*)\)|<\s*(?:\w+::)*G(?:PU|pu)Device\s*,([^<>]*)", re.MULTILINE
)
"""``TF_CALL_float(``, ``DEFINE(float)``, ``<GPUDevice, float>``: what names the types that a device file is for."""
_MANY_TYPES = re.compile(r"\bTF_CALL_[A-Z]")
_SIZES = {"int": (2, 4, 8, 16, 32, 64), "uint": (2, 4, 8, 16, 32, 64), "complex": (64, 128)}
_SIZED = (f"{kind}{size}" for kind in _SIZES for size in _SIZES[kind])
_TYPES = frozenset(map(plain, ("float", "double", "half", "bfloat16", "bool", *_SIZED)))
_COMPLEX = re.compile(r"\b(?:std::)?complex<\s*(float|double)\s*>")

Made = Callable[[str], Iterable[str]]
"""A device file -> the names that it makes in one way."""


@dataclass(slots=True)
class DeviceFiles:
    """``contents`` are the bytes of the tree's C++ files."""

    tree: IncludeTree
    contents: Mapping[str, bytes]
    names: FolderNames = field(init=False)
    _makers: dict[tuple[Made, str], dict[str, list[str]]] = field(default_factory=dict)
    _calls: dict[Text, frozenset[str]] = field(default_factory=dict)
    _reached: dict[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict)
    _types: dict[str, frozenset[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.names = FolderNames(self.tree, self.contents)

    def of(self, kernel_class: str, files: Sequence[str]) -> tuple[str, ...]:
        """The device files behind a kernel, by its class and the files that register and compute it."""
        if _ON_HOST.search(kernel_class):
            return ()
        computes = _COMPUTES.findall(kernel_class)
        if computes:
            made = [self._made(self._given, path) for path in files]
            return tuple(sorted({path for makers in made for each in computes for path in makers.get(each, ())}))
        kernel_class = _in_words(kernel_class)
        types = [each for each in map(plain, _NAME.findall(kernel_class)) if each in _TYPES]
        key = (_NAME.sub(lambda word: "T" if plain(word.group()) in types else word.group(), kernel_class), *files)
        if key not in self._reached:
            homes = [path for path in files if any(each.endswith(_SOURCES) for each in self.names.of_folder(path))]
            texts = self.names.reached(Text(files[0], key[0]), homes)
            self._reached[key] = tuple(
                sorted({path for text in texts for path in self._behind(text)}.difference(files))
            )
        own = (path for path in files if path.endswith(_SOURCES))
        return (*own, *(path for path in self._reached[key] if not types or self._may_be_for(types[0], path)))

    def _behind(self, text: Text) -> frozenset[str]:
        """The device files that make what a text calls; that of the text, if it is in one."""
        if text not in self._calls:
            found = {text.path} if text.path.endswith(_SOURCES) else set()
            for made, called in ((self._classes, _CALLED), (self._given, _CALLED_WITH)):
                makers = self._made(made, text.path)
                found.update(path for name in called.findall(text.text) for path in makers.get(name, ()))
            self._calls[text] = frozenset(found)
        return self._calls[text]

    def _may_be_for(self, values: str, path: str) -> bool:
        """Whether a device file may make something for values of a type: not where it names other types only."""
        if path not in self._types:
            text = _in_words(self._text(path))
            words = _NAME.findall(" ".join(part for found in _MADE_FOR.findall(text) for part in found))
            self._types[path] = frozenset() if _MANY_TYPES.search(text) else _TYPES.intersection(map(plain, words))
        return not self._types[path] or values in self._types[path]

    def _text(self, path: str) -> str:
        return self.contents.get(path, b"").decode("latin-1")

    def _made(self, made: Made, near: str) -> dict[str, list[str]]:
        """What the device files of a file's folder make in one way, by name."""
        key = (made, folder_of(near))
        if key not in self._makers:
            found = self._makers[key] = {}
            for path in self.names.of_folder(near):
                if path.endswith(_SOURCES):
                    for name in self.tree.within(path, partial(_set_of, made, path)) or ():
                        found.setdefault(name, []).append(path)
        return self._makers[key]

    def _classes(self, path: str) -> Iterator[str]:
        """The templates that a device file makes, by macros of headers in its folder, too."""
        headers = (each for each in self.names.near(path) if not each.endswith(SOURCES))
        files = (file for each in headers if (file := self.tree.file(each)) is not None)
        macros = {name: macro.body for file in files for _, name, macro in file.defines if macro is not None}
        texts = [self._text(path)]
        if _ONLY_INCLUDES.fullmatch(texts[0]):  # its code is that of a header, for values of macros
            texts += (self._text(each) for each in self.tree.included(path) if is_device_code(each))
        for text in texts:  # which grows
            texts += (macros.pop(name) for name in _NAME.findall(text) if name in macros)
            yield from (first or second for first, second in _MADE.findall(text))

    def _given(self, path: str) -> Iterator[str]:
        """What it gives to templates and macros."""
        yield from _GIVEN.findall(self._text(path))


def _in_words(text: str) -> str:
    """A text whose types are words.

    >>> _in_words("DEFINE(std::complex<float>)")
    'DEFINE(complex64)'
    """
    return _COMPLEX.sub(lambda found: "complex64" if found[1] == "float" else "complex128", text)


def _set_of(made: Made, path: str) -> set[str]:
    return set(made(path))
