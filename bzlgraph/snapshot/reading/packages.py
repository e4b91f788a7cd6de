"""The packages of a kept graph, read one by one from where packages are kept, when somebody asks for their targets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bzlgraph.bazel.model import Package
from bzlgraph.cache import counters
from bzlgraph.cache.store import PACKAGES, Store
from bzlgraph.graph.view import PackageKey
from bzlgraph.loading.codec import Decoder
from bzlgraph.loading.stored_package import find, row_key
from bzlgraph.snapshot.evaluation.run import Run
from bzlgraph.snapshot.kept import LOADED, KeptGraph, Unanswered


class PackageReader:
    """Reads the packages of a kept graph, each once. ``cache``: the folder of kept packages."""

    def __init__(self, graph: KeptGraph, cache: str) -> None:
        self._graph = graph
        self._store = Store(cache, PACKAGES)
        self._decoder = Decoder()
        self._read: dict[int, Package] = {}

    def package(self, number: int) -> Package:
        """A package. One that is no longer kept as it was raises Unanswered."""
        if number not in self._read:
            self._read[number] = self._decoder.package(self._bytes(number))
            counters.count(counters.UNPACKED)
        return self._read[number]

    def _bytes(self, number: int) -> bytes:
        graph = self._graph
        packed: bytes | None = graph.table("packed").get(number)
        if packed is not None:
            return packed
        build_file, version = graph.table("stored")[number]
        stored = find(self._store, row_key(graph.key(number), build_file, graph.facts["state"]))
        if stored is None or stored.version() != version:
            raise Unanswered
        return stored.data


class KeptPackages(Mapping[PackageKey, Package]):
    """The packages that an evaluation has touched. One that is no longer kept as it was raises Unanswered."""

    def __init__(self, run: Run) -> None:
        self._run = run
        if run.reader is None:
            run.reader = PackageReader(run.graph, run.cache)
        self._reader = run.reader

    def __getitem__(self, key: PackageKey) -> Package:
        number = self._number(key)
        if number is None:
            raise KeyError(key)
        return self._reader.package(number)

    def __contains__(self, key: object) -> bool:
        return isinstance(key, tuple) and self._number(key) is not None

    def __iter__(self) -> Iterator[PackageKey]:
        graph = self._run.graph
        told = (number for number, told in enumerate(self._run.told) if told)
        return (graph.key(number) for number in told if graph.package_status[number] == LOADED)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _number(self, key: tuple[str, ...]) -> int | None:
        number = self._run.graph.package(*key)
        known = number is not None and self._run.told[number] and self._run.graph.package_status[number] == LOADED
        return number if known else None
