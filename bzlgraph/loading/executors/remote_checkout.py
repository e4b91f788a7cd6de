"""A checkout as the workers of a cluster are told of it: workspace -> bytes, the same for all batches of a session."""

from __future__ import annotations

import os
from dataclasses import dataclass

from bzlgraph.cache.code import content_version
from bzlgraph.cache.seal import Seal
from bzlgraph.loading.executors.archive import write_archive
from bzlgraph.loading.executors.wire import seal_of, state_elsewhere, write_request
from bzlgraph.workspace.options import reach
from bzlgraph.workspace.sources.source import DiskSource
from bzlgraph.workspace.tree import RepositoryTree
from bzlgraph.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class RemoteCheckout:
    """What every batch is sent with, and what replies are checked by."""

    version: str
    session: bytes
    """The key that replies are sealed with; an evaluator keeps the checkout of one session open."""
    request: bytes
    archive: bytes
    """What is sent of the checkout; b"" where workers see it."""
    folders: int
    """How many folders are in the archive."""
    state: bytes
    seal: Seal


def remote_checkout(workspace: Workspace, ships: bool) -> RemoteCheckout:
    """A checkout for workers that see it, or that it is shipped to, with the folders of its overrides."""
    options = workspace.options
    folders = dict.fromkeys((workspace.root, *options.overrides.values())) if ships else {}
    own = workspace.repositories.main.tree
    reached = reach(workspace.root, options.repositories, options.overrides.values())
    trees = [own if folder == workspace.root else RepositoryTree(DiskSource(folder, reached)) for folder in folders]
    version, session = content_version(), os.urandom(32)
    return RemoteCheckout(
        version,
        session,
        write_request(workspace, list(folders)),
        write_archive(trees) if ships else b"",
        len(trees),
        state_elsewhere(workspace),
        seal_of(session, version),
    )
