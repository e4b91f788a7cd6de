"""The comparison with PyTorch's profiler, on a small tree and traces written by hand."""

from bzlgraph.ops.pytorch.tracer import ENTRIES, PytorchTracer
from bzlgraph.workspace.sources.source import MemorySource
from tests.differential.wheels.pytorch.compare import compare, missed_pairs

YAML = """\
- func: blur(Tensor self) -> Tensor
- func: sum.dim(Tensor self, int dim) -> Tensor
  variants: method
  dispatch:
    CPU: sum_cpu
"""
CPP = """\
namespace at { namespace native {
Tensor blur(const Tensor& self) { return self.sum(1); }
Tensor sum_cpu(const Tensor& self, int64_t dim) { return self; }
}}
"""


def test_operators_are_compared_by_name_and_the_innermost_by_their_kernels() -> None:
    source = MemorySource({ENTRIES: YAML.encode(), "aten/src/ATen/native/Ops.cpp": CPP.encode()})
    calls = [
        {"name": "torch.blur", "operators": ["blur", "sum"], "innermost": ["sum"]},
        {"name": "torch.blur", "operators": ["blur", "max"], "innermost": ["max"]},
        {"name": "torch.none", "operators": ["none"], "innermost": ["none"]},
    ]
    rows = list(compare(PytorchTracer(source, lambda _path: (), None), calls))
    assert [(all_of.missed, inner.missed, all_of.found) for all_of, inner in rows] == [
        ([], [], True),
        (["max"], ["max"], True),
        (["none"], ["none"], False),
    ]


def test_a_step_that_is_not_told_is_missed() -> None:
    source = MemorySource({ENTRIES: YAML.encode(), "aten/src/ATen/native/Ops.cpp": CPP.encode()})
    calls = [{"name": "torch.blur", "pairs": [["", "blur"], ["blur", "sum"], ["sum", "max"]]}]
    assert missed_pairs(PytorchTracer(source, lambda _path: (), None), calls) == (2, [("sum", "max", "torch.blur")])
