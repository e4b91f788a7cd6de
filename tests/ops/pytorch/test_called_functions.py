"""The functions of C++ that an operator goes through: templates, objects, overloads, stubs."""

import pytest

from bzlgraph.ops.pytorch.tracer import ENTRIES, PytorchTracer
from bzlgraph.ops.tracer import OpTrace
from bzlgraph.workspace.sources.source import MemorySource
from tests.ops.pytorch.composite_tree import YAML, story


def test_what_a_branch_runs_or_what_that_runs_is_not_certain() -> None:
    certain = {(each.op, each.condition): each.certain for each in more_story("calling").runs}
    assert certain == {
        ("on_devices_twice", ""): True,
        ("t", "self.dim() > 2"): False,
        ("t", ""): True,
        ("least", ""): True,
    }


MORE_YAML = """\
- func: outer(Tensor self) -> Tensor
- func: copied(Tensor self) -> Tensor
- func: celled(Tensor self) -> Tensor
- func: uniqued(Tensor self) -> Tensor
- func: empty_sparse(int n) -> Tensor
- func: t(Tensor self) -> Tensor
  variants: function, method
- func: shaped(Tensor self) -> Tensor
  dispatch:
    CompositeImplicitAutograd: shaped
    CompositeImplicitAutogradNestedTensor: shaped_nested
- func: safe(Tensor self) -> Tensor
  dispatch:
    CompositeExplicitAutograd: safe
    NestedTensorCPU: safe
- func: view.dtype(Tensor self, ScalarType dtype) -> Tensor
  variants: method
- func: view(Tensor self, SymInt[] size) -> Tensor
  variants: method
- func: parted.out(Tensor self, *, bool check=False, Tensor(a!) one, Tensor(b!) two) -> (Tensor(a!), Tensor(b!))
- func: parts(Tensor self) -> Tensor
- func: least(Tensor self, Tensor other) -> Tensor
- func: registers(Tensor self) -> Tensor
- func: symbolic(Tensor self) -> Tensor
- func: of_numbers(Tensor self) -> Tensor
- func: outless(Tensor self) -> Tensor
- func: with_options(Tensor self) -> Tensor
- func: by_default(Tensor self) -> Tensor
- func: plus.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  ufunc_inner_loop:
    Generic: plus (Bool)
  dispatch:
    SparseCPU: plus_sparse
- func: bigger.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  dispatch:
    CPU: bigger_out
- func: bigger.Tensor(Tensor self, Tensor other) -> Tensor
  structured_delegate: bigger.out
- func: bigger_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)
  structured_delegate: bigger.out
- func: constructed(Tensor self) -> Tensor
- func: plus(Tensor self) -> Tensor
  structured_delegate: plus.out
- func: pluses(Tensor self) -> Tensor
- func: chained(Tensor self) -> Tensor
- func: on_devices(Tensor self) -> Tensor
  dispatch:
    CPU: on_cpu
    CUDA: on_cuda
- func: on_any(Tensor self) -> Tensor
- func: counted_it(Tensor self) -> Tensor
- func: referred(Tensor self) -> Tensor
- func: bound(Tensor self) -> Tensor
- func: plussed(Tensor self) -> Tensor
- func: filled(Tensor self) -> Tensor
- func: sized(Tensor self) -> Tensor
- func: cut(Tensor self, int size) -> Tensor
- func: named(Tensor self) -> Tensor
- func: whole(Tensor self) -> Scalar
  variants: method
- func: told(Tensor self) -> Tensor
- func: scaled(Tensor self) -> Tensor
- func: branched(Tensor self) -> Tensor
- func: nested(Tensor self) -> Tensor
- func: both(Tensor self) -> Tensor
- func: activated(Tensor self) -> Tensor
- func: kept(Tensor self, bool up) -> Tensor
- func: templated(Tensor self) -> Tensor
- func: borrowing(Tensor self) -> Tensor
- func: on_devices_twice(Tensor self) -> Tensor
  dispatch:
    CPU: twice_cpu
    CUDA: twice_cuda
- func: placed(Tensor self) -> Tensor
  dispatch:
    CPU: placed_cpu
    CUDA: placed_cuda
- func: calling(Tensor self) -> Tensor
- func: backed(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA: backed
    CompositeExplicitAutograd: backed_math
- func: backed_once(Tensor self) -> Tensor
  dispatch:
    CPU: backed
    CompositeExplicitAutograd: backed_math
- func: two_keys(Tensor self) -> Tensor
  dispatch:
    CPU: backed
    SparseCsrCPU, SparseCsrMeta: backed_math
- func: sparse_two_keys(Tensor self) -> Tensor
- func: sparse_plus(Tensor self) -> Tensor
- func: configured(Tensor self) -> Tensor
- func: unconfigured(Tensor self) -> Tensor
- func: defaulted(Tensor self) -> Tensor
- func: once_in_a_branch(Tensor self) -> Tensor
- func: two_configured(Tensor self) -> Tensor
- func: vectorized(Tensor self) -> Tensor
- func: typed(Tensor self) -> Tensor
"""


