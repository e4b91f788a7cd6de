"""A small PyTorch tree in memory: from names to functions, kernels behind stubs, gradients and targets."""

import pytest

from bzlgraph.export.op_formats.text import answer_text
from bzlgraph.ops.pytorch.cpp.definitions import FUNCTIONS, METHODS
from bzlgraph.ops.pytorch.python.bound_by_hand import ATTRIBUTES
from bzlgraph.ops.pytorch.python.left_out import GENERATOR
from bzlgraph.ops.pytorch.python.rules import DECOMPOSITION, META
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


BY_HAND = """\
static PyObject * THPVariable_invert(PyObject* self) { return wrap(dispatch_invert(self)); }
static Tensor dispatch_invert(const Tensor & self) { return at::blend(self, 2); }
"""
TABLE = 'static PyMethodDef m[] = {\n  {"__invert__", THPVariable_invert, METH_NOARGS, nullptr},\n};\n'
MANUAL = """\
namespace torch::autograd::generated::details {
Tensor scale_backward(const Tensor& grad) { return grad.scale(grad); }
}
"""
RULES = """\
@register_decomposition(aten.blend)
def blend(self: Tensor, by: float):
    return torch.scale(self, by)
@register_meta([aten.scale.Tensor])
def meta_scale(self, by):
    return self
@_make_reference()
def cast_Byte(a):
    return a
@_make_reference(aten_op=None)
def lost(a):
    return a
def _make_reference(aten_op=infer):
    return lambda f: register_decomposition(aten_op)(f)
"""


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


def test_of_several_stubs_the_function_that_gets_them_chooses() -> None:
    """scatter.src of PyTorch 2.6.0 has no reduction: its scatter_impl calls the second of its two stubs."""
    body = "{ choose<true>(self, add_stub, scale_stub); scale_stub(device_type(), *this); both(put_stub); }"
    ops = OPS.replace("{ stub(device_type(), *this); }", body)
    kernel = "void f(int a) {}\n" + "".join(
        f"REGISTER_DISPATCH({stub}, &f);\n" for stub in ("add_stub", "scale_stub", "put_stub")
    )
    traced = tracer({"aten/src/ATen/native/Ops.cpp": ops, "aten/src/ATen/native/cpu/Kernel.cpp": kernel})
    kernels = traced.explain("scale.out").stories[0].kernels
    told = {each.through[0] for each in kernels if each.device == "CPU" and each.kernel_class == "f"}
    assert told == {"stub add_stub, if choose chooses it", "stub scale_stub", "stub put_stub"}


def test_an_entry_that_delegates_has_its_own_kernels_of_other_keys() -> None:
    """addmm of PyTorch 2.6.0: SparseCPU of addmm.out writes into what is given, that of addmm does not."""
    tensor = "- func: scale.Tensor(Tensor self, Tensor by) -> Tensor\n"
    own = "  dispatch:\n    SparseCPU: scale_sparse\n"
    entries = YAML.replace(tensor, tensor + own).replace("    MPS:", "    SparseCPU: scale_out_sparse\n    MPS:")
    place = "aten/src/ATen/native/sparse/Scale.cpp"
    sparse = """\
namespace at::native {
Tensor& scale_out_sparse(const Tensor& self, const Tensor& by, Tensor& out) { return out; }
Tensor scale_sparse(const Tensor& self, const Tensor& by) { return self; }
}
"""
    traced = tracer({ENTRIES: entries, place: sparse})
    found = {
        word: [
            (each.kernel_class, each.through)
            for each in traced.explain(word).stories[0].kernels
            if "Sparse" in each.device
        ]
        for word in ("scale.Tensor", "scale_.Tensor", "scale.out")
    }
    assert found == {
        "scale.Tensor": [("scale_sparse", ("dispatch key",))],
        "scale_.Tensor": [("scale_out_sparse", ("dispatch key", "structured_delegate scale.out"))],
        "scale.out": [("scale_out_sparse", ("dispatch key",))],
    }


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


