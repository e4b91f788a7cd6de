"""What few packages and nodes have: the tables of an older graph with those that are written anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bzlgraph.base.label import RepoMapping
from bzlgraph.snapshot.kept import PENDING
from bzlgraph.snapshot.making.splice import Splice
from bzlgraph.snapshot.mapped import packed

if TYPE_CHECKING:
    from bzlgraph.snapshot.mapped import Column


class Tables:
    """The tables of a graph, and its columns of packages, beside those of a ``Splice``. Raises DamagedFile."""

    def __init__(self, splice: Splice) -> None:
        self._splice = splice
        self._old, self._part, self._order = splice.old, splice.part, splice.order
        self._number_of = {key: number for number, key in enumerate(self._order.keys)}

    def columns(self, canonical: Mapping[str, str], mapping: RepoMapping) -> dict[str, Column]:
        """``canonical``: the canonical name of each repository; ``mapping``: what people type."""
        part = self._part
        apparent = {repo: repo for repo in canonical if repo and mapping("", repo) == repo}
        faults = {**self._before("faults", self._order.anew), **part.faults}
        repositories = sorted({repo for repo, _ in self._order.keys})
        at = {repo: number for number, repo in enumerate(repositories)}
        of_keys = [at[repo] for repo, _ in self._order.keys], [name for _, name in self._order.keys]
        found = {
            "packages": (repositories, *of_keys),
            "names": (dict(canonical), apparent, all(repo == name for repo, name in canonical.items())),
            **{name: self._of_nodes(name) for name in part.of_labels},
            **{name: self._of_packages(name) for name in part.of_packages},
            "faults": faults,
            "origins": self._before("origins") | dict(part.origins),
            "folders": self._before("folders") | dict(part.folders),
            "inputs": self._inputs(),
        }
        found["diagnostics"] = self._diagnostics(found)
        return {
            **{name: packed(table) for name, table in found.items()},
            "package_status": ("|u1", self._by_package("package_status", part.status, PENDING)),
            "package_undeclared": ("|u1", self._by_package("package_undeclared", part.undeclared, 0)),
        }

    def _before(self, name: str, without: Any = ()) -> dict[Any, Any]:
        """A table of the older graph, without some of its rows."""
        graph = self._old.graph
        table: dict[Any, Any] = {} if graph is None else graph.table(name)
        return {key: value for key, value in table.items() if key not in without}

    def _by_package(self, name: str, anew: Mapping[tuple[str, str], int], unknown: int) -> bytearray:
        found = bytearray([unknown]) * len(self._order.keys)
        if self._old.graph is not None:
            for key, value in zip(self._old.keys, self._old.graph.whole(name), strict=True):
                if key not in self._order.anew:
                    found[self._number_of[key]] = value
        for key, value in anew.items():
            found[self._number_of[key]] = value
        return found

    def _of_packages(self, name: str) -> dict[int, object]:
        gone = {self._old.number_of.get(key) for key in self._order.anew}
        new = [self._number_of[key] for key in self._old.keys]
        rest = {new[number]: value for number, value in self._before(name, gone).items()}
        return {**rest, **{self._number_of[key]: value for key, value in self._part.of_packages[name].items()}}

    def _of_nodes(self, name: str) -> dict[int, object]:
        gone = {node for key in self._order.anew for node in self._old.range(key)}
        rest = {self._order.new_number(node): value for node, value in self._before(name, gone).items()}
        return {**rest, **{self._splice.number(label): value for label, value in self._part.of_labels[name].items()}}

    def _inputs(self) -> dict[str, list[tuple[str, str]]]:
        """The packages that are made from each file."""
        written = {*self._order.anew, *self._part.inputs}
        found = {path: [key for key in keys if key not in written] for path, keys in self._before("inputs").items()}
        for key, files in self._part.inputs.items():
            for path in dict.fromkeys(files):
                found.setdefault(path, []).append(key)
        return {path: keys for path, keys in found.items() if keys}

    def _diagnostics(self, tables: Mapping[str, Any]) -> dict[str, object]:
        """What stands behind the texts that are told."""
        told = {*tables["missing"].values(), *(text for texts, _ in tables["faults"].values() for text in texts)}
        rest = {text: plain for text, plain in self._before("diagnostics").items() if text in told}
        return {**rest, **self._part.diagnostics}
