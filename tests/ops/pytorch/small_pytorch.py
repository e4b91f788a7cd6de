"""A tree in the shape of PyTorch: the operators of a text in YAML, and one file of C++ that has their kernels."""

from __future__ import annotations

from bzlgraph.ops.pytorch.tracer import ENTRIES, PytorchTracer
from bzlgraph.ops.tracer import OpTrace
from bzlgraph.workspace.sources.source import MemorySource


def story(yaml: str, cpp: str, name: str) -> OpTrace:
    """What is told of an operator."""
    source = MemorySource({ENTRIES: yaml.encode(), "aten/src/ATen/native/Ops.cpp": cpp.encode()})
    return PytorchTracer(source, lambda _path: ("//:ops",), None).explain(name).stories[0]


def runs(yaml: str, cpp: str, name: str) -> list[tuple[str, str]]:
    """The operators that it runs, and when."""
    return [(each.op, each.condition) for each in story(yaml, cpp, name).runs]