def test_what_a_formula_of_a_gradient_calls_has_its_kernels() -> None:
    changed = {
        "tools/autograd/derivatives.yaml": "- name: blend(Tensor self, Scalar by) -> Tensor\n"
        '  self: "scale_backward(grad) * by"\n  result: auto_linear\n',
        "torch/csrc/autograd/FunctionsManual.cpp": MANUAL,
    }
    backward, forward = tracer(changed).explain("aten::blend").stories[0].gradients
    assert backward.ops == ("scale.Tensor",)
    assert [(each.op, each.device, each.kernel_class) for each in backward.kernels] == [
        ("scale.Tensor", "CPU", "scale_out"),
        ("scale.Tensor", "CUDA", "scale_out"),
    ]
    assert (forward.function, forward.ops) == ("result: auto_linear", ())


def test_a_method_that_is_bound_by_hand_leads_to_what_it_calls() -> None:
    answer = tracer({METHODS: BY_HAND + TABLE}).explain("torch.Tensor.__invert__")
    assert [story.op for story in answer.stories] == ["blend"]
    assert [each.certain for each in answer.uses] == [True]
    asked = BY_HAND.replace("return wrap", "if (r.has_torch_function()) return other(r); return wrap")
    assert [each.certain for each in tracer({METHODS: asked + TABLE}).explain("Tensor.__invert__").uses] == [True]
    branch = BY_HAND.replace("return at::blend", "if (self.odd()) return at::blend")
    assert [each.certain for each in tracer({METHODS: branch + TABLE}).explain("Tensor.__invert__").uses] == [False]


def test_a_function_of_torch_that_is_written_by_hand_is_no_unknown_word() -> None:
    own = "static PyObject* THPVariable_lifted(PyObject* self) { return wrap(at::blend(t, 2)); }\n"
    other = "static PyObject* THPVariable_device(PyObject* self) { return wrap(1); }\n"
    table = 'static PyMethodDef f[] = {\n  {"lifted", cast(THPVariable_lifted), METH_NOARGS},\n'
    table += '  {"device", cast(THPVariable_device), METH_NOARGS},\n};\n'
    traced = tracer({FUNCTIONS[0]: own + other + table})
    assert [story.op for story in traced.explain("torch.lifted").stories] == ["blend"]
    symbol = traced.explain("torch.device").symbol
    assert symbol is not None
    assert (symbol.name, symbol.location.path) == ("THPVariable_device", FUNCTIONS[0])


def test_a_method_that_is_written_by_hand_and_calls_no_operator_is_no_unknown_word() -> None:
    own = "static PyObject * THPVariable_scale(PyObject* self) { return wrap(1); }\n"
    table = (
        'static PyMethodDef m[] = {\n  {"scale", castPyCFunctionWithKeywords(THPVariable_scale), METH_NOARGS},\n};\n'
    )
    answer = tracer({METHODS: own + table}).explain("torch.Tensor.scale")
    assert answer.symbol is not None
    assert (answer.symbol.name, answer.stories) == ("THPVariable_scale", ())
    assert answer.not_followed == ("THPVariable_scale",), "that there is none is not known"


def test_each_way_to_register_behind_a_stub_is_read_and_told_once() -> None:
    changed = {
        "aten/src/ATen/native/cpu/Kernel.cpp": "namespace at { namespace native {\nstatic void scale_kernel(int a) {}\n"
        "ALSO_REGISTER_AVX512_DISPATCH(scale_stub, &CPU_CAPABILITY::scale_kernel);\n"
        "REGISTER_AVX2_DISPATCH(scale_stub, &scale_kernel);\n}}\n"
    }
    story = tracer(changed).explain("scale.out").stories[0]
    assert [each.kernel_class for each in story.kernels if each.device == "CPU"] == ["scale_out", "scale_kernel"]


def test_what_a_function_of_a_quantized_key_runs_behind_a_stub_is_of_that_key() -> None:
    entries = "- func: tint(Tensor self) -> Tensor\n  dispatch:\n    QuantizedCPU: tint_quantized\n"
    ops = "Tensor tint_quantized(const Tensor& self) { scale_stub(1); return self; }\n"
    story = tracer({ENTRIES: YAML + entries, "aten/src/ATen/native/Tint.cpp": ops}).explain("tint").stories[0]
    assert [(each.device, each.kernel_class) for each in story.kernels] == [
        *[("QuantizedCPU", "tint_quantized"), ("QuantizedCPU", "scale_kernel")]
    ]


