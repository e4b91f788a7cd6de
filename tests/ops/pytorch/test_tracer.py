"""A small PyTorch tree in memory: from names to functions, kernels behind stubs, gradients and targets."""

import pytest

from bzlgraph.ops.pytorch.tracer import COLUMNS, ENTRIES, OUTSIDE, PytorchTracer
from bzlgraph.workspace.sources.source import MemorySource

YAML = """\
- func: scale.Tensor(Tensor self, Tensor by) -> Tensor
  variants: function, method
  structured_delegate: scale.out

- func: scale_.Tensor(Tensor(a!) self, Tensor by) -> Tensor(a!)
  variants: method
  structured_delegate: scale.out

- func: scale.out(Tensor self, Tensor by, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU, CUDA: scale_out
    MPS: scale_out_mps

- func: blend(Tensor self, Scalar by) -> Tensor
- func: blend.Tensor(Tensor self, Tensor by) -> Tensor

- func: mirror_copy(Tensor self) -> Tensor
  dispatch:
    CompositeExplicitAutograd: mirror_copy
  tags: view_copy

- func: cast_Byte(Tensor self) -> Tensor
- func: outside(Tensor self) -> Tensor
  dispatch: {}
- func: lost(Tensor self) -> Tensor
  dispatch:
    CPU: lost_cpu
"""
OPS = """\
#include <list.h>
namespace at {
namespace native {
// TORCH_IMPL_FUNC(scale_out) in a comment is none
#define UNARY(name, stub) \\
TORCH_IMPL_FUNC(name) (const Tensor& self, const Tensor& by, const Tensor& result) { stub(device_type(), *this); }

UNARY(scale_out, scale_stub)
DEFINE_DISPATCH(scale_stub);

Tensor blend(const Tensor& self, const Scalar& by) { return self.blend(wrapped(by)); }
Tensor blend(const Tensor& self,
             const Tensor& by) {
  return at::scale(self, by);
}
namespace vulkan { Tensor blend(const Tensor& self, const Tensor& by) { return self; } }
#define DEFINE_CAST(T) Tensor cast_##T(const Tensor& self) { return self.to(k##T); }
FORALL_TYPES(DEFINE_CAST)
}} // namespace at::native
"""
FILES = {
    ENTRIES: YAML,
    "aten/src/ATen/native/Ops.cpp": OPS,
    "aten/src/ATen/native/list.h": "#define FORALL_TYPES(_) _(Byte) _(Char)\n",
    "aten/src/ATen/native/cpu/Kernel.cpp": "namespace at { namespace native {\nstatic void scale_kernel(int a) {}\n"
    "REGISTER_DISPATCH(scale_stub, &scale_kernel);\n}}\n",
    "aten/src/ATen/native/cuda/Kernel.cu": "void scale_cuda(int a) {}\n"
    "REGISTER_DISPATCH(scale_stub, &scale_cuda<float, int>);",
    "aten/src/ATen/native/mps/Scale.mm": "namespace at::native {\n#if USE_MPS\nTORCH_IMPL_FUNC(scale_out_mps)"
    "(const Tensor& self, const Tensor& by, const Tensor& result) {}\n#endif\n}\n",
    "tools/autograd/derivatives.yaml": "- name: scale.Tensor(Tensor self, Tensor by) -> Tensor\n"
    '  self, by: "scale(grad)"\n',
    "torch/__init__.py": "",
    "torch/nn/functional.py": "import torch\n\ndef soft(x):\n    return torch.scale(x, x)\n",
}


def tracer(changes: dict[str, str] | None = None) -> PytorchTracer:
    files = {path: text.encode() for path, text in {**FILES, **(changes or {})}.items()}
    return PytorchTracer(MemorySource(files), lambda path: (f"//:{path.rpartition('.')[2]}",))


def found(word: str) -> list[tuple[str, str, str, tuple[str, ...]]]:
    return [
        (kernel.device, kernel.kernel_class, str(kernel.location), kernel.through)
        for story in tracer().explain(word).stories
        for kernel in story.kernels
    ]


