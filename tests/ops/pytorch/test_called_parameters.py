"""A function that is handed on runs where it is called, with what it is given there."""

from bzlgraph.ops.pytorch.tracer import ENTRIES, PytorchTracer
from bzlgraph.workspace.sources.source import MemorySource
from tests.ops.pytorch import small_pytorch

SCHEMAS = (
    "dense(Tensor self) -> Tensor",
    "strided(Tensor self) -> Tensor",
    "to.dtype(Tensor self, ScalarType dtype, bool non_blocking=False) -> Tensor",
    "to.dtype_layout(Tensor self, *, ScalarType? t, Layout? l, Device? d, bool? p, bool n=False) -> Tensor",
    "size.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
    "size(Tensor self) -> Tensor",
    "size_twice(Tensor self) -> Tensor",
    "size_of_kind(Tensor self) -> Tensor",
    "size_elsewhere(Tensor self) -> Tensor",
    "moved(Tensor self) -> Tensor",
    "typed(Tensor self) -> Tensor",
)
YAML = "".join(f"- func: {each}\n  variants: function, method\n" for each in SCHEMAS)
CPP = """\
namespace at {
class Tensor {
  Tensor cpu() const { return to(options().device(c10::DeviceType::CPU), false); }
  Tensor toType(ScalarType t) const { return to(options().dtype(t), false); }
  Tensor to(caffe2::TypeMeta type_meta, bool non_blocking=false) const {
    return this->to(typeMetaToScalarType(type_meta), non_blocking);
  }
};
namespace native {
template <typename OutImpl>
static Tensor of_out(const Tensor& self, OutImpl& out_impl) {
  Tensor result = at::empty({self.dim()}, self.options());
  return self.dim() > 1 ? out_impl(result, self) : result;
}
template <typename OutImpl>
static Tensor of_both(const Tensor& self, OutImpl& out_impl) { return of_out(self, out_impl); }
Tensor& size_out(const Tensor& self, Tensor& out) {
  if (self.dim() == 1) { return self.strided(); }
  return out.is_contiguous() ? self.dense() : self.strided();
}
Tensor size(const Tensor& self) { return of_out(self, at::size_out); }
Tensor size_of_kind(const Tensor& self) { return of_both(self, static_cast<OutFunc>(at::size_out)); }
Tensor size_twice(const Tensor& self) { return of_both(self, at::size_out); }
Tensor size_elsewhere(const Tensor& self) { return unknown(self, at::size_out); }
Tensor moved(const Tensor& self) { return self.cpu(); }
Tensor typed(const Tensor& self) { return self.toType(kLong); }
}}
"""


def rows(name: str) -> list[str]:
    found = small_pytorch.story(YAML, CPP, name).runs
    return [" ".join((str(each.depth), each.op, each.condition)).strip() for each in found]


def test_what_calls_a_parameter_calls_what_it_is_given() -> None:
    called = ["1 size.out self.dim() > 1", "2 dense"]
    assert rows("size") == rows("size_twice") == rows("size_of_kind") == called


def test_what_nothing_is_known_of_may_be_called() -> None:
    assert rows("size_elsewhere") == [
        "1 size.out",
        "2 strided self.dim() == 1",
        "2 dense self.dim() != 1 && out.is_contiguous()",
    ]


def test_a_method_of_tensors_that_is_given_options_is_no_conversion_of_types() -> None:
    assert rows("moved") == rows("typed") == ["1 to.dtype_layout"]


def test_what_a_lambda_captures_stays_where_nothing_sets_it() -> None:
    """As ``index_add_`` captures its factor; a function that is given the address of one may change it."""
    names = "captured", "counted", "addressed"
    yaml = "".join(f"- func: {each}(Tensor self) -> Tensor\n" for each in names)
    yaml += "- func: t(Tensor self) -> Tensor\n- func: other(Tensor self) -> Tensor\n"
    cpp = """\
namespace at { namespace native {
Tensor kept(const Tensor& a, int64_t m, int64_t n) {
  spread([&m, &n](int64_t at) { use(at, m, n); });
  if (n == 1) { return at::t(a); }
  return at::other(a);
}
Tensor raised(const Tensor& a, int64_t n) {
  spread([&n](int64_t at) { n = at; });
  if (n == 1) { return at::t(a); }
  return at::other(a);
}
Tensor given(const Tensor& a, int64_t n) {
  spread(&n);
  if (n == 1) { return at::t(a); }
  return at::other(a);
}
Tensor captured(const Tensor& self) { return kept(self, 2, 1); }
Tensor counted(const Tensor& self) { return raised(self, 1); }
Tensor addressed(const Tensor& self) { return given(self, 1); }
}}
"""
    found = [sorted(op for op, _ in small_pytorch.runs(yaml, cpp, f"torch.{name}")) for name in names]
    assert found == [["t"], ["other", "t"], ["other", "t"]]


def test_a_layout_is_no_number() -> None:
    yaml = """\
- func: to(Tensor self, int dims) -> Tensor
  variants: method
- func: to.layout(Tensor self, *, Layout? layout=None) -> Tensor
  variants: method
- func: same(Tensor self, Tensor mask) -> Tensor
- func: csr(Tensor self) -> Tensor
"""
    cpp = """\
namespace at { namespace native {
Tensor same(const Tensor& self, const Tensor& mask) { return self.to(mask.layout()); }
Tensor csr(const Tensor& self) { return self.to(at::kSparseCsr); }
}}
"""
    assert [small_pytorch.runs(yaml, cpp, name) for name in ("same", "csr")] == [[("to.layout", "")]] * 2


def test_before_1_9_the_methods_of_tensors_are_in_another_template() -> None:
    yaml = "- func: to(Tensor self, *, ScalarType? t, Layout? l, Device? d, bool? p, bool n=False) -> Tensor\n"
    yaml += "  variants: method\n- func: raised(Tensor self) -> Tensor\n"
    files = {
        ENTRIES: yaml,
        "aten/src/ATen/native/Ops.cpp": "namespace at { Tensor raised(const Tensor& a) { return a.toType(kLong); } }",
        "aten/src/ATen/templates/TensorMethods.cpp": """\
namespace at {
Tensor Tensor::toType(ScalarType t) const { return to(options().dtype(t), false); }
${tensor_method_definitions}
}
""",
    }
    source = MemorySource({path: text.encode() for path, text in files.items()})
    (story,) = PytorchTracer(source, lambda _path: (), None).explain("raised").stories
    assert [each.op for each in story.runs] == ["to"]
