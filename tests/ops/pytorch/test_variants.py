"""What runs inside of an operator whose C++ is compiled in several ways: for types, and with or without a library."""

from bzlgraph.ops.pytorch.kernels import compiled_first
from bzlgraph.ops.tracer import OpTrace
from tests.ops.pytorch import small_pytorch

YAML = """\
- func: add.Tensor(Tensor self, Tensor other) -> Tensor
  variants: function, method
- func: add.Scalar(Tensor self, Scalar other) -> Tensor
  variants: function, method
- func: least(Tensor self, Tensor other) -> Tensor
- func: turned(Tensor self) -> Tensor
- func: of_tensor(Tensor self, Tensor other) -> Tensor
- func: of_number(Tensor self, Scalar other) -> Tensor
- func: of_either(Tensor self) -> Tensor
- func: mobile(Tensor self) -> Tensor
- func: with_library(Tensor self) -> Tensor
  dispatch:
    CUDA: by_library
- func: calling_library(Tensor self) -> Tensor
- func: from_elsewhere(Tensor self) -> Tensor
  dispatch:
    MPS: from_elsewhere_mps
- func: from_cpu(Tensor self) -> Tensor
  dispatch:
    CPU: from_cpu
- func: anywhere(Tensor self) -> Tensor
- func: elsewhere(Tensor self) -> Tensor
- func: called_everywhere(Tensor self) -> Tensor
- func: on_cpu(Tensor self) -> Tensor
  dispatch:
    CPU: on_cpu
- func: spun(Tensor self) -> Tensor
  structured_delegate: spun.out
- func: spun_(Tensor(a!) self) -> Tensor(a!)
  structured_delegate: spun.out
- func: spun.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: IterBase
  dispatch:
    CPU: spun_out
- func: spun_by(Tensor self, Tensor by) -> Tensor
  structured_delegate: spun_by.out
- func: spun_by_(Tensor(a!) self, Tensor by) -> Tensor(a!)
  structured_delegate: spun_by.out
- func: spun_by.out(Tensor self, Tensor by, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: IterBase
  dispatch:
    CPU: spun_by_out
- func: compared_(Tensor(a!) self, Scalar by) -> Tensor(a!)
  structured_delegate: compared.out
- func: compared.out(Tensor self, Scalar by, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: IterBase
  dispatch:
    CPU: compared_out
- func: gone_over(Tensor self, Tensor other) -> Tensor
- func: alone(Tensor self) -> Tensor
- func: reduced(Tensor self) -> Tensor
- func: resized(Tensor self) -> Tensor
- func: resized_back(Tensor self) -> Tensor
- func: resized_in_place(Tensor self, Tensor other) -> Tensor
- func: resized_for_other(Tensor self, Tensor other) -> Tensor
- func: made_over(Tensor self, Tensor other) -> Tensor
- func: random_over(Tensor self, Tensor other) -> Tensor
- func: new_over(Tensor self, Tensor other) -> Tensor
- func: cast_over(Tensor self, Tensor other) -> Tensor
- func: both_over(Tensor self, Tensor other) -> Tensor
- func: picked_over(Tensor self, Tensor other) -> Tensor
- func: made_in_a_loop(Tensor self, Tensor other) -> Tensor
- func: given_over(Tensor self, Tensor other) -> Tensor
- func: handed_over(Tensor self, Tensor other) -> Tensor
- func: optional_over(Tensor? given, Tensor other) -> Tensor
- func: asserted(Tensor self, Tensor other) -> Tensor
- func: set_once(Tensor self) -> Tensor
- func: set_in_a_branch(Tensor self) -> Tensor
- func: set_by_others(Tensor self) -> Tensor
- func: among(Tensor self, Tensor other) -> Tensor
- func: converted(Tensor self) -> Tensor
- func: by_device(Tensor a) -> Tensor
  structured_delegate: by_device.out
- func: by_device.out(Tensor a, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU, CUDA: by_device_out
- func: everywhere(Tensor self) -> Tensor
  dispatch:
    CPU: everywhere_cpu
    CUDA: everywhere_cuda
"""
OPS = """\
namespace at { namespace native {
Tensor moved(const Tensor& self) {
  if (!is_known(self)) { return at::from_elsewhere(self); }
  return at::from_cpu(self);
}
Tensor anywhere(const Tensor& self) { return moved(self); }
Tensor elsewhere(const Tensor& self) { return self.is_mps() ? at::from_elsewhere(self) : self; }
Tensor from_elsewhere_mps(const Tensor& self) { return self; }
Tensor on_cpu(const Tensor& self) { return at::anywhere(self); }
Tensor called_everywhere(const Tensor& self) { return at::anywhere(self); }
Tensor everywhere_cpu(const Tensor& self) { return moved(self); }
Tensor everywhere_cuda(const Tensor& self) { return moved(self.cpu()); }
void cast_back(IterBase& iter) {
  for (auto& op : iter.operands_) {
    if (op.original_tensor_base().defined()) { at::turned(op.tensor()); }
    if (config.cast_common_dtype_to_outputs_) { at::least(op.tensor(), op.tensor()); }
  }
}
TensorIterator TensorIterator::over(const Tensor& out, const Tensor& self, const Tensor& other) {
  if (!op.tensor_base().defined()) { at::from_cpu(self); }
  if (op.will_resize) { at::least(self, self); }
  if (op.current_dtype != common_dtype_) { cast_back(iter); }
}
Tensor gone_over(const Tensor& self, const Tensor& other) {
  if (ok) { TensorIterator::over(self, other); }
  TensorIterator::over(other, other);
}
struct TensorIteratorConfig { bool resize_outputs_ = true; bool cast_common_dtype_to_outputs_ = false; };
void TensorIteratorBase::build(TensorIteratorConfig& config) {
  if (!op.tensor_base().defined()) { at::from_cpu(op); }
  if (op.will_resize) { at::least(op, op); }
}
Tensor reduced(const Tensor& self) { TensorIteratorConfig().add_output(self).resize_outputs(false).build(); }
Tensor resized_back(const Tensor& self) { if (original_tensor.sizes() != tensor.sizes()) { at::from_cpu(self); } }
Tensor resized_in_place(const Tensor& self, const Tensor& other) {
  auto iter = TensorIterator::binary(self, self);
  resized_back(iter);
}
Tensor resized_for_other(const Tensor& self, const Tensor& other) {
  auto iter = TensorIterator::binary(self, other);
  resized_back(iter);
}
Tensor resized(const Tensor& self) { TensorIteratorConfig().add_output(self).build(); }
TensorIterator TensorIterator::nullary(const Tensor& out) { return TensorIteratorConfig().add_output(out).build_it(); }
TensorIterator TensorIterator::binary(const Tensor& out, const Tensor& a) {
  return TensorIteratorConfig().cast_common_dtype_to_outputs(true).add_output(out).build_it();
}
Tensor random_over(const Tensor& self, const Tensor& other) {
  auto iter = TensorIterator::nullary(self);
  cast_back(iter);
}
Tensor new_over(const Tensor& self, const Tensor& other) {
  Tensor result;
  auto iter = TensorIterator::binary(result, self);
  cast_back(iter);
}
Tensor cast_over(const Tensor& self, const Tensor& other) {
  auto iter = TensorIterator::binary(self, other);
  cast_back(iter);
}
Tensor both_over(const Tensor& self, const Tensor& other) {
  auto iter = TensorIterator::binary(self, other), fill = TensorIterator::nullary(self);
  cast_back(iter);
}
Tensor made_over(const Tensor& self, const Tensor& other) {
  Tensor result;
  TensorIterator::over(result, self, other);
  return result;
}
Tensor picked_over(const Tensor& self, const Tensor& other) {
  Tensor result;
  if (known) { result = self; }
  TensorIterator::over(result, self, other);
}
Tensor made_in_a_loop(const Tensor& self, const Tensor& other) {
  Tensor result;
  for (;;) { TensorIterator::over(result, self, other); }
}
Tensor given_over(const Tensor& self, const Tensor& other) { TensorIterator::over(self, other, other); }
static void hand_over(const Tensor& out, const Tensor& a) { TensorIterator::over(out, a, a); }
static void hand_on(const Tensor& out, const Tensor& a) { hand_over(out, a); }
Tensor handed_over(const Tensor& self, const Tensor& other) { hand_on(self, other); }
Tensor optional_over(const Tensor& given, const Tensor& other) { TensorIterator::over(given, other, other); }
void TensorIteratorBase::reduce(const Tensor& out, const Tensor& a) {
  TORCH_INTERNAL_ASSERT(out.defined());
  TensorIteratorConfig().add_owned_output(out).add_input(a).build();
}
Tensor asserted(const Tensor& self, const Tensor& other) { TensorIterator::reduce(pick(self), other); }
Tensor set_once(const Tensor& self) {
  TensorIteratorConfig config;
  config.resize_outputs(false).add_output(self);
  for (auto& each : self) { config.add_input(each); }
  config.build();
}
Tensor set_in_a_branch(const Tensor& self) {
  TensorIteratorConfig config;
  if (known) { config.resize_outputs(false); }
  config.add_output(self).build();
}
Tensor set_by_others(const Tensor& self) {
  TensorIteratorConfig config;
  config.resize_outputs(false).add_output(self);
  prepare(config);
  config.build();
}
Tensor among(const Tensor& self, const Tensor& other) { return TensorIterator::over(self, self, other); }
Tensor alone(const Tensor& self) { return TensorIterator::over(self, self); }
Tensor converted(const Tensor& self) { if (common_device == kCPU) { return at::everywhere(self); } return self; }
TORCH_IMPL_FUNC(by_device_out)(const Tensor& a, const Tensor& out) {
  const auto cpu = a.device() == kCPU;
  if (cpu) { at::from_cpu(a); }
  if (!cpu) { at::turned(a); }
}
TORCH_IMPL_FUNC(compared_out)(const Tensor& self, const Scalar& by, const Tensor& out) {
  cast_back(*this);
  if (original_tensor.sizes() != tensor.sizes()) { at::from_cpu(self); }
}
TORCH_IMPL_FUNC(spun_out)(const Tensor& self, const Tensor& out) { cast_back(*this); }
TORCH_IMPL_FUNC(spun_by_out)(const Tensor& self, const Tensor& by, const Tensor& out) { cast_back(*this); }
template <typename T> Tensor of_type(const Tensor& self, T other) { return self + other.conj(); }
Tensor of_tensor(const Tensor& self, const Tensor& other) { return of_type(self, other); }
Tensor of_number(const Tensor& self, const Scalar& other) { return of_type(self, other); }
Tensor of_either(const Tensor& self) { return of_type(self, what_of(self)); }
Tensor mobile(const Tensor& self) {
#if MOBILE
  if (fast(self)) { return at::least(self, self); }
#endif
  return at::turned(self);
}
#if !HAS_LIBRARY
Tensor by_library(const Tensor& self) { throw Missing(); }
#else
Tensor by_library(const Tensor& self) { return work(self); }
#endif
Tensor calling_library(const Tensor& self) {
#if HAS_LIBRARY
  at::with_library(self);
#endif
  return self;
}
}}
"""


