"""The packages of a kept graph, read one by one from where packages are kept."""

from __future__ import annotations

from bzlgraph.bazel.model import Package
from bzlgraph.cache import counters
from bzlgraph.cache.store import PACKAGES, Store
from bzlgraph.loading.codec import Decoder
from bzlgraph.loading.stored_package import find, row_key
from bzlgraph.snapshot.kept import KeptGraph, Unanswered


class StoredPackages:
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