def test_what_python_registers_for_an_operator() -> None:
    changed = {"torch/_decomp/decompositions.py": "import torch\nfrom torch import Tensor\n" + RULES}
    found = tracer(changed)

    def rules(name: str) -> list[tuple[str, str, int, tuple[str, ...]]]:
        (story,) = found.explain(name).stories
        return [(each.kind, each.function, each.location.line, each.ops) for each in story.python_rules]

    assert rules("blend") == [("decomposition", "blend", 4, ("scale",))]
    assert rules("blend.Tensor") == [("decomposition", "blend", 4, ("scale",))]
    assert rules("scale.Tensor") == [("Meta", "meta_scale", 7, ())]
    assert (rules("cast_Byte"), rules("lost"), rules("scale.out")) == ([("decomposition", "cast_Byte", 10, ())], [], [])


def test_what_the_generator_of_bindings_leaves_out_is_no_name_of_python() -> None:
    lists = (
        '_SKIP_PYTHON_BINDINGS = ["lost", "outside", ".*_copy"]\n'
        'SKIP_PYTHON_BINDINGS_SIGNATURES = ["blend(Tensor self, Scalar by) -> Tensor"]\n'
    )
    table = '{"outside", castPyCFunction(THPVariable_outside), METH_VARARGS, nullptr},'
    code = "import torch\n\ndef f(x):\n    return torch.ops.aten.lost(x)\n"
    asked = tracer({GENERATOR: lists, FUNCTIONS[0]: table, "torch/made.py": code})
    answer = asked.explain("torch.lost")
    assert (answer.stories, answer.suggestions[:1]) == ((), ("lost",))
    assert [each.name for each in asked.explain("lost").stories[0].api_names] == []
    assert [each.op for each in asked.explain("torch.outside").stories] == ["outside"]  # by hand
    assert [each.op for each in asked.explain("torch.made.f").stories] == ["lost"]
    assert [each.op for each in asked.explain("torch.blend").stories] == ["blend.Tensor"]
    assert [each.op for each in asked.explain("aten::blend").stories] == ["blend"]


def test_methods_that_the_generator_leaves_out_are_those_of_tables_only() -> None:
    names = ("part", "mixed", "turned")
    entries = "".join(f"- func: {each}(Tensor self) -> Tensor\n  variants: method\n" for each in names)
    changes = {
        ENTRIES: YAML + entries,
        GENERATOR: '_SKIP_PYTHON_BINDINGS = ["part", "mixed", "turned"]\n',
        METHODS: '{"mixed", castPyCFunction(THPVariable_mixed), METH_VARARGS, nullptr},',
        ATTRIBUTES: '{"turned",\n (getter)PropertyTurned::getter, nullptr, nullptr, nullptr},',
    }
    asked = tracer(changes)
    answer = asked.explain("torch.Tensor.part")
    assert (answer.stories, answer.suggestions[:1]) == ((), ("part",))
    for name in names[1:]:
        assert [each.op for each in asked.explain(f"torch.Tensor.{name}").stories] == [name]
        assert [each.name for each in asked.explain(name).stories[0].api_names] == [f"torch.Tensor.{name}"]