STRUCTURED = ("structured kernel", "macro UNARY", "structured_delegate scale.out")
BEHIND = ("stub scale_stub", "structured_delegate scale.out")
SCALE = [
    ("CPU", "scale_out", "aten/src/ATen/native/Ops.cpp:8:1", STRUCTURED),
    ("CPU", "scale_kernel", "aten/src/ATen/native/cpu/Kernel.cpp:2:1", BEHIND),
    ("CUDA", "scale_out", "aten/src/ATen/native/Ops.cpp:8:1", STRUCTURED),
    ("CUDA", "scale_cuda", "aten/src/ATen/native/cuda/Kernel.cu:1:1", BEHIND),
    ("MPS", "scale_out_mps", "aten/src/ATen/native/mps/Scale.mm:3:1", (STRUCTURED[0], STRUCTURED[2])),
]


@pytest.mark.parametrize("word", ["scale.Tensor", "aten::scale.Tensor", "torch.scale", "torch.nn.functional.soft"])
def test_structured_kernels_and_what_is_behind_their_stubs(word: str) -> None:
    assert found(word) == SCALE


def test_overloads_are_told_apart_by_their_parameters() -> None:
    place = "aten/src/ATen/native/Ops.cpp"
    assert [kernel[2] for kernel in found("blend")[:1]] == [f"{place}:11:1"]
    assert [kernel[2] for kernel in found("blend.Tensor")] == [f"{place}:12:1"]


def test_what_is_generated_and_what_is_not_there() -> None:
    assert [kernel[3] for kernel in found("mirror_copy")] == [("generated",)]
    assert [kernel[3] for kernel in found("lost")] == [("not in this tree",)]
    assert tracer().explain("lost").stories[0].remarks == ("no definition in this tree for CPU",)


def test_functions_made_for_each_of_a_list_of_types() -> None:
    how = ("made of other operators", "macro FORALL_TYPES")
    assert found("cast_Byte") == [("CompositeImplicitAutograd", "cast_Byte", "aten/src/ATen/native/Ops.cpp:18:1", how)]


def test_gradients_targets_and_conditions() -> None:
    story = tracer().explain("scale_.Tensor").stories[0]
    assert [(each.function, str(each.location)) for each in story.gradients] == [
        ("self, by: scale(grad)", "tools/autograd/derivatives.yaml:1:1")
    ]
    assert {kernel.targets for kernel in story.kernels} == {("//:cpp",), ("//:cu",), ("//:mm",)}
    assert [kernel.condition for kernel in story.kernels if kernel.device == "MPS"] == ["USE_MPS"]


def test_from_a_file_and_from_a_function() -> None:
    by_file = tracer().explain("aten/src/ATen/native/cuda/Kernel.cu")
    assert [story.op for story in by_file.stories] == ["scale.Tensor", "scale_.Tensor", "scale.out"]
    assert [story.op for story in tracer().explain("lost_cpu").stories] == ["lost"]


def test_the_table_has_a_row_for_each_function() -> None:
    table = tracer().table()
    assert [name for name, _ in table.columns[:7]] == "schema dispatch_key function file line target how".split()
    assert len(table.columns) == len(COLUMNS) == len(table.rows[0])
    assert ("lost(Tensor self) -> Tensor", "CPU", "lost_cpu", "", None, "", "not in this tree", "") in table.rows
    assert ("outside(Tensor self) -> Tensor", "", "", "", None, "", OUTSIDE, "") in table.rows


def test_wrong_names_get_suggestions() -> None:
    answer = tracer().explain("torch.sclae")
    assert not answer.found
    assert answer.suggestions[0] == "torch.scale"
    assert tracer().explain("jax.lax.scale").suggestions[0] == "torch.scale"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (ENTRIES, "- func: [\n"),
        ("aten/src/ATen/native/Ops.cpp", "scale_out(\0"),
        ("tools/autograd/derivatives.yaml", "\t:"),
    ],
)
def test_a_broken_file_is_a_gap(path: str, text: str) -> None:
    answer = tracer({path: text}).explain("scale.Tensor")
    assert [gap.location.path for gap in answer.gaps if gap.location] == [path]


def test_an_empty_header_is_no_gap() -> None:
    header = {"aten/src/ATen/Empty.h": "", "c10/util/Empty.h": ""}
    assert tracer(header).explain("scale.Tensor").gaps == tracer({}).explain("scale.Tensor").gaps == ()
