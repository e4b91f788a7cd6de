"""All bindings of a tree, kept by the names, sizes and times of the files they are read from.

source -> ``BindingIndex``: what a word means, and everything as rows. Targets are not kept: BUILD files change alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from bzlgraph.base.codec import Codec
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.spell import nearest_names
from bzlgraph.base.words import counted, utf8
from bzlgraph.cache.freshness import key_of, state_of
from bzlgraph.cache.store import READINGS, Store
from bzlgraph.cpp.include_tree import IncludeTree
from bzlgraph.cpp.text import cpp_files, is_test_file
from bzlgraph.loading.loader import Loader
from bzlgraph.ops.binding import Binding, PythonUse
from bzlgraph.ops.bindings import ctypes_libraries as ctypes
from bzlgraph.ops.bindings.definitions import INTERFACES
from bzlgraph.ops.bindings.extensions import SETUP, imported
from bzlgraph.ops.bindings.pybind.module_macros import TORCH_OPS
from bzlgraph.ops.bindings.pybind.modules import EXTENSION, GUESSED
from bzlgraph.ops.bindings.python_uses import PythonUses
from bzlgraph.ops.bindings.read import Read, module_names, read_tree
from bzlgraph.ops.bindings.swig.interfaces import HOW as SWIG
from bzlgraph.ops.bindings.written import Written, written
from bzlgraph.ops.file_targets import FileTargets, Hidden, Owner
from bzlgraph.ops.python.resolve import Resolver
from bzlgraph.ops.python.tree import PythonTree
from bzlgraph.ops.tracer import Answer, Cell, OpTable, columns
from bzlgraph.python_source.import_names import Entries, files_ending, package_roots
from bzlgraph.starlark.evaluation.budget import Budget, OverBudget
from bzlgraph.starlark.evaluation.watchdog import reading, watched
from bzlgraph.workspace.sources.source import Source, TolerantSource, folder_of

NAME = "bindings"
COLUMNS = columns(
    "module name kind file line function function_file function_line calls how dispatch_key condition target"
)
MAX_SHOWN = 40
NOT_FOLLOWED = ("methods of values", "functions outside of this tree")
FOLLOWING = Budget(seconds=60.0, megabytes=2048)
"""What following the calls of one name may take."""
MODULE_NAME = "module_name"
"""The attribute of rules that run SWIG."""


def open_bindings(loader: Loader, folder: Path | None) -> BindingIndex:
    """The bindings of the workspace's main repository; ``folder`` is where readings are kept, None for nowhere."""
    targets, tree = FileTargets(loader), loader.workspace.repository("").tree

    def named(path: str) -> str:
        names = (each.rule.get(MODULE_NAME) for each in targets.of(path))
        return next((name for name in names if isinstance(name, str) and name), "")

    return BindingIndex(tree.source, tree.entries, targets.labels, folder, lambda: targets.gaps, named)


