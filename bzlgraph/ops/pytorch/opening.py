"""PyTorch's tracer, opened for a workspace."""

from __future__ import annotations

from pathlib import Path

from bzlgraph.loading.loader import Loader
from bzlgraph.ops.owners import FileOwners
from bzlgraph.ops.pytorch.tracer import PytorchTracer


def open_tracer(loader: Loader, folder: Path | None) -> PytorchTracer:
    """The tracer of the workspace's main repository; ``folder`` is where readings are kept."""
    return PytorchTracer(loader.workspace.repository("").tree.source, FileOwners(loader), folder)