def test_an_overload_that_python_writes_is_meant() -> None:
    """Not by bindings: what their generator leaves out is there."""
    entries = "- func: shift(Tensor self, Tensor by) -> Tensor\n- func: shift.by(Tensor self, Scalar by) -> Tensor\n"
    code = (
        "import torch\naten = torch.ops.aten\n\ndef f(x):\n    return aten.shift.by(x, 2)\n\n"
        "def g(x, n):\n    aten.shift.default(x, n)\n    return aten.shift(x, 2)\n"
    )
    lists = 'SKIP_PYTHON_BINDINGS_SIGNATURES = ["shift.by(Tensor self, Scalar by) -> Tensor"]\n'
    asked = tracer({ENTRIES: YAML + entries, GENERATOR: lists, "torch/made.py": code})

    def operators(word: str) -> list[str]:
        return [each.op for each in asked.explain(word).stories]

    assert operators("torch.made.f") == operators("torch.ops.aten.shift.by") == ["shift.by"]
    assert operators("torch.ops.aten.shift.default") == operators("torch.shift") == ["shift"]
    assert operators("torch.made.g") == operators("torch.ops.aten.shift") == ["shift", "shift.by"]
    assert [each.certain for each in asked.explain("torch.made.f").uses] == [True]


def test_default_is_the_overload_without_a_name() -> None:
    entries = "- func: scale_down(Tensor self) -> Tensor\n- func: scale_down.by(Tensor self, int by) -> Tensor\n"
    code = (
        "import torch\naten = torch.ops.aten\n@register_decomposition(aten.scale_down.default)\n"
        "def down(x):\n    return torch.blend(aten.scale.default(x) if x else x, 2)\n"
    )
    asked = tracer({ENTRIES: YAML + entries, "torch/_decomp/decompositions.py": code})
    (rule,) = asked.explain("scale_down").stories[0].python_rules
    assert (rule.ops, rule.possible) == (("blend", "scale"), ("scale",))
    assert asked.explain("scale_down.by").stories[0].python_rules == ()
    assert "down  (ops blend; in a branch scale)" in answer_text(asked.explain("scale_down"))


def test_a_use_that_the_arguments_decide_is_not_certain() -> None:
    code = (
        "import torch\n\ndef f(x, n):\n    y = torch.blend(*n)\n    return torch.cast_Byte(x) if n else torch.lost(y)\n"
    )
    answer = tracer({"torch/nn/functional.py": code}).explain("torch.nn.functional.f")
    assert not any(each.certain for each in answer.uses)
    lines = answer_text(answer).splitlines()
    assert sum(each.endswith("(if the arguments choose it among 2 overloads)") for each in lines) == 2
    assert sum(each.endswith("(in a branch)") for each in lines) == 2
    assert [each.certain for each in tracer().explain("torch.lost").uses] == [True]


def test_an_operator_in_place_has_the_formulas_of_the_one_with_its_arguments() -> None:
    entries = (
        "- func: lift.Scalar(Scalar self, Tensor by) -> Tensor\n"
        "- func: lift.Tensor_Scalar(Tensor self, Scalar by) -> Tensor\n"
        "- func: lift_.Scalar(Tensor(a!) self, Scalar by) -> Tensor(a!)\n"
    )
    formulas = (
        "- name: lift.Scalar(Scalar self, Tensor by) -> Tensor\n  by: wrong(grad)\n"
        "- name: lift.Tensor_Scalar(Tensor self, Scalar by) -> Tensor\n  self: right(grad)\n"
    )
    asked = tracer({ENTRIES: YAML + entries, "tools/autograd/derivatives.yaml": formulas})
    assert [each.function for each in asked.explain("lift_.Scalar").stories[0].gradients] == ["self: right(grad)"]


def test_what_the_given_functions_run_is_said_not_to_be_listed() -> None:
    text = "import torch\n\ndef either(x, yes, no):\n    return yes(x) if x else no(x)\n"
    made = tracer({"torch/nn/functional.py": f"{text}\ndef both(x, then):\n    return then(torch.scale(x, x))\n"})
    shown = answer_text(made.explain("torch.nn.functional.either"))
    assert "no op found" in shown
    assert "not followed: what its caller passes as yes, what its caller passes as no" in shown
    shown = answer_text(made.explain("torch.nn.functional.both"))
    assert "scale.Tensor" in shown
    assert "note: calls what its caller passes as then: what that runs is not listed" in shown


