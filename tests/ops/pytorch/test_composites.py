"""What runs inside of an operator: followed through C++ bodies, with the conditions of each branch."""

import pytest

from bzlgraph.export.op_formats.text import answer_text
from bzlgraph.ops.pytorch.tracer import ENTRIES, PytorchTracer
from bzlgraph.workspace.sources.source import MemorySource
from tests.ops.pytorch.composite_tree import CPU, OPS, YAML, story


def runs(name: str) -> list[tuple[int, str, int, str]]:
    return [(each.depth, each.op, each.location.line, each.condition) for each in story(name).runs]


def test_a_composite_is_a_tree_with_the_condition_of_each_branch() -> None:
    fast = "pick(self) == Kind::Fast || pick(self) == Kind::Faster"
    assert runs("blur") == [
        (1, "_blur", 10, ""),
        (2, "blur_fast", 16, fast),
        (3, "mul.Tensor", 33, ""),
        (3, "add.Scalar", 33, ""),
        (3, "max", 2, ""),
        (2, "blur_slow", 25, "WITH_SLOW && self.size(0) == 1"),
        (2, "sum", 26, "WITH_SLOW && self.size(0) != 1"),
        (1, "add.Tensor", 5, "n > 2"),
        (2, "new_like", 39, ""),
    ]


def test_functions_on_the_way_are_named() -> None:
    through = {each.op: each.through for each in story("blur_fast").runs}
    assert through["max"] == ("blur_kernel",)
    assert through["new_like"] == ("TensorIterator::made", "TensorIteratorBase::build")


def test_each_operator_inside_has_its_kernels_and_their_targets() -> None:
    inside = {each.op: each for each in story("blur").runs}
    assert [(each.device, each.kernel_class) for each in inside["blur_fast"].kernels] == [
        *[("CPU", "blur_fast_cpu"), ("CPU", "blur_kernel"), ("MPS", "blur_fast_mps")]
    ]
    assert inside["blur_fast"].kernels[0].targets == ("//:ops",)


@pytest.mark.parametrize(
    ("name", "why"),
    [("size.name", "bound by hand: no call goes through the dispatcher"), ("max", "of a vector, of std")],
)
def test_what_is_no_call_of_an_operator(name: str, why: str) -> None:
    assert name not in {each.op for each in story("_blur").runs if each.depth == 1}, why


def test_a_structured_operator_runs_its_meta_function() -> None:
    assert runs("add.Tensor") == [(1, "new_like", 39, "")]


def test_the_text_leaves_out_what_only_moves_data() -> None:
    files = {ENTRIES: YAML, "aten/src/ATen/native/Ops.cpp": OPS, "aten/src/ATen/native/cpu/Kernel.cpp": CPU}
    source = MemorySource({path: text.encode() for path, text in files.items()})
    answer = PytorchTracer(source, lambda _path: (), None).explain("blur_fast")
    short, long = answer_text(answer), answer_text(answer, everything=True)
    assert "runs new_like" not in short
    assert "1 more operators inside  (--all)" in short
    assert "runs new_like" in long
    assert "runs mul.Tensor" in short
