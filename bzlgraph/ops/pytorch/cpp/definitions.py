"""Where the C++ functions of PyTorch's operators are defined, and what their stubs call.

names of functions -> ``Definition`` values. Only files that may hold a wanted name are cut into tokens, each once:
those with the name in their bytes, and those whose macros put names together (``##``).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property

from bzlgraph.base.words import utf8
from bzlgraph.cpp.include_tree import IncludeTree
from bzlgraph.cpp.macro import Macro
from bzlgraph.cpp.text import HEADERS, cpp_files, is_test_file
from bzlgraph.ops.pytorch.cpp.facts import Definition, Members, StubKernel, read_facts
from bzlgraph.ops.pytorch.cpp.values import TensorNames
from bzlgraph.starlark.evaluation.watchdog import reading
from bzlgraph.workspace.sources.source import Source

FOLDERS = (
    *("aten/src/ATen", "torch/csrc/autograd", "torch/csrc/utils"),
    *("torch/csrc/jit/runtime", "tools/autograd/templates"),
)
"""Where native functions, those registered by hand, and what Python calls of these live."""
MANY_NAMES = 200
"""For so many names every file is read: looking for them in it would take longer."""
METHODS = "tools/autograd/templates/python_variable_methods.cpp"
"""The table of the methods that tensors have in Python."""
FUNCTIONS = (
    "torch/csrc/autograd/python_torch_functions_manual.cpp",
    "tools/autograd/templates/python_torch_functions.cpp",
)
"""Tables of the functions of ``torch`` that are written by hand, newest generation first."""
READ_TEMPLATES = ("aten/src/ATen/templates/TensorBody.h", METHODS)
"""Where methods of tensors are that no entry makes, in C++ and in Python."""
MACRO_FOLDERS = ("c10/core", "c10/util")
"""Where headers with lists of types are, besides."""


_TENSOR_FUNCTION = re.compile(rb"^[ \t]*(?:(?:static|inline|TORCH_API|const)[ \t]+)*(?:at::)?Tensor[ \t]+(\w+)\(", re.M)
_VECTOR_FUNCTION = re.compile(rb"\bVectorized<[^;{}()]*>[ \t\n]+(\w+)\(")
"""Functions in headers that return a tensor; those that return values of registers, or several of these."""
_FUNCTION = re.compile(
    rb"^[ \t]*(?:(?:static|inline|virtual|constexpr|explicit|const|[A-Z][A-Z0-9_]*_API|C10_\w+)[ \t]+)*"
    rb"((?!return|else|new|throw|using|typedef|case|goto|delete)[A-Za-z_][\w:]*(?:<[^;{}()]*>)?)"
    rb"[ \t\n]*[&*]*[ \t\n]+[&*]*(?:\w+::)*(\w+)\(",
    re.M,
)
"""(type, name) of functions that are declared or defined."""
_MAY_BE_TENSOR = re.compile(rb"Tensor|auto|\b[A-Z]\b|\w_t\b|\w+T\b")
"""Types that are tensors or hold some, and those that are a template's or unknown."""


