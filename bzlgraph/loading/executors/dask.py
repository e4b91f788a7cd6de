"""Packages evaluated by the workers of a Dask cluster (https://distributed.dask.org), and checked here.

Theory of operation. A batch of packages is a task. What a worker sends back is taken as a cache is: it is sealed, and a
package counts only if all that it was made from has the same digest here, and all else that packages depend on is the
same there. So a worker that sees other files, or that sends damaged bytes, costs time and changes no answer. Every file
that counts is looked at here for that: nothing of what workers looked at has to travel.

* A worker that dies: Dask gives its batches to another one. A batch that several die of is evaluated here.
* A worker that cannot do the work (other code, no such checkout) is named once and asked no more.
* A scheduler that is gone, or has no workers for some time: whoever asked does the rest (without forks: Dask's client
  has threads, and a forked process waits for ever for locks that they held).
"""

from __future__ import annotations

import marshal
import re
import time
from collections.abc import Collection, Iterator, Sequence

from bzlgraph.loading.executors.cluster import Cluster
from bzlgraph.loading.executors.crew import Crew, join_crew
from bzlgraph.loading.executors.executor import Executor
from bzlgraph.loading.executors.remote_checkout import RemoteCheckout, remote_checkout
from bzlgraph.loading.executors.wire import Damaged, Reply, read_reply
from bzlgraph.loading.package_cache import Digests
from bzlgraph.loading.stored_package import EncodedPackage, PackageId
from bzlgraph.workspace.sources.source import DiskSource

AHEAD = 2
"""How many batches a thread is given at a time, so that it need not wait for this process."""
LARGEST = 16
"""Packages in a batch: some 100 ms of work, against a few ms that a task costs."""
FAILURES = 8
"""After so many batches in a row that gave nothing the cluster is left alone."""
TICK, GRACE = 1.0, 10.0
"""Seconds between looks at who is there, and for which a cluster may have no workers."""


class DaskExecutor(Executor[PackageId, EncodedPackage]):
    """A cluster, and the batches that it was given."""

    __slots__ = (
        "_batches", "_checkout", "_crew", "_deserted", "_digests", "_failures", "_looked", "_noted",
    )  # fmt: skip

    def __init__(self, crew: Crew, checkout: RemoteCheckout, digests: Digests) -> None:
        super().__init__()
        self._crew, self._checkout, self._digests = crew, checkout, digests
        self._batches: dict[bytes, Sequence[PackageId]] = {}
        self._failures = 0
        self._looked = self._deserted = time.monotonic()
        self._noted: set[str] = set()

    def close(self) -> None:
        self._crew.close()
        self._batches.clear()

    def _given(self) -> Collection[PackageId]:
        return {key for keys in self._batches.values() for key in keys}

    def _works(self) -> bool:
        return self._crew.is_open

    def _give(self) -> None:
        slots = max(self._crew.threads, 1) * AHEAD
        while len(self._batches) < slots:
            # Batches shrink towards the end: nobody waits long for the last one.
            most = max(1, min(LARGEST, len(self._waiting) // slots))
            keys = [key for _ in range(most) if (key := self._waiting.take_first()) is not None]
            if not keys:
                return
            batch = marshal.dumps(keys)
            self._batches[batch] = keys
            self._crew.submit(batch)

    def _arrived(self) -> Iterator[tuple[PackageId, EncodedPackage | None]]:
        arrival = self._crew.arrival(TICK)
        if time.monotonic() - self._looked >= TICK:
            self._look()
        if arrival is None:
            if not self._works():
                yield from self._abandoned()
            return
        keys = self._batches.pop(arrival.batch, ())
        try:
            reply = read_reply(self._checkout.seal, arrival.batch, arrival.data)
        except Damaged as damage:
            died = "a worker process died while evaluating a batch" if arrival.data == b"" else ""
            yield from self._failed(keys, arrival.failure or died or f"a worker sent damaged bytes: {damage}")
            return
        refusal = reply.refusal or ("" if reply.state == self._checkout.state else "sees another checkout")
        if not refusal:
            yield from self._counted(keys, reply)
        elif self._crew.without(reply.worker):
            self._note(f"a worker {refusal} and is no longer used")
            self._waiting.add(keys)
        else:
            self._give_up(f"every worker {refusal}")
            yield from ((key, None) for key in keys)
            yield from self._abandoned()

    def _counted(self, keys: Sequence[PackageId], reply: Reply) -> Iterator[tuple[PackageId, EncodedPackage | None]]:
        """The packages of a reply that are what would be made here."""
        self._failures = 0
        for text, location in reply.printed:
            self._digests.workspace.options.print(text, location)
        for key, package in zip(keys, reply.packages, strict=True):
            if package is not None and not self._digests.hold(package.stored.inputs):
                self._note(
                    f"workers see different files than this machine, such as {'//'.join(key)}; it is evaluated here"
                )
                package = None
            yield key, None if self._meets_refused(key) else package

    def _meets_refused(self, key: PackageId) -> bool:
        """Whether a package was sent without a link that it has, and would tell of."""
        repo, name = key
        tree = self._digests.workspace.repository(repo).tree
        if not self._checkout.archive or not isinstance(tree.source, DiskSource) or not tree.source.refused:
            return False
        files = tree.package_files(name)
        files.files()
        return bool(files.refused())

    def _failed(self, keys: Sequence[PackageId], why: str) -> Iterator[tuple[PackageId, None]]:
        """A batch gave nothing."""
        self._failures += 1
        self._note(f"{why}; its packages are evaluated here")
        yield from ((key, None) for key in keys)
        if self._failures >= FAILURES:
            self._give_up("batches keep failing")
            yield from self._abandoned()

    def _look(self) -> None:
        """Look who is there."""
        now = self._looked = time.monotonic()
        if self._crew.look():
            self._deserted = now
        elif now - self._deserted >= GRACE:
            self._give_up(f"no worker was available for {GRACE:g} s")

    def _give_up(self, why: str) -> None:
        self._note(f"{why}: this process evaluates the rest")
        self._crew.close()

    def _abandoned(self) -> Iterator[tuple[PackageId, None]]:
        """The packages of all batches that nobody will do any more."""
        keys = self._given()
        self._batches.clear()
        yield from ((key, None) for key in keys)

    def _note(self, text: str) -> None:
        """Tell something once, whatever the package or the batch is called."""
        kind = re.split("[,(]", text)[0]
        if kind not in self._noted:
            self._noted.add(kind)
            options = self._digests.workspace.options
            options.note(f"{options.executor}: {text}")


def join(cluster: Cluster, digests: Digests) -> DaskExecutor:
    """The executor of a cluster. Raises UsageProblem when its scheduler does not answer."""
    checkout = remote_checkout(digests.workspace, cluster.ships)
    return DaskExecutor(join_crew(cluster, checkout), checkout, digests)