MORE = """\
namespace at { namespace native {
Tensor outer(const Tensor& self) { return at::copied(self); }
Tensor vectorized(const Tensor& self) { return over_registers(self); }
Tensor typed(const Tensor& self) { return self.toType(kLong); }
Tensor copied(const Tensor& self) {
  if (self.layout() == kSparse) { at::empty_sparse(1); at::t(self); }
  return at::t(self);
}
template <typename cell_params>
struct Cell {
  Tensor operator()(const Tensor& a, const cell_params& params, bool before = false) const { return params.linear(a); }
};
struct Params { Tensor linear(const Tensor& a) const { return a.t(); } };
Tensor celled(const Tensor& self) { return Cell<Params>{}(self, Params{self}); }
template <typename scalar_t, typename Op>
Tensor uniqued_template(const Tensor& self, Op is_unique) { return self.t(); }
Tensor uniqued(const Tensor& self) { return uniqued_template<scalar_t>(self, IsUnique<scalar_t, /* nan */ false>()); }
Tensor safe(const Tensor& self) { return at::t(self); }
Tensor shaped(const Tensor& self) { return self.view(-1); }
Tensor shaped_nested(const Tensor& self) { return at::empty_sparse(1); }
Tensor parts(const Tensor& self) { at::parted_out(self, self, self, true); return self; }
Tensor registers(const Tensor& self) {
  run([](Vec a, Vec b) -> Vec { return least(a, b); });
  least(Vec(1), unknown(self));
  least(Vec::loadu(self), unknown(self));
  return at::t(self);
}
template <typename T> T turned(T val) { return at::t(val); }
Tensor optioned(const Tensor& self, optional<Layout> layout, optional<Device> device) {
  TensorOptions options = TensorOptions().layout(layout).device(device);
  if (options.device() != at::kCPU) { at::parts(self); }
  return at::t(self);
}
Tensor with_options(const Tensor& self) {
  return at::native::optioned(self, nullopt, at::kCPU);
}
Tensor by_default(const Tensor& self) {
  return at::native::optioned(self, nullopt, nullopt);
}
Tensor maybe_out(const Tensor& out, const Tensor& self) {
  if (out.defined()) { at::parts(self); }
  return at::t(self);
}
Tensor outless(const Tensor& self) {
  maybe_out(Tensor(), self);
  return maybe_out({}, self);
}
Tensor of_numbers(const Tensor& self) {
  turned(1.0);
  return at::least(self, self);
}
Tensor symbolic(const Tensor& self) {
  auto sizes = shape_of(self);
  return self.view_symint(sizes);
}
TORCH_META_FUNC2(bigger, Tensor)(const Tensor& self, const Tensor& other) { build(self); build(self, 1); }
void TensorIteratorBase::build(const Tensor& t, int n) { give(t); }
void TensorIterator::give(const Tensor& t) { at::parts(t); }
TORCH_IMPL_FUNC(bigger_out)(const Tensor& self, const Tensor& other, const Tensor& out) { at::t(self); }
struct Info { Info(const Tensor& a); };
Info::Info(const Tensor& a) { helped = a.t(); }
Tensor constructed(const Tensor& self) { return make(Info(self), self[1]); }
Tensor chained(const Tensor& self) {
  if (odd(self)) return at::t(self);
  if (even(self)) { return at::t(self); } else { return at::t(self); }
}
DEFINE_DISPATCH(run_stub);
Tensor on_cpu(const Tensor& self) { run_stub(kCPU, self); return self; }
Tensor on_cuda(const Tensor& self) { at::least(self, self); return self; }
Tensor on_any(const Tensor& self) { run_stub(self.device().type(), self); return self; }
Tensor counted_it(const Tensor& self) { counted(self)->t(); return self; }
Tensor referred(const Tensor& self) { OptionalTensorRef(self)->t(); return self; }
Tensor pluses(const Tensor& self) { return at::plus(self); }
Tensor bound(const Tensor& self) { return THPVariable_t(self, nullptr); }
Tensor plus_sparse(const Tensor& self, Tensor& out) { return self.t(); }
Tensor plussed(const Tensor& self) { return at::plus_out(out, self); }
Tensor& fill_it(Tensor& self, const Scalar& value) { return at::least(self, self); }
Tensor& fill_it(Tensor& self, const TensorBase& value) { return at::t(self); }
Tensor& size_it(Tensor& self, IntArrayRef sizes) { return at::view(self, sizes); }
Tensor& size_it(Tensor& self, TensorList parts) { return at::least(self, self); }
Tensor& cut_it(Tensor& self, int64_t size) { return at::view(self, size); }
Tensor& cut_it(Tensor& self, IntArrayRef sizes) { return at::least(self, self); }
Tensor& name_it(Tensor& self, const Tensor& other) { return at::least(self, self); }
Tensor& name_it(Tensor& self, const char* name) { return at::t(self); }
Tensor named(const Tensor& self) { return name_it(self, "whole"); }
Tensor cut(const Tensor& self, int64_t size) { return cut_it(self, size); }
Tensor sized(const Tensor& self) { DimVector sizes(2, 1); return size_it(self, sizes); }
Tensor filled(const Tensor& self) { return fill_it(self, 1.5); }
Tensor scaled(const Tensor& self) { return fill_it(self, self); }
Tensor halves(const Tensor& self) { return at::t(self); }
Tensor branched(const Tensor& self) {
  if (self.dim() > 2) { return halves(self); }
  return halves(self);
}
Tensor nested(const Tensor& self) {
  if (odd(self)) { if (even(self)) return halves(self); else return halves(self); }
  else { if (even(self)) return halves(self); else return halves(self); }
}
Tensor both(const Tensor& self) {
  if (self.dim() > 2 || self.numel() == 0) { if (small(self)) { return halves(self); } }
  return at::least(self, self);
}
Tensor activate(const Tensor& self, Activation how = Activation::None, bool up = true, bool down = false) {
  if (how == Activation::RELU) { at::least(self, self); }
  down = odd(self);
  if (down) { at::parts(self); }
  return up ? at::t(self) : at::view(self);
}
Tensor activated(const Tensor& self) { return activate(self); }
Tensor kept(const Tensor& self, bool up) { return activate(self, Activation::RELU, up); }
template <typename T, bool up, int n>
Tensor templated_impl(const Tensor& self) {
  if constexpr (!up) { at::least(self, self); }
  if (n == 2) { at::t(self); }
  return self;
}
Tensor templated(const Tensor& self) { return templated_impl<at::Half, true, 2>(self); }
Tensor borrowing(const Tensor& self) { return at::native::copied(self); }
Tensor twice_cpu(const Tensor& self) { if (self.dim() > 2) { return at::t(self); } return self; }
Tensor twice_cuda(const Tensor& self) { return at::least(at::t(self), self); }
Tensor calling(const Tensor& self) { return at::on_devices_twice(self); }
static Tensor place(const Tensor& self) {
  if (self.device().type() == DeviceType::CUDA || self.is_xpu()) { return at::least(self, self); }
  return at::t(self);
}
Tensor placed_cpu(const Tensor& self) { return place(self); }
Tensor placed_cuda(const Tensor& self) { return place(self); }
Tensor backed(const Tensor& self) { return at::t(self); }
Tensor backed_math(const Tensor& self) { return at::least(self, self); }
Tensor sparse_two_keys(const Tensor& self) { return at::two_keys(self); }
Tensor sparse_plus(const Tensor& self) { return at::plus_out(self, self); }
struct Config { bool resize_ = true; bool same_ = false; bool cast_ = false; };
#define SAME_CONFIG() Config().set_same(true)
void make_by(const Config& config, const Tensor& self) {
  if (config.resize_ && !config.same_) { at::least(self, self); }
  if (config.cast_) { at::parts(self); }
  if (config.same_) { at::t(self); }
}
Tensor configured(const Tensor& self) { return make_by(SAME_CONFIG().cast(false), self); }
Tensor unconfigured(const Tensor& self) { Config config; return make_by(config, self); }
Tensor once_in_a_branch(const Tensor& self) {
  if (odd(self)) { at::t(self); }
  return at::t(self);
}
Tensor defaulted(const Tensor& self) { return make_by(Config().add(self), self); }
Tensor two_configured(const Tensor& self) { make_by(Config().set_same(true), self); return make_by(Config(), self); }
struct Other { Tensor operator()(const Tensor& a, const Tensor& b) { return a.sum(); } };
}}
"""