class Definitions:
    """The C++ half of a PyTorch tree."""

    def __init__(self, files: Source, giving: TensorNames | None = None) -> None:
        """``giving`` are functions that return a tensor, when bodies are asked for what they call."""
        self._files = files
        self.giving = giving
        self._tree = IncludeTree((), self._bytes, guard=reading)
        self._read: set[str] = set()
        self._asked: set[str] = set()
        self._all_read = False
        self._by_name: dict[str, list[Definition]] = defaultdict(list)
        self._stubs: dict[str, list[StubKernel]] = defaultdict(list)
        self.members: dict[str, dict[str, str]] = {}
        """By class the members that are true or false until they are set, when bodies are asked for what they call."""
        self._foreign: dict[str, Macro | None] = {}

    def with_calls(self, giving: TensorNames) -> Definitions:
        """Those of the same files, all read, with what their bodies call. ``giving`` are operators."""
        headers = [data for path, data in self._contents.items() if path.endswith(HEADERS)]
        helpers, vectors = (_declared(headers, each) for each in (_TENSOR_FUNCTION, _VECTOR_FUNCTION))
        names = {*giving.functions, *giving.methods, *giving.lists, *helpers}
        others = (_giving_others(self._contents.values()) | giving.others) - names
        made = Definitions(self._files, giving._replace(helpers=helpers - vectors, vectors=vectors, others=others))
        made.read_all()
        return made

    def read_all(self) -> None:
        """Read every file."""
        self._all_read = True
        for path in self._contents:
            if path not in self._read:
                self._read.add(path)
                self._enter(path)

    @property
    def broken(self) -> list[tuple[str, str]]:
        """(path, why) of the files that could not be read."""
        return list(self._tree.broken.items())

    def named(self, name: str) -> list[Definition]:
        """The definitions of a function, or of ``structured_x::impl``, in the order of their files."""
        self.look_for([name])
        return self._by_name.get(name, [])

    def behind(self, stub: str) -> list[StubKernel]:
        """What is registered behind a stub."""
        self.look_for([stub])
        return self._stubs.get(stub, [])

    def look_for(self, names: Collection[str]) -> None:
        """Read the files that may define these names, or register functions behind them."""
        wanted = {word for name in names for word in _written_as(name)} - self._asked
        if not wanted or self._all_read:
            return
        self._asked |= wanted
        if len(wanted) >= MANY_NAMES:
            self.read_all()
            return
        names_in_use = rf"(?<![.\w>])(?:{'|'.join(map(re.escape, sorted(wanted)))})\s*[(,)]"
        expression = re.compile(utf8(names_in_use))
        words = [utf8(name) for name in wanted]
        for path, data in self._contents.items():
            if path in self._read:
                continue
            if b"##" in data or (any(word in data for word in words) and expression.search(data)):
                self._read.add(path)
                self._enter(path)

    def contents(self) -> Iterator[bytes]:
        """The bytes of every file that an answer may depend on."""
        yield from (utf8(path) + b"\0" + data for path, data in self._contents.items())
        yield from self._type_lists.values()

    def paths(self) -> list[str]:
        """Every file that an answer may depend on."""
        return [*self._paths(), *self._type_list_paths()]

    @cached_property
    def _contents(self) -> dict[str, bytes]:
        """The bytes of every file."""
        return self._bytes_of(self._paths())

    @cached_property
    def _type_lists(self) -> dict[str, bytes]:
        """The bytes of the headers of ``MACRO_FOLDERS``."""
        return self._bytes_of(self._type_list_paths())

    def _paths(self) -> Iterator[str]:
        paths = (path for folder in FOLDERS for path in cpp_files(self._files.entries, folder))
        return (each for each in paths if not (is_test_file(each) or _is_aside(each)))

    def _type_list_paths(self) -> Iterator[str]:
        paths = (path for folder in MACRO_FOLDERS for path in cpp_files(self._files.entries, folder))
        return (each for each in paths if each.endswith(HEADERS))

    def _bytes(self, path: str) -> bytes:
        return self._contents[path] if path in self._contents else self._type_lists[path]

    def _bytes_of(self, paths: Iterable[str]) -> dict[str, bytes]:
        found = {}
        for path in paths:
            try:
                found[path] = self._files.read(path)
            except OSError as error:
                self._tree.broken[path] = error.strerror or str(error)
        return found

    def _enter(self, path: str) -> None:
        file = self._tree.read_file(path)
        facts = (
            self._tree.within(path, lambda: list(read_facts(file, self._header_macro, self.giving)))
            if file is not None
            else ()
        )
        for found in facts or ():
            if isinstance(found, Definition):
                self._by_name[found.key].append(found)
            elif isinstance(found, Members):
                self.members.setdefault(found.name, {}).update(found.defaults)
            else:
                self._stubs[found.stub].append(found)

    # ------------------------------------------------------------------------------------------- macros of headers
    def _header_macro(self, name: str) -> Macro | None:
        """The function-like macro of a header, found by its name."""
        if name not in self._foreign:
            self._foreign[name] = next(self._header_macros(name), None)
        return self._foreign[name]

    def _header_macros(self, name: str) -> Iterator[Macro]:
        word = utf8(name)
        needle = re.compile(rb"#\s*define\s+" + word + rb"\(")
        for path, data in [*self._contents.items(), *self._type_lists.items()]:
            if path.endswith(HEADERS) and word in data and needle.search(data) is not None:
                file = self._tree.file(path)
                for _, defined, macro in file.defines if file is not None else ():
                    if defined == name and macro is not None:
                        yield macro