def story(name: str) -> OpTrace:
    return small_pytorch.story(YAML, OPS, name)


def runs(name: str) -> list[tuple[str, str]]:
    return small_pytorch.runs(YAML, OPS, name)


def test_the_type_of_a_template_decides_which_operator_is_called() -> None:
    assert runs("of_tensor") == [("add.Tensor", "")]
    assert runs("of_number") == [("add.Scalar", "")]
    assert runs("of_either") == [("add.Tensor", "T == Tensor"), ("add.Scalar", "T != Tensor")]


def test_what_is_not_always_compiled_returns_from_some_builds_only() -> None:
    assert runs("mobile") == [("least", "MOBILE && fast(self)"), ("turned", "!(MOBILE && fast(self))")]


def test_what_stands_in_for_a_missing_library_is_no_kernel_where_it_is_there() -> None:
    (run,) = story("calling_library").runs
    assert [(each.condition, run.condition) for each in run.kernels] == [("HAS_LIBRARY", "HAS_LIBRARY")]
    kernels = story("with_library").kernels
    assert [each.condition for each in compiled_first(kernels)] == ["HAS_LIBRARY", "!HAS_LIBRARY"]


def test_what_runs_on_a_device_calls_no_operator_that_has_no_function_for_it() -> None:
    """As ``copy_`` calls ``_copy_from`` for devices of others: not where it runs on a CPU. CUDA has a CPU beside it."""
    assert runs("everywhere") == runs("on_cpu")[1:] == [("from_cpu", "is_known(self)")]
    assert runs("called_everywhere")[:2] == [("anywhere", ""), ("from_elsewhere", "!is_known(self)")]