def more(name: str) -> list[tuple[str, str]]:
    return [(each.op, each.condition) for each in more_story(name).runs]


def more_story(name: str) -> OpTrace:
    files = {
        ENTRIES: YAML + MORE_YAML,
        "aten/src/ATen/native/More.cpp": MORE,
        "aten/src/ATen/Numbers.h": "namespace at { template <typename T> inline T t(T x) { return sin(x); } }",
        "aten/src/ATen/native/cpu/Registers.h": "namespace at::native { inline namespace FAST {\n"
        "inline void over_registers(const Tensor& a) { at::t(a); } }}",
        "aten/src/ATen/templates/TensorBody.h": "namespace at { class Tensor { Tensor toType(ScalarType t) const"
        " { return at::t(*this); } }; }",
        "aten/src/ATen/Ref.h": "Count* counted(int a);\nstruct Ref {\n  inline\n  OptionalTensorRef(int);\n};",
        "aten/src/ATen/native/cpu/Run.cpp": "void run_cpu(const Tensor& self) { at::t(self); }\n"
        "REGISTER_DISPATCH(run_stub, &run_cpu);\n",
        "aten/src/ATen/native/cuda/Run.cu": "void run_cuda(const Tensor& self) { at::parts(self); }\n"
        "REGISTER_DISPATCH(run_stub, &run_cuda);\n",
    }
    return story(name, **files)


