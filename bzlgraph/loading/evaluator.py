"""The process in which a worker of a cluster evaluates packages: batches on stdin, sealed replies on stdout.

``python -m bzlgraph.loading.evaluator``. Evaluating has a process of its own because limits of time and
memory are those of a process and of its main thread, which a worker needs itself. It keeps the checkout of the last
session open, so that each .bzl file is evaluated once, and ends when its worker does.
"""

from __future__ import annotations

import marshal
import os
import signal
import sys
from dataclasses import dataclass, field
from pathlib import Path

from bzlgraph.base.errors import BzlgraphError
from bzlgraph.base.span import Location
from bzlgraph.cache.store import PACKAGES, Store
from bzlgraph.loading.executors.wire import (
    Reply,
    Work,
    read_frame,
    read_request,
    seal_of,
    state_elsewhere,
    write_frame,
    write_reply,
)
from bzlgraph.loading.loader import Loader
from bzlgraph.loading.package_cache import Digests, PackageCache
from bzlgraph.loading.stored_package import EncodedPackage, PackageId
from bzlgraph.workspace.program_cache import import_compiler
from bzlgraph.workspace.workspace import open_workspace


@dataclass(slots=True)
class Evaluator:
    """The checkout of the last session."""

    _session: bytes = b""
    _loader: Loader | None = None
    _state: bytes = b""
    _refusal: str = ""
    _printed: list[tuple[str, Location]] = field(default_factory=list)

    def reply(self, work: Work) -> bytes:
        """The sealed reply to a batch."""
        self._open(work)
        keys: list[PackageId] = marshal.loads(work.batch)
        packages = () if self._refusal else tuple(map(self._evaluated, keys))
        reply = Reply(work.worker, self._state, packages, tuple(self._printed), self._refusal)
        self._printed.clear()
        return write_reply(seal_of(work.session, work.version), work.batch, reply)

    def _open(self, work: Work) -> None:
        """Open the checkout, unless it is."""
        if work.session == self._session:
            return
        self._session, self._loader, self._state, self._refusal = work.session, None, b"", ""
        folders = [Path(folder) for folder in work.folders]
        root, options = read_request(work.request, folders, lambda *printed: self._printed.append(printed))
        try:
            workspace = open_workspace(root, options)
        except BzlgraphError as problem:
            self._refusal = f"says: {problem.diagnostic.message}"
            return
        self._loader = Loader(workspace, PackageCache(Digests(workspace), Store(None, PACKAGES)))
        self._state = state_elsewhere(workspace)
        self._printed.clear()  # whoever asked has seen what WORKSPACE prints

    def _evaluated(self, key: PackageId) -> EncodedPackage | None:
        """A package; None where limits ended it, or something that nobody foresaw: both belong where they are told."""
        assert self._loader is not None
        try:
            package = self._loader.encoded(key)
        except Exception:
            return None
        return package if package.lasting else None


def run() -> None:
    """Evaluate batches until nobody sends any."""
    stdin, stdout = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing but replies goes there
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    import_compiler()
    evaluator = Evaluator()
    while True:
        try:
            write_frame(stdout, evaluator.reply(Work(*marshal.loads(read_frame(stdin)))))
        except (EOFError, BrokenPipeError):
            sys.exit()


if __name__ == "__main__":
    run()