def _declared(headers: Iterable[bytes], declaration: re.Pattern[bytes]) -> frozenset[str]:
    """The names of the functions that headers declare so."""
    return frozenset(name.decode("ascii", "replace") for data in headers for name in declaration.findall(data))


def _giving_others(texts: Iterable[bytes]) -> frozenset[str]:
    """The names of the functions that are declared, and nowhere to give what may be a tensor; not those of classes."""
    found = {(kind, name) for text in texts for kind, name in _FUNCTION.findall(text) if not name[:1].isupper()}
    unsure = {name for kind, name in found if _MAY_BE_TENSOR.search(kind)}
    return frozenset(name.decode("ascii", "replace") for kind, name in found if name not in unsure)


def _is_aside(path: str) -> bool:
    """Whether a file is a test's, or a template of a generated one, but for ``READ_TEMPLATES``."""
    return "/test/" in path or ("/templates/" in path and path not in READ_TEMPLATES)


def _written_as(name: str) -> list[str]:
    """The words in a file that may define the name: ``structured_x::impl`` is written ``TORCH_IMPL_FUNC(x)``, and
    ``structured_x_y::meta`` ``TORCH_META_FUNC2(x, y)``."""
    word, _, member = name.partition("::")
    word = word.removeprefix("structured_")
    return [word, *(word[: found.start()] for found in re.finditer("_", word) if member == "meta" and found.start())]


def class_of(definition: Definition) -> str:
    """The class that a function is a member of, as far as its name is one; "" for none."""
    last = definition.namespace.rpartition("::")[2]
    return last if last[:1].isupper() else ""


def stem(name: str) -> str:
    return name.removesuffix("Base").removesuffix("Config")


def is_sibling(function: Definition, base: str) -> bool:
    """Whether a function's class is another one from a base: ``TensorIterator`` from ``TensorIteratorBase``."""
    name = class_of(function)
    return name != base.rpartition("::")[2] and stem(name) == stem(base.rpartition("::")[2])


def within(definition: Definition, qualifier: str) -> bool:
    """Whether a function is in a namespace, or a member of a class or its base."""
    wanted, have = qualifier.removeprefix("::").split("::"), definition.namespace.split("::")
    if wanted[-1][:1].isupper():
        return stem(have[-1]) == stem(wanted[-1])
    return [part for part in have if part][-len(wanted) :] == wanted


def nearest(listed: Sequence[Definition], inside: Definition, base: str) -> list[Definition]:
    """What an unqualified name means: members of the class or its base, functions of the file, of its namespaces."""
    own = class_of(inside) or base.rpartition("::")[2]
    members = [each for each in listed if own and stem(class_of(each)) == stem(own)]
    members = members or [each for each in listed if class_of(each) == each.key]  # constructors
    if members:
        return members
    free = [each for each in listed if not class_of(each)]
    same = [each for each in free if each.path == inside.path]
    around = inside.namespace
    return same or [each for each in free if each.namespace == around or around.startswith(f"{each.namespace}::")]