def test_the_kernel_of_another_device_is_told_where_that_is_asked_for() -> None:
    """``is_known`` may know MPS: what its opposite runs need not be the function of MPS."""
    runs = {each.condition: [kernel.device for kernel in each.kernels] for each in story("elsewhere").runs}
    assert runs == {"self.is_mps()": ["MPS"]}
    runs = {each.op: [kernel.device for kernel in each.kernels] for each in story("called_everywhere").runs}
    assert runs["from_elsewhere"] == []


def test_no_result_is_cast_that_has_the_type_already() -> None:
    """As ``cast_outputs`` does: a new result is made with its type, and one tensor alone decides its own."""
    cast = [("turned", "op.original_tensor_base().defined()"), ("least", "config.cast_common_dtype_to_outputs_")]
    assert [runs(name) for name in ("spun", "spun_", "spun_by")] == [[], [], []]
    assert [runs(name) for name in ("spun.out", "spun_by_", "spun_by.out")] == [cast, cast, cast]
    resized = ("from_cpu", "original_tensor.sizes() != tensor.sizes()")
    assert runs("resized_back") == [resized], "not what is structured"
    assert (resized in runs("resized_in_place"), resized in runs("resized_for_other")) == (False, True)
    assert runs("compared.out") == cast, "an out is resized before it is computed"
    assert runs("compared_") == cast, "with a number: another type may be computed with"


