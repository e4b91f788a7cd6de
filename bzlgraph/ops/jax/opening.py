"""JAX's tracer, opened for a workspace."""

from __future__ import annotations

from pathlib import Path

from bzlgraph.loading.loader import Loader
from bzlgraph.ops.jax.tracer import JaxTracer
from bzlgraph.ops.owners import FileOwners


def open_tracer(loader: Loader, folder: Path | None) -> JaxTracer:
    """The tracer of the workspace's main repository."""
    return JaxTracer(loader.workspace.repository("").tree.source, FileOwners(loader, elsewhere=True), folder)