def test_what_a_call_gives_decides_conditions() -> None:
    assert more("activated") == [("parts", "down"), ("parted.out", ""), ("t", "")], "defaults; `down` is changed"
    assert more("kept") == [
        *[("least", ""), ("parts", "down"), ("parted.out", ""), ("t", "up")],
    ], "a parameter is handed on"
    assert more("templated") == [("t", "")]


def test_what_an_object_is_set_to_decides_conditions() -> None:
    assert more("configured") == [("t", "")]
    assert more("defaulted") == [("least", "")], "as its members are otherwise"
    assert [op for op, _ in more("unconfigured")] == ["least", "parts", "parted.out", "t"], "others may change it"
    assert more("two_configured") == [("least", "!config.same_"), ("t", "config.same_")], "one of two"


def test_the_function_of_another_operator_is_none_for_special_tensors() -> None:
    assert more("borrowing") == [("t", "")]


def test_what_runs_on_one_device_is_told_so() -> None:
    expected = [("t", "CPU", "self.dim() > 2"), ("t", "CUDA", ""), ("least", "CUDA", "")]
    assert [(each.op, each.device, each.condition) for each in more_story("on_devices_twice").runs] == expected
    inside = [(each.op, each.device, each.condition) for each in more_story("calling").runs]
    assert inside == [("on_devices_twice", "", ""), *expected]
    assert [(each.op, each.device) for each in more_story("on_devices").runs] == [("least", "CUDA"), ("t", "CPU")]


def test_on_a_cpu_no_tensor_is_on_another_device() -> None:
    """Nor is the only one on CUDA anywhere else."""
    assert {(each.op, each.device, each.condition) for each in more_story("placed").runs} == {
        ("least", "CUDA", ""),
        ("t", "CPU", ""),
    }


def test_the_function_for_every_backend_is_that_of_those_without_their_own() -> None:
    assert [(each.op, each.device) for each in more_story("backed").runs] == [("t", ""), ("least", "other backends")]
    assert [(each.op, each.device) for each in more_story("backed_once").runs] == [("t", "CPU"), ("least", "CUDA")]


def test_a_branch_for_sparse_tensors_matters_where_it_is_asked_for() -> None:
    assert more("copied") == [("empty_sparse", "self.layout() == kSparse"), ("t", "")], "t runs for all"
    assert more("outer") == [("copied", ""), ("t", "")]


def test_the_function_of_a_key_for_special_tensors_has_the_key_as_condition() -> None:
    key = "CompositeImplicitAutogradNestedTensor"
    assert more("safe") == [("t", "")], "the same function for all"
    assert more("shaped") == [("view", ""), ("empty_sparse", key)], "one number is a list of sizes"


def test_in_cpp_what_is_written_comes_first() -> None:
    assert more("parts") == [("parted.out", "")]


