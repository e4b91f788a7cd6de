"""The workers of a Dask scheduler: bytes to one of them, bytes back. All that is known of Dask's client is here.

Nothing but bytes travels: what workers send is read as msgpack, never unpickled. (Dask itself pickles the name of the
function that runs, for its workers, and errors of its own, for us.)
"""

from __future__ import annotations

import threading
import weakref
from contextlib import suppress
from hashlib import blake2b
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

from bzlgraph.base.errors import UsageProblem
from bzlgraph.loading.executors.cluster import PATIENCE, Cluster
from bzlgraph.loading.executors.dask_worker import archive_bytes, evaluate_batch
from bzlgraph.loading.executors.remote_checkout import RemoteCheckout

if TYPE_CHECKING:
    from distributed import Client, Future

_BYTES_ONLY = ["msgpack"]
_FETCHING = 30.0
"""Seconds in which a result that is there has to come here."""


class Arrival(NamedTuple):
    """What came of a batch: bytes that a worker sent, or why there are none."""

    batch: bytes
    data: object
    failure: str = ""


class Crew:
    """Who works, and what they are doing."""

    def __init__(self, client: Client, checkout: RemoteCheckout) -> None:
        self._client = client
        # At the latest when nobody holds the crew any more: the client's own thread holds the client.
        self._leave = weakref.finalize(self, client.close, timeout=PATIENCE)
        self._checkout = checkout
        self._done: SimpleQueue[tuple[bytes, Future] | None] = SimpleQueue()
        self._arrivals: SimpleQueue[Arrival] = SimpleQueue()
        threading.Thread(target=_fetch_all, args=(self._done, self._arrivals), daemon=True).start()
        self._futures: dict[bytes, Future] = {}
        self._workers: dict[str, int] = {}
        self._useless: set[str] = set()
        self._archive: Future | bytes = b""
        self.is_open = True
        if checkout.archive:
            name = f"bzlgraph-{blake2b(checkout.archive, digest_size=20).hexdigest()}"
            self._archive = client.submit(archive_bytes, checkout.archive, key=name)
        self.look()

    @property
    def threads(self) -> int:
        """How many batches are evaluated at a time."""
        return sum(self._workers.values())

    def submit(self, batch: bytes) -> None:
        """Give a batch to somebody; one that cannot be sent arrives as one that failed."""
        try:
            self._send(batch)
        except Exception as error:  # a scheduler that is gone: Dask's client closes itself at any time
            self._arrivals.put(Arrival(batch, None, f"a batch could not be sent ({_first_line(error)})"))

    def _send(self, batch: bytes) -> None:
        checkout = self._checkout
        where = {"workers": list(self._workers), "allow_other_workers": True} if self._useless else {}
        done = self._done
        future = self._client.submit(
            evaluate_batch,
            *(checkout.version, checkout.session, checkout.request, batch, checkout.folders, self._archive),
            pure=False,
            **where,
        )
        self._futures[batch] = future
        future.add_done_callback(lambda future: done.put((batch, future)))

    def arrival(self, patience: float) -> Arrival | None:
        """What comes next; None when nothing does in that many seconds."""
        try:
            arrival = self._arrivals.get(timeout=patience)
        except Empty:
            return None
        self._futures.pop(arrival.batch, None)
        return arrival

    def look(self) -> bool:
        """Look who is there; whether anybody of use is."""
        try:
            there = self._client.nthreads() if self._client.status == "running" else {}
        except Exception:  # whatever Dask raises for a scheduler that is going away
            there = {}
        self._workers = {address: threads for address, threads in there.items() if address not in self._useless}
        return bool(self._workers)

    def without(self, worker: str) -> bool:
        """Do not ask a worker any more; whether any others are left."""
        self._useless.add(worker)
        return self.look()

    def close(self) -> None:
        """Leave the cluster; what it is doing for us ends."""
        if self.is_open:
            self.is_open = False
            self._futures.clear()
            self._done.put(None)
            self._leave()


def _fetch_all(done: SimpleQueue[tuple[bytes, Future] | None], arrivals: SimpleQueue[Arrival]) -> None:
    """Fetch results while others are looked at."""
    while (each := done.get()) is not None:
        arrivals.put(_fetched(*each))


def _fetched(batch: bytes, future: Future) -> Arrival:
    try:
        return Arrival(batch, future.result(timeout=_FETCHING))
    except Exception as error:
        return Arrival(batch, None, f"a batch failed ({_first_line(error)})")


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {next(iter(str(error).splitlines()), '')[:200]}"


def join_crew(cluster: Cluster, checkout: RemoteCheckout) -> Crew:
    """The workers of a cluster. Raises UsageProblem when its scheduler does not answer."""
    import dask

    # Dask's own log is nothing that whoever asks a question can use; what matters is told as a note.
    with dask.config.set({"logging": {"distributed": "critical", "distributed.client": "critical"}}):
        from distributed import Client
    made: list[Client] = []

    def connect() -> None:
        with suppress(Exception):  # which are those of Dask, and of whatever answers
            limits = {"serializers": _BYTES_ONLY, "deserializers": _BYTES_ONLY}
            made.append(Client(cluster.address, timeout=PATIENCE, set_as_default=False, name="bzlgraph", **limits))

    # Dask's own limit does not hold for a server that says something else than it expects.
    connecting = threading.Thread(target=connect, daemon=True)
    connecting.start()
    connecting.join(2 * PATIENCE)
    if not made:
        raise UsageProblem(f"{cluster.address}: no Dask scheduler answers there")
    return Crew(made[0], checkout)
