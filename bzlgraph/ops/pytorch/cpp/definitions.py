"""Where the C++ functions of PyTorch's operators are defined, and what their stubs call.

names of functions -> ``Definition`` values. Only files that may hold a wanted name are cut into tokens, each once:
those with the name in their bytes, and those whose macros put names together (``##``).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain
from typing import NamedTuple

from bzlgraph.base.codec import Codec, Plain, Special
from bzlgraph.base.words import utf8
from bzlgraph.cpp.include_tree import IncludeTree
from bzlgraph.cpp.macro import Macro
from bzlgraph.cpp.text import HEADERS, cpp_files, is_test_file
from bzlgraph.loading.executors import in_parallel
from bzlgraph.ops.pytorch.cpp.defined import Definition, LibraryKernel, Members, StubKernel
from bzlgraph.ops.pytorch.cpp.facts import Fact, read_facts
from bzlgraph.ops.pytorch.cpp.insides import NOTHING_INSIDE, Body, Inside
from bzlgraph.ops.pytorch.cpp.values.function_names import TensorNames
from bzlgraph.starlark.evaluation.watchdog import reading
from bzlgraph.workspace.sources.source import Source

FOLDERS = (
    *("aten/src/ATen", "torch/csrc/autograd", "torch/csrc/utils"),
    *("torch/csrc/jit/runtime", "tools/autograd/templates"),
)
"""Where native functions, those registered by hand, and what Python calls of these live."""
CHUNK = 40
"""How many files a process reads at a time."""
MANY_NAMES = 200
"""For so many names every file is read: looking for them in it would take longer."""
METHODS = "tools/autograd/templates/python_variable_methods.cpp"
"""The table of the methods that tensors have in Python."""
FUNCTIONS = (
    "torch/csrc/autograd/python_torch_functions_manual.cpp",
    "tools/autograd/templates/python_torch_functions.cpp",
)
"""Tables of the functions of ``torch`` that are written by hand, newest generation first."""
READ_TEMPLATES = (
    *("aten/src/ATen/templates/TensorBody.h", "aten/src/ATen/templates/TensorMethods.cpp"),
    METHODS,
)
"""Where methods of tensors are that no entry makes, in C++ (before 1.9 the second) and in Python."""
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


class AllFacts(NamedTuple):
    """What all files hold, but for the bodies of functions; ``giving`` are the functions that return a tensor, and
    ``broken`` has (path, why) of the files that were not read."""

    definitions: tuple[Definition, ...]
    stubs: tuple[StubKernel, ...]
    by_hand: tuple[LibraryKernel, ...]
    members: Mapping[str, Mapping[str, str]]
    giving: TensorNames
    broken: tuple[tuple[str, str], ...]


_NAMES = Special(lambda names, _: tuple(sorted(names)), lambda plain, _: frozenset(plain))
ALL_FACTS = Codec(
    AllFacts,
    special={
        (Definition, "body"): Special(lambda _body, _: None, lambda _plain, _: None),
        **{(TensorNames, name): _NAMES for name in TensorNames._fields},
    },
)
"""How they are kept: a body is read again from its file."""


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
        self._by_hand: dict[str, list[LibraryKernel]] = defaultdict(list)
        self.members: dict[str, dict[str, str]] = {}
        """By class the members that are true or false until they are set, when bodies are asked for what they call."""
        self._bodies: dict[str, dict[str, list[Body]]] = {}
        """Of the files that were asked for any, by what their functions are looked up by."""
        self._foreign: dict[str, Macro | None] = {}

    def all_facts(self, operators: TensorNames, jobs: int) -> AllFacts:
        """What all files hold when somebody may ask what bodies call. ``operators`` are those that give a tensor;
        ``jobs``: how many processes read, 0 for one per core."""
        headers = [data for path, data in self._contents.items() if path.endswith(HEADERS)]
        helpers, vectors = (_declared(headers, each) for each in (_TENSOR_FUNCTION, _VECTOR_FUNCTION))
        names = {*operators.functions, *operators.methods, *operators.lists, *helpers}
        others = (_giving_others(self._contents.values()) | operators.others) - names
        giving = operators._replace(helpers=helpers - vectors, vectors=vectors, others=others)
        made, paths = Definitions(self._files, giving), list(self._contents)
        made._contents = self._contents
        chunks = [paths[start : start + CHUNK] for start in range(0, len(paths), CHUNK)]
        read = in_parallel(lambda chunk: made._facts_in(chunks[chunk]), range(len(chunks)), jobs)
        parts = [ALL_FACTS.decode(each) for each in read]
        definitions = tuple(one for each in parts for one in each.definitions)
        stubs = tuple(one for each in parts for one in each.stubs)
        by_hand = tuple(one for each in parts for one in each.by_hand)
        broken = dict.fromkeys((*self.broken, *(one for each in parts for one in each.broken)))
        return AllFacts(definitions, stubs, by_hand, _merged(each.members for each in parts), giving, tuple(broken))

    def _facts_in(self, paths: Iterable[str]) -> Plain:
        """What some files hold, as it travels between processes."""
        for known in (self._by_name, self._stubs, self._by_hand, self.members):
            known.clear()
        for path in paths:
            self._enter(path)
        definitions, stubs, by_hand = (
            tuple(chain(*each.values())) for each in (self._by_name, self._stubs, self._by_hand)
        )
        return ALL_FACTS.encode(AllFacts(definitions, stubs, by_hand, self.members, TensorNames(), tuple(self.broken)))

    def with_calls(self, facts: AllFacts) -> Definitions:
        """Those of the same files, all read, with what their bodies call."""
        made = Definitions(self._files, facts.giving)
        made._all_read = True
        made._tree.broken.update(facts.broken)
        made.members = {name: dict(members) for name, members in facts.members.items()}
        if "_contents" in self.__dict__:
            made._contents = self._contents
        numbers: Counter[tuple[str, str]] = Counter()
        for each in facts.definitions:
            key, place = each.key, (each.path, each.key)
            made._by_name[key].append(replace(each, body=Body(partial(made._inside_of, *place, numbers[place]))))
            numbers[place] += 1
        for stub in facts.stubs:
            made._stubs[stub.stub].append(stub)
        for kernel in facts.by_hand:
            made._by_hand[kernel.op].append(kernel)
        return made

    def _inside_of(self, path: str, key: str, number: int) -> Inside:
        """What stands in a function, one of those of its name in a file."""
        if path not in self._bodies:
            bodies = self._bodies[path] = defaultdict(list)
            for each in self._facts_of(path, self.giving):
                if isinstance(each, Definition) and each.body is not None:
                    bodies[each.key].append(each.body)
        found = self._bodies[path][key][number : number + 1]
        return found[0].inside if found else NOTHING_INSIDE

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

    def by_hand(self, operator: str) -> list[LibraryKernel]:
        """What is registered by hand for an operator and keys of autograd."""
        self.look_for([operator.partition(".")[0]])
        return self._by_hand.get(operator, [])

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
        known = self._contents if "_contents" in self.__dict__ else {}
        return known[path] if path in known else self._files.read(path)

    def _bytes_of(self, paths: Iterable[str]) -> dict[str, bytes]:
        found = {}
        for path in paths:
            try:
                found[path] = self._files.read(path)
            except OSError as error:
                self._tree.broken[path] = error.strerror or str(error)
        return found

    def _enter(self, path: str) -> None:
        for found in self._facts_of(path):
            if isinstance(found, Definition):
                self._by_name[found.key].append(found)
            elif isinstance(found, Members):
                self.members.setdefault(found.name, {}).update(found.defaults)
            elif isinstance(found, LibraryKernel):
                self._by_hand[found.op].append(found)
            else:
                self._stubs[found.stub].append(found)

    def _facts_of(self, path: str, giving: TensorNames | None = None) -> Sequence[Fact]:
        """What a file holds, with bodies when functions are given that return a tensor."""
        file = self._tree.read_file(path)
        if file is None:
            return ()
        with_calls = self.giving is not None
        facts = partial(read_facts, file, self._header_macro, giving, with_calls=with_calls)
        return self._tree.within(path, lambda: list(facts())) or ()

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


def _merged(all_members: Iterable[Mapping[str, Mapping[str, str]]]) -> dict[str, dict[str, str]]:
    """The members of classes, as each file has more of them."""
    found: dict[str, dict[str, str]] = {}
    for members in all_members:
        for name, defaults in members.items():
            found.setdefault(name, {}).update(defaults)
    return found


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
    """What an unqualified name means: members of the class or its base, functions of the file, of its namespaces, of
    those that it uses."""
    own = class_of(inside) or base.rpartition("::")[2]
    members = [each for each in listed if own and stem(class_of(each)) == stem(own)]
    members = members or [each for each in listed if class_of(each) == each.key]  # constructors
    if members:
        return members
    free = [each for each in listed if not class_of(each)]
    same = [each for each in free if each.path == inside.path]
    around = inside.namespace
    near = [each for each in free if each.namespace == around or around.startswith(f"{each.namespace}::")]
    return same or near or [each for each in free if each.namespace in inside.using]