@dataclass
class BindingIndex:
    """One tree. ``owner`` says which targets a file is built into, ``folder`` where readings are kept."""

    source: Source
    entries: Entries
    owner: Owner
    folder: Path | None = None
    hidden: Hidden = tuple
    named: Callable[[str], str] = field(default=lambda _path: "")
    """The name that the build gives to the module of an interface file, "" for none."""
    uses: PythonUses = field(init=False)
    _stopped: list[Gap] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.uses = PythonUses(self.source, self.folder)

    @cached_property
    def _paths(self) -> tuple[list[str], list[str], list[str]]:
        """The C++ files, the interfaces of SWIG, and what names extensions."""
        paths = [path for path in cpp_files(self.entries) if not is_test_file(path)]
        setups = sorted(path for path in self._python_files if path.rpartition("/")[2] == SETUP)
        more = imported({path: self.uses.tree.bytes_of(path) for path in setups}, frozenset(self._python_files))
        return (
            paths,
            sorted(files_ending(self.entries, INTERFACES)),
            [*setups, *(each for each in more if each not in setups)],
        )

    @cached_property
    def _python_files(self) -> list[str]:
        return list(files_ending(self.entries))

    @cached_property
    def _python(self) -> Resolver:
        tree = PythonTree(self.source, self.folder, roots=package_roots(self._python_files))
        return Resolver(tree, lambda _module, _name: False)

    @cached_property
    def _state(self) -> bytes | None:
        paths, interfaces, setups = self._paths
        root = folder_of(self.source) if self.folder is not None else None
        return state_of(root, [*sorted(paths), *interfaces, *setups])

    @cached_property
    def _store(self) -> Store:
        return Store(self.folder if self._state is not None else None, READINGS)

    @cached_property
    def known(self) -> Read:
        """Everything that the tree binds."""
        key = key_of(NAME, [self._state or b""])
        read = self._store.remember(key, Codec(Read), lambda: read_tree(self.source, *self._paths))
        said = {each.home: each.module for each in read.bindings if each.how == SWIG}
        names = {path: self.named(path) or _stem(module) for path, module in said.items()}
        named = [replace(b, module=names[b.home]) if b.how == SWIG else b for b in read.bindings]
        return read._replace(bindings=[*named, *self._of_ctypes])

    @cached_property
    def _of_ctypes(self) -> list[Binding]:
        """What Python calls through ctypes: its Python is looked through each time, its C++ when that has changed."""
        python = self.uses.tree
        loading = {path: python.bytes_of(path) for path in python.containing("", tuple(map(utf8, ctypes.LOADERS)))}
        loaded = ctypes.libraries(loading, lambda words: python.containing("", words), python.bytes_of)
        paths = python.containing("", tuple(utf8(f"{name}.") for name in sorted(loaded))) if loaded else ()
        used = ctypes.names_used(loaded, map(python.bytes_of, paths)) if loaded else {}
        if not used:
            return []
        tree = IncludeTree(frozenset(self._paths[0]), TolerantSource(self.source).read, guard=reading, anywhere=True)
        key = key_of(f"{NAME} of ctypes {sorted(used.items())} {sorted(loaded.items())}", [self._state or b""])
        return self._store.remember(key, Codec(list[Binding]), lambda: ctypes.bound(used, loaded, tree))

    @cached_property
    def modules(self) -> frozenset[str]:
        """The names of all modules: found by a search, long before all that they bind."""
        if "known" in self.__dict__:
            return frozenset(each.module for each in self.known.bindings)
        paths, interfaces, _setups = self._paths
        key = key_of(f"{NAME} modules", [self._state or b""])
        names = self._store.remember(key, Codec(list[str]), lambda: module_names(self.source, paths))
        return frozenset((*names, *(each.module for each in self.known.bindings))) if interfaces else frozenset(names)

    def has_module_of(self, word: str) -> bool:
        """Whether a part of a dotted word before the last is a module; for any other word no file is looked at."""
        before = word.split(".")[:-1]
        return bool(before) and not self.modules.isdisjoint(before)

    def explain(self, word: str) -> Answer:
        """``module.function``, ``package.module.Class.method``, a module, a file that binds something; of a function or
        class of Python, also as ``FILE.py:function``, what that uses."""
        word = word.strip()
        use = self._written(word)
        used = self._used(use.names) if use is not None else []
        named = [] if used else self._named(word)
        return self._of_names(word, named) if use is None or named else self._of_python(word, use, used)

    def _written(self, word: str) -> Written | None:
        """What a word says as Python, within limits: packages may import each other in any way."""
        try:
            with watched(FOLLOWING, "following what it calls"):
                return written(self._python, word)
        except (OverBudget, RecursionError) as problem:
            self._stopped.append(Gap(GapKind.FILE.value, f"what {word} calls", f"not followed to its end: {problem}"))
            return None

    def _of_names(self, word: str, found: list[Binding]) -> Answer:
        """What a word says that names bindings, or nothing."""
        of_one_module = len({each.module for each in found}) == 1
        return self._answer(word, found, uses=of_one_module, suggestions=() if found else self._similar(word))

    def _of_python(self, word: str, use: Written, found: list[Binding]) -> Answer:
        """What a definition of Python uses."""
        of_one_name = len({each.full_name for each in found}) == 1
        answer = self._answer(word, found, uses=of_one_name, not_followed=() if found else NOT_FOLLOWED)
        remarks = (*answer.remarks, *([f"not followed: {' and '.join(NOT_FOLLOWED)}"] if found else []))
        return replace(answer, symbol=use.step, remarks=remarks)

    def _answer(
        self,
        word: str,
        found: list[Binding],
        *,
        uses: bool,
        suggestions: tuple[str, ...] = (),
        not_followed: tuple[str, ...] = (),
    ) -> Answer:
        """``uses``: with the Python that uses the first of them."""
        more = len(found) - MAX_SHOWN
        return Answer(
            word,
            NAME,
            bindings=tuple(self._built(each) for each in found[:MAX_SHOWN]),
            python_uses=self._uses_of(found[0]) if uses else (),
            remarks=(f"{counted(more, 'name')} more (--bindings lists all)",) if more > 0 else (),
            gaps=self.gaps(),
            suggestions=suggestions,
            not_followed=not_followed,
        )

    def _uses_of(self, each: Binding) -> tuple[PythonUse, ...]:
        if each.how == ctypes.HOW:
            return self.uses.of_variable(each.module, each.name)
        above = each.name.rpartition(".")[0]
        while above and (each.module, above) not in self._submodules:
            above = above.rpartition(".")[0]
        return self.uses.of(each.module, each.name, each.how.endswith(GUESSED), above)

    @cached_property
    def _submodules(self) -> frozenset[tuple[str, str]]:
        return frozenset((each.module, each.name) for each in self.known.bindings if each.kind == "submodule")

    def table(self) -> OpTable:
        """A row for each name."""
        return OpTable(COLUMNS, [_row(self._built(each)) for each in self.known.bindings if each.name])

    def gaps(self) -> tuple[Gap, ...]:
        """What could not be read."""
        known = self.known.gaps if "known" in self.__dict__ else ()
        return (*known, *self.uses.tree.gaps.values(), *self._stopped, *self.hidden())

    def _named(self, word: str) -> list[Binding]:
        """The bindings that a word means; packages before the module's name are not looked at, they are the build's.
        ``a::b`` is the operator b of torch's library a; a name alone that of any module, or of a C++ function."""
        in_file = [each for each in self.known.bindings if each.location.path == word or _defined_in(each, word)]
        if in_file or ("/" in word and not word.startswith(("//", "@"))):
            return in_file
        if word.startswith(("//", "@", ":")):
            return []
        dotted = f"{TORCH_OPS}{word.replace('::', '.')}" if "::" in word else word
        for start, found in self._by_name(dotted):
            if found[0].is_module:
                return [each for each in self.known.bindings if each.module == found[0].module and each.name]
            inside = f"{start}."
            return [*found, *(each for each in self.known.bindings if each.full_name.startswith(inside))]
        extensions = [each for each in self.known.bindings if each.name and f"({EXTENSION}" in each.how]
        if extended := [each for each in extensions if f".{word}".endswith(f".{each.name}")]:  # of whatever module
            return extended
        return [each for each in self.known.bindings if word in (each.name, each.function) and not each.is_module]

    def _by_name(self, dotted: str) -> Iterator[tuple[str, list[Binding]]]:
        """The bindings of a dotted name, and of it without the packages before a module, each with that name."""
        tried = dotted.split(".")
        for start in range(len(tried)):
            wanted = ".".join(tried[start:])
            if found := self._by_full_name.get(wanted):
                yield found[0].full_name, found

    @cached_property
    def _by_full_name(self) -> dict[str, list[Binding]]:
        """By the names that Python has; those of SWIG also as its own module has them: ``_module.Class_method``,
        and static methods as both do."""
        found: dict[str, list[Binding]] = {}
        for each in self.known.bindings:
            found.setdefault(each.full_name, []).append(each)
            if each.how == SWIG and each.name:
                flat = each.name.replace(".", "_")
                found.setdefault(f"_{each.module}.{flat}", []).append(each)
                if each.kind == "static":
                    found.setdefault(f"{each.module}.{flat}", []).append(each)
        return found

    def _used(self, names: Iterable[str]) -> list[Binding]:
        """The bindings that Python uses by dotted names; a module itself is no use of anything in it, and a value (of
        an enum) is told where nothing else is."""
        listed = (next(self._by_name(name), ("", []))[1] for name in names if "." in name)
        used = [each for found in listed for each in found if not each.is_module]
        return [each for each in used if each.kind != "value"] or used

    def _similar(self, word: str) -> tuple[str, ...]:
        names, last = sorted({each.full_name for each in self.known.bindings}), word.rpartition(".")[2]
        same_end = [each for each in names if each.rpartition(".")[2] == last]
        return tuple(dict.fromkeys((*same_end[:3], *nearest_names(word, names))))[:5]

    def _built(self, each: Binding) -> Binding:
        """With the targets that build the file that binds it."""
        return replace(each, targets=self.owner(each.home or each.location.path))


def _defined_in(binding: Binding, path: str) -> bool:
    """Whether a file holds the function behind a binding, or one that its lambda calls."""
    inside = binding.defined is not None and binding.defined.path == path
    return inside or any(each.rpartition(" ")[2].startswith(f"{path}:") for each in binding.calls)


def _stem(module: str) -> str:
    """The name of a module that is that of its file where nothing gives one."""
    return module.rpartition("/")[2].partition(".")[0] if module.endswith(INTERFACES) else module


def _row(each: Binding) -> tuple[Cell, ...]:
    defined = each.defined
    return (
        each.module, each.name, each.kind, each.location.path, each.location.line or None, each.function,
        defined.path if defined else None, defined.line if defined else None, "; ".join(each.calls), each.how,
        each.key, each.condition, " ".join(each.targets),
    )  # fmt: skip
