"""Both halves of TensorFlow's tracer, opened for a workspace."""

from __future__ import annotations

from pathlib import Path

from bzlgraph.loading.loader import Loader
from bzlgraph.ops.tensorflow.ahead import Ahead
from bzlgraph.ops.tensorflow.cpp.index import open_cpp_index
from bzlgraph.ops.tensorflow.python.gen_targets import GenTargets
from bzlgraph.ops.tensorflow.python.side import PythonSide
from bzlgraph.ops.tensorflow.tracer import TensorflowTracer


def open_tracer(loader: Loader, folder: Path | None) -> TensorflowTracer:
    """The tracer of the workspace's main repository."""
    source = loader.workspace.repository("").tree.source
    ahead = Ahead(loader, folder)
    cpp = open_cpp_index(loader, ahead.start)
    return TensorflowTracer(PythonSide(source, folder, cpp.ops), cpp, GenTargets(loader).of, asked=ahead.ask)