def test_the_other_keys_of_a_generated_kernel_are_for_special_tensors() -> None:
    assert more("plus.out") == [("t", "SparseCPU")], "all that it calls, where it is asked for itself"
    assert more("sparse_two_keys") == [("two_keys", ""), ("t", ""), ("least", "SparseCsrCPU || SparseCsrMeta")]
    assert more("sparse_plus") == [("plus.out", ""), ("t", "SparseCPU")], "which matters to these"
    assert more("plussed") == [("plus.out", "")]
    assert more("pluses") == [("plus", "")], "that delegates to it"


def test_a_function_is_chosen_by_what_it_is_given() -> None:
    assert more("filled") == [("least", "")], "a number"
    assert more("scaled") == [("t", "")], "a tensor"
    assert more("sized") == [("view", "")], "a list of numbers"
    assert more("cut") == [("view", "")], "a number, no list of one"
    assert more("named") == [("t", "")], "a text"


def test_what_an_operator_gives_that_is_no_tensor_has_no_operators_as_methods() -> None:
    files = {ENTRIES: MORE_YAML, "aten/src/ATen/native/More.cpp": "Tensor told(const Tensor& a) { a.whole().sum(); }"}
    files[ENTRIES] += "- func: sum(Tensor self) -> Tensor\n  variants: method\n"
    traced = PytorchTracer(MemorySource({path: text.encode() for path, text in files.items()}), lambda _: (), None)
    assert [each.op for each in traced.explain("told").stories[0].runs] == ["whole"]
    files["aten/src/ATen/native/More.cpp"] = "Tensor told(const Tensor& a) { at::t(a).whole().sum(); }"
    traced = PytorchTracer(MemorySource({path: text.encode() for path, text in files.items()}), lambda _: (), None)
    assert [each.op for each in traced.explain("told").stories[0].runs] == ["t", "whole"]


def test_the_class_of_a_structured_kernel_has_the_members_of_its_base() -> None:
    """Its shape function has the overload of the variant that gives a new tensor. Virtual functions are its own."""
    assert more("bigger.Tensor") == [("t", ""), ("new_like", "")]


def test_a_stub_runs_what_is_registered_for_the_device_of_the_function() -> None:
    assert more("on_devices") == [("least", ""), ("t", "")]
    assert more("on_any") == [("t", ""), ("parts", ""), ("parted.out", "")]


def test_what_is_declared_to_give_something_else_has_no_methods_of_tensors() -> None:
    assert more("counted_it") == []
    assert more("referred") == [("t", "")]


def test_what_both_branches_run_has_no_condition_and_several_are_joined() -> None:
    assert more("branched") == more("chained") == more("nested") == [("t", "")]
    small = "(self.dim() > 2 || self.numel() == 0) && small(self)"
    assert more("both") == [("least", f"!({small})"), ("t", small)]


def test_the_place_is_that_of_the_way_that_is_told() -> None:
    (only,) = more_story("once_in_a_branch").runs
    assert (only.condition, MORE.split("\n")[only.location.line - 1].strip()) == ("", "return at::t(self);")


def test_what_values_of_registers_call_is_no_operator() -> None:
    assert more("registers") == [("t", "")]


def test_options_have_what_they_are_made_with() -> None:
    assert more("with_options") == [("t", "")]
    assert more("by_default")[0] == ("parts", "options.device() != at::kCPU")  # what is not given is a default


def test_an_empty_argument_is_no_tensor() -> None:
    assert more("outless") == [("t", "")]


def test_the_function_of_numbers_is_no_operator() -> None:
    """``at::exp`` of a number is the template of ``NumericUtils.h``."""
    assert more("of_numbers") == [("least", "")]


def test_a_function_of_symbols_is_an_overload_that_takes_some() -> None:
    assert more("symbolic") == [("view", "")]


@pytest.mark.parametrize("name", ["constructed", "bound"])
def test_constructors_and_generated_bindings_are_followed(name: str) -> None:
    assert more(name) == [("t", "")]


@pytest.mark.parametrize("name", ["vectorized", "typed"])
def test_names_of_inline_namespaces_and_methods_that_no_entry_makes_are_followed(name: str) -> None:
    """As ``amax`` fills its result in ``binary_kernel_reduce_vec``, and ``softmax`` converts by ``toType``."""
    assert more(name) == [("t", "")]


@pytest.mark.parametrize("name", ["celled", "uniqued"])
def test_templates_are_followed(name: str) -> None:
    """A call operator with a default argument, a member of a template's parameter, template arguments with commas."""
    assert more(name) == [("t", "")]
