"""Both halves of TensorFlow's tracer, opened for a workspace."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from bzlgraph.loading.loader import Loader
from bzlgraph.ops.tensorflow.cpp_side import CppSide, NoCpp
from bzlgraph.ops.tensorflow.gen_targets import GenTargets
from bzlgraph.ops.tensorflow.python_side import PythonSide
from bzlgraph.ops.tensorflow.tracer import TensorflowTracer

CPP_INDEX = "bzlgraph.ops.tensorflow.cpp_index"


def open_tracer(loader: Loader, folder: Path | None) -> TensorflowTracer:
    """The tracer of the workspace's main repository."""
    source = loader.workspace.repository("").tree.source
    cpp: CppSide = import_module(CPP_INDEX).open_cpp_index(loader) if find_spec(CPP_INDEX) else NoCpp()
    return TensorflowTracer(PythonSide(source, folder, cpp.ops), cpp, GenTargets(loader).of)
