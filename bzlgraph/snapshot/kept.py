"""The graph in a file: packages, nodes and edges by number, each read when it is asked for.

Nodes are numbered in the order of their labels (canonical name of the repository, package, name), so that the nodes of
a package are a range, and the nodes of an answer need no sorting. ``making`` writes these columns and tables:

| column of nodes | |
|---|---|
| texts, text_at | the label and a line break; where that begins |
| kinds, class_of, package_of | ``NodeKind``, number in ``classes`` (0: no rule), number of the package |
| call_of | number in ``calls`` of the innermost call of the macros that make it (0: none) |
| has_selects | whether a value of it depends on the configuration |
| first_edge | where its edges begin in edge_target, edge_attribute, edge_condition, edge_flags |
| first_user | where the edges that lead to it begin in users (their sources) and user_flags |

| column of packages | |
|---|---|
| package_first, package_status | the first node; what became of the package |
| package_undeclared | the kind of what it does not declare |
| package_possible | whether it has an edge that is only possible |
| written, written_at | how its targets are written (``loading.written``); where that begins |
| configurable, configurable_at | its values that depend on the configuration (``loading.configurable``); likewise |

| universe, universe_packages | what ``//...`` reaches, and is loaded for that; empty where it is not known |
|---|---|

| table | |
|---|---|
| packages | names of repositories; repository (as a number) and name of each package |
| names | canonical names, names that people type |
| classes | of rules: name, words of the kind, whether unknown, attributes in order, those that aspects bring, file |
| attribute_places | of classes: where .bzl files define attributes |
| calls | calls of macros |
| attributes, conditions | of edges, by number |
| stored, packed | of packages: name of the BUILD file and version in the cache of packages; itself |
| diagnostics | texts that are told, as data |
| origins, folders | where repositories come from, and where they lie |
| faults, gaps, repository_gaps, companions, missing, unpinned, unknown_rules | what few packages or nodes have |
| facts, listed | what else an answer depends on; the packages below folders |
| looks, environment, inputs | what was looked at: all; before any package; the files of each package |
| around | what concerns all packages of it; the packages that a repository rule made (``snapshot.stale``) |

This module is imported before anything heavy is: nothing but built-in modules here.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from bzlgraph.snapshot.mapped import Mapped, Unwritten


class Unanswered(Exception):
    """The full evaluator has to answer this."""


class NotLoaded(Unanswered):
    """It could be answered if these packages were loaded, by repository and name; or those of ``nodes`` were, and
    ``behind`` them of all that they lead to."""

    def __init__(self, packages: Iterable[tuple[str, str]], nodes: Iterable[int] = (), behind: bool = False) -> None:
        super().__init__()
        self.packages = set(packages)
        self.nodes = set(nodes)
        self.behind = behind


PENDING, LOADED, MISSING, UNLOADED = 0, 1, 5, 6
"""What became of a package; of a package that is not there its nodes are as ``NodeKind`` has it."""
RULE, GROUP, ENVIRONMENTS, NODE_MISSING, NODE_PENDING = 0, 3, 4, 5, 7
"""Of ``NodeKind``."""
IMPLICIT, TOOL, NODEP, POSSIBLE, VISIBILITY, OUTPUT, ASPECT = 1, 2, 4, 8, 32, 64, 256
"""Of ``EdgeFlag``. A test compares both with the enumerations, which are not imported here."""
KIND_WORDS = (
    "",
    "source file",
    "generated file",
    "package group",
    "environment group",
    "missing target",
    "unloaded target",
    "unloaded target",
)


class KeptGraph:
    """What a mapped file says of packages, nodes and edges. Whoever touches what is damaged raises DamagedFile."""

    def __init__(self, file: Mapped | Unwritten) -> None:
        self.file = file
        self.facts: dict[str, Any] = self._table("facts")
        self.canonical: dict[str, str]
        """The canonical name of each repository."""
        self.apparent: dict[str, str]
        """Repositories by the names that people type."""
        self.same_order: bool
        """Whether nodes stand in the order of their labels: by canonical names as by those that people see."""
        self.canonical, self.apparent, self.same_order = self._table("names")
        self.repositories: list[str]
        self.package_repository: list[int]
        self.package_names: list[str]
        self.repositories, self.package_repository, self.package_names = self._table("packages")
        self.package_first = file.whole("package_first")
        self.package_status = file.whole("package_status")
        self._tables: dict[str, Any] = {}
        self._packages: dict[tuple[int, str], int] = {}
        self._columns: dict[str, memoryview] = {}
        self._unchecked: dict[str, memoryview] = {}

    def _table(self, name: str) -> Any:
        return self.file.table(name)

    def table(self, name: str) -> Any:
        """A table, read once."""
        if name not in self._tables:
            self._tables[name] = self._table(name)
        return self._tables[name]

    def whole(self, name: str) -> memoryview:
        """A column, all of it checked, once."""
        if name not in self._columns:
            self._columns[name] = self.file.whole(name)
        return self._columns[name]

    def column(self, name: str) -> memoryview:
        """A column, of which only what was checked may be read (``Mapped.check``)."""
        if name not in self._unchecked:
            self._unchecked[name] = self.file.column(name)
        return self._unchecked[name]

    def package(self, repo: str, name: str) -> int | None:
        """The number of a package, None when no label is in it."""
        if not self._packages:
            keys = zip(self.package_repository, self.package_names, strict=True)
            self._packages = {key: number for number, key in enumerate(keys)}
        if repo not in self.repositories:
            return None
        return self._packages.get((self.repositories.index(repo), name))

    def key(self, package: int) -> tuple[str, str]:
        """Repository and name of a package."""
        return self.repositories[self.package_repository[package]], self.package_names[package]

    def prefix(self, package: int) -> str:
        """What all labels of a package begin with."""
        repo, name = self.key(package)
        return f"@{repo}//{name}:" if repo else f"//{name}:"

    def nodes_of(self, package: int) -> range:
        """The nodes of a package, also those that it does not declare."""
        return range(self.package_first[package], self.package_first[package + 1])

    def node(self, package: int, name: str) -> int | None:
        """The node of that name in a package."""
        wanted = f"{self.prefix(package)}{name}".encode("utf-8", "surrogatepass")
        low, high = self.package_first[package], self.package_first[package + 1]
        while low < high:  # few of the lines of a large package are read, and so checked
            middle = (low + high) // 2
            # Without the line break, which sorts before everything: "a" is before "a.b", as names are.
            found = self.line(middle)[:-1]
            if found == wanted:
                return middle
            if found < wanted:
                low = middle + 1
            else:
                high = middle
        return None

    def by_label(self, node: int) -> tuple[int, int]:
        """What sorts nodes as their labels do: by the name of the repository that people see."""
        return self.package_repository[self.whole("package_of")[node]], node

    def line(self, node: int) -> bytes:
        """The label of a node, and a line break."""
        return bytes(self.lines(node, node + 1))

    def lines(self, first: int, end: int) -> memoryview:
        """The labels of consecutive nodes, a line each."""
        at, texts = self.column("text_at"), self.column("texts")
        self._check_lines(first, end)
        return texts[at[first] : at[end]]

    def _check_lines(self, first: int, end: int) -> None:
        """Before the labels of consecutive nodes are read."""
        at = self.column("text_at")
        self.file.check("text_at", first, end + 1)
        self.file.check("texts", at[first], at[end])

    def label(self, node: int) -> str:
        """The label of a node."""
        return self.line(node)[:-1].decode("utf-8", "surrogatepass")


def listing_around(listed: Mapping[str, list[str]], folder: str) -> list[str] | None:
    """Of lists of packages by the folder that they are below, one that covers another folder."""
    return next((listed[each] for each in listed if not each or f"{folder}/".startswith(f"{each}/")), None)