def test_an_operator_that_is_registered_elsewhere_is_not_followed() -> None:
    code = (
        "import torch\nfrom torch._ops import ops\naten = torch.ops.aten\n\ndef f(x):\n    return aten.elsewhere(x)\n"
    )
    answer = tracer({"torch/nn/functional.py": code}).explain("torch.nn.functional.f")
    assert answer.not_followed == ("aten::elsewhere",)
    assert "no op found" in answer_text(answer)


def test_what_python_calls_is_the_overload_that_takes_so_many_arguments() -> None:
    entries = "".join(
        f"- func: squash{each}\n" for each in ("(Tensor self) -> Tensor", ".dim(Tensor self, int dim) -> Tensor")
    )
    code = (
        "import torch\n\ndef one(x):\n    return torch.squash(x, axis=0)\n\ndef all(*x):\n    return torch.squash(*x)\n"
    )
    asked = tracer({ENTRIES: YAML + entries, "torch/nn/functional.py": code})
    assert [story.op for story in asked.explain("torch.nn.functional.one").stories] == ["squash.dim"]
    assert [story.op for story in asked.explain("torch.nn.functional.all").stories] == ["squash", "squash.dim"]


def test_an_overload_with_names_of_dimensions_is_meant_where_no_other_fits() -> None:
    listed = (
        "int(Tensor self, int dim, SymInt[] sizes)",
        "Dimname(Tensor self, Dimname dim, int[] sizes, Dimname[] x)",
    )
    entries = "".join(f"- func: part.{each} -> Tensor\n" for each in listed)
    code = (
        "import torch\n\ndef plain(x):\n    return torch.part(x, 0, [1])\n\n"
        "def named(x, names):\n    return torch.part(x, 0, [1], names) if names else plain(x)\n"
    )
    asked = tracer({ENTRIES: YAML + entries, "torch/nn/functional.py": code})
    assert [story.op for story in asked.explain("torch.nn.functional.plain").stories] == ["part.int"]
    assert [story.op for story in asked.explain("torch.nn.functional.named").stories] == ["part.int", "part.Dimname"]
    assert not any(each.certain for each in asked.explain("torch.nn.functional.named").uses)


def test_the_shape_function_of_a_structured_operator_is_its_kernel_for_meta() -> None:
    shapes = "namespace at { namespace meta {\nTORCH_META_FUNC2(scale, Tensor) (const Tensor& self) {}\n}}\n"
    story = tracer({"aten/src/ATen/native/Shapes.cpp": shapes}).explain("scale.Tensor").stories[0]
    assert [(each.kernel_class, each.location.line) for each in story.kernels if each.device == "Meta"] == [
        ("structured_scale_Tensor::meta", 2)
    ]


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
    rows = [row[:8] for row in table.rows]
    assert ("lost(Tensor self) -> Tensor", "CPU", "lost_cpu", "", None, "", "not in this tree", "") in rows
    assert ("outside(Tensor self) -> Tensor", "", "", "", None, "", OUTSIDE, "") in rows


def test_the_table_has_what_is_registered_beside_kernels() -> None:
    read = tracer({"torch/_decomp/decompositions.py": "import torch\nfrom torch import Tensor\n" + RULES})
    table = read.table()
    names = [name for name, _ in table.columns]
    for row in table.rows:
        cells = dict(zip(names, row, strict=True))
        (story,) = read.explain(str(cells["schema"]).partition("(")[0]).stories
        formulas = [f"{each.function} at {each.location.short}" for each in story.gradients]
        assert cells["derivatives"] == "; ".join(formulas)
        for kind, column in ((DECOMPOSITION, "decompositions"), (META, "meta")):
            rules = [each for each in story.python_rules if each.kind == kind]
            assert cells[column] == "; ".join(f"{each.function} at {each.location.short}" for each in rules)
    assert all(any(row[names.index(each)] for row in table.rows) for each in names[-3:])


def test_wrong_names_get_suggestions() -> None:
    answer = tracer().explain("torch.sclae")
    assert not answer.found
    assert answer.suggestions[0] == "torch.scale"
    assert tracer().explain("jax.lax.scale").suggestions[0] == "torch.scale"
    assert tracer().explain("torch.nn.functional.scale").suggestions[0] == "torch.scale", "not what was asked"


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