def test_what_goes_over_one_tensor_alone_resizes_and_casts_nothing() -> None:
    """As ``copy_`` does to negate what it has copied."""
    others = "ok && op.current_dtype != common_dtype_ && op.original_tensor_base().defined()"
    assert runs("gone_over") == [("least", "ok && op.will_resize"), ("turned", others)], "not of the second call"
    assert runs("alone") == []
    asked = [condition for _, condition in runs("among")]
    assert asked
    assert not any("will_resize" in each for each in asked), "the other may have another type"
    assert not any("tensor_base" in each and "original" not in each for each in asked), "what is given is not made"


def test_a_result_that_is_none_yet_is_made_and_neither_resized_nor_cast() -> None:
    """As ``floor_divide`` declares its result, and reductions assert that there is one."""
    made, cast = ("from_cpu", "!op.tensor_base().defined()"), "op.current_dtype != common_dtype_"
    resized, turned = ("least", "op.will_resize"), ("turned", f"{cast} && op.original_tensor_base().defined()")
    assert runs("made_over") == [made]
    assert runs("picked_over") == runs("made_in_a_loop") == [made, resized, turned], "it may be either"
    assert runs("given_over") == runs("handed_over") == [resized, turned]
    assert runs("asserted") == [("least", "op.will_resize")]
    assert runs("optional_over") == [made, resized, turned]


def test_what_is_made_to_cast_nothing_casts_nothing_where_it_is_handed_to() -> None:
    """As ``random_`` goes over one tensor, and ``floor_divide`` over a new result, both by a kernel."""
    cast = [("turned", "op.original_tensor_base().defined()"), ("least", "config.cast_common_dtype_to_outputs_")]
    assert runs("random_over") == runs("new_over") == []
    assert runs("cast_over") == cast
    assert runs("both_over") == cast, "one of two may"


def test_what_is_set_of_a_variable_alone_is_known() -> None:
    """As ``upsample_generic_Nd_kernel_impl`` adds inputs to a config in a loop."""
    assert runs("set_once") == []
    assert runs("set_in_a_branch") == runs("set_by_others") == [("least", "op.will_resize")]


def test_what_is_set_to_resize_no_results_resizes_none() -> None:
    assert (runs("reduced"), runs("resized")) == ([], [("least", "op.will_resize")])


def test_what_runs_where_all_are_on_a_cpu_calls_nothing_for_other_devices() -> None:
    (converted, inside) = story("converted").runs
    assert (converted.op, converted.device, inside.op, inside.device) == ("everywhere", "CPU", "from_cpu", "CPU")


def test_where_the_only_tensor_is_there_it_runs() -> None:
    """As linalg_cholesky_ex asks once, and calls ``triu_`` and ``tril_`` on CUDA."""
    told = [("from_cpu", "CPU", ""), ("turned", "CUDA", "")]
    assert [(each.op, each.device, each.condition) for each in story("by_device").runs] == told
