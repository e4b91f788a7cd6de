"""Tensors of what an operator calls are on one device, unless it is given one: what only copies between devices run is
left out there. An argument that is a device, or options, chooses the overload that takes these."""

from bzlgraph.ops.pytorch.tracer import ENTRIES, PytorchTracer
from bzlgraph.workspace.sources.source import MemorySource
from tests.ops.pytorch import small_pytorch

OPTIONS = "*, ScalarType? t=None, Layout? l=None, Device? d=None, bool? p=None"
SCHEMAS = (
    "fill_(Tensor(a!) self, Tensor src) -> Tensor(a!)",
    "widen(Tensor self) -> Tensor",
    "to.dtype(Tensor self, ScalarType dtype, bool copy=False) -> Tensor",
    f"to.options(Tensor self, {OPTIONS}, bool copy=False, bool n=False) -> Tensor",
    "to.device(Tensor self, Device device, ScalarType dtype, bool copy=False) -> Tensor",
    f"_to(Tensor self, {OPTIONS}) -> Tensor",
    "as_long(Tensor self) -> Tensor",
    "away(Tensor self, Tensor other) -> Tensor",
    "both(Tensor self, Tensor other) -> Tensor",
    "inside(Tensor self) -> Tensor",
    "outside(Tensor self) -> Tensor",
    "as_type(Tensor self) -> Tensor",
    "gathered(Tensor self) -> Tensor",
)
OWN = """\
- func: far(Tensor self) -> Tensor
  variants: method
  dispatch: {MPS: far_mps}
- func: farther(Tensor self) -> Tensor
  variants: method
- func: near(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA: near_by
- func: sparse_near(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA: near_by
    SparseCPU, SparseCUDA, SparseMeta: near_by_sparse
- func: anywhere(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA, MPS: near_by_all
"""
YAML = "".join(f"- func: {each}\n  variants: function, method\n" for each in SCHEMAS)
YAML = YAML.replace("method\n", "method\n  dispatch: {CPU: fill_cpu, CUDA: fill_cuda}\n", 1)
CPP = """\
namespace at { namespace native {
Tensor& fill_cpu(Tensor& self, const Tensor& src) { return self; }
Tensor& widen_(Tensor& self) { return self; }
static Tensor to_impl(const Tensor& self, std::optional<ScalarType> t, std::optional<Device> d, bool copy) {
  return at::_to(self, t, std::nullopt, d, std::nullopt);
}
Tensor to(const Tensor& self, ScalarType dtype, bool copy) { return to_impl(self, dtype, std::nullopt, copy); }
Tensor to(const Tensor& self, std::optional<ScalarType> t, std::optional<Layout> l, std::optional<Device> d,
    std::optional<bool> p, bool copy, bool n) {
  return to_impl(self, t, d, copy);
}
Tensor to(const Tensor& self, Device device, ScalarType dtype, bool copy) { return to_impl(self, dtype, device, copy); }
Tensor _to(const Tensor& self, std::optional<ScalarType> t, std::optional<Layout> l, std::optional<Device> d,
    std::optional<bool> p) {
  return self.fill_(self);
}
Tensor as_long(const Tensor& self) { return self.to(at::kLong, true); }
Tensor away(const Tensor& self, const Tensor& other) { return self.to(other.options().dtype(kLong), false); }
Tensor both(const Tensor& self, const Tensor& other) { return self.to(other.device(), at::kLong); }
Tensor inside(const Tensor& self) { return at::away(self, self); }
static bool wants_buffer(TensorIterator& iter) {
  if (!iter.device().is_cpu() || iter.noutputs() != 1) { return false; }
  for (auto each : iter) { check(each); }
  return true;
}
Tensor gathered(const Tensor& self) {
  auto iter = over(self);
  if (wants_buffer(iter)) { self.widen(); }
  return self;
}
Tensor as_type(const Tensor& self) { return self.to(self.options().dtype(kLong), false, false); }
Tensor outside(const Tensor& self) { return self.to(self.options().device(kCPU)); }
}}
"""
CUDA = """\
namespace at { namespace native {
static bool needs_more(TensorIterator& iter, bool fast) {
  Device dst_device = iter.device(0);
  Device src_device = iter.device(1);
  if (dst_device == src_device) {
    check(iter);
    return false;
  }
  return !fast;
}
Tensor& fill_cuda(Tensor& self, const Tensor& src) {
  TensorIterator iter = made(self, src);
  bool fast = false;
  Device dst_device = iter.device(0);
  if (needs_more(iter, fast)) {
    src.widen();
  }
  if (dst_device.is_cuda()) {
    return self;
  }
  src.as_long();
  return self;
}
}}
"""


def runs(name: str, yaml: str = YAML, cpp: str = CPP) -> list[str]:
    files = {ENTRIES: yaml, "aten/src/ATen/native/Ops.cpp": cpp, "aten/src/ATen/native/cuda/Ops.cu": CUDA}
    source = MemorySource({path: text.encode() for path, text in files.items()})
    tracer = PytorchTracer(source, lambda _path: ("//:ops",), None)
    return [each.op for each in tracer.explain(name).stories[0].runs]


def test_what_is_asked_for_may_be_given_tensors_on_two_devices() -> None:
    assert runs("torch.fill_") == ["widen", "as_long", "to.dtype", "_to"]


def test_what_is_generated_refuses_tensors_on_two_devices() -> None:
    """Unless it is not to check them, as that of `copy_`."""
    checked = YAML.replace("- func: widen", "  device_check: NoCheck\n- func: widen", 1)
    assert runs("torch.fill_", checked) == ["widen", "as_long", "to.dtype", "_to"]
    checked = YAML.replace("- func: as_long", "- func: other(Tensor self)\n  device_check: NoCheck\n- func: as_long", 1)
    assert runs("torch.fill_", checked) == []


def test_copies_on_one_device_run_nothing_that_other_copies_do() -> None:
    assert runs("torch.as_long") == ["to.dtype", "_to", "fill_"]


def test_what_is_given_a_device_may_copy_between_two() -> None:
    assert runs("torch.away") == ["to.options", "_to", "fill_", "widen", "as_long", "to.dtype"]
    assert runs("torch.both")[:4] == ["to.device", "_to", "fill_", "widen"]


def test_the_device_of_a_tensor_is_theirs_below_what_is_asked_for() -> None:
    assert runs("torch.inside") == ["away", "to.options", "_to", "fill_"]
    assert runs("torch.as_type") == ["to.options", "_to", "fill_"]
    assert runs("torch.outside") == ["to.options", "_to", "fill_", "widen", "as_long", "to.dtype"]


def test_a_device_that_is_asked_about_moves_nothing() -> None:
    """As ``_pin_memory`` takes one that may be none: what it gives stays where its tensor is."""
    asking = "pinned(Tensor self, Device? device=None) -> Tensor", "pin(Tensor self, Device? device=None) -> Tensor"
    yaml = YAML + "".join(f"- func: {each}\n  variants: function, method\n" for each in asking)
    cpp = """\
namespace at { namespace native {
Tensor pinned(const Tensor& self, std::optional<Device> device) { return at::pin(self, device); }
Tensor pin(const Tensor& self, std::optional<Device> device) { return self.fill_(self); }
}}
"""
    assert runs("torch.pinned", yaml, CPP + cpp) == ["pin", "fill_"]


def test_what_asks_for_cuda_runs_there() -> None:
    """As ``scatter_impl`` puts values elsewhere on CUDA where that is to be deterministic, for sums."""
    schemas = "put(Tensor self, bool sum) -> Tensor", "on(Tensor self) -> Tensor", "off(Tensor self) -> Tensor"
    yaml = YAML + "".join(f"- func: {each}\n  variants: function, method\n" for each in schemas)
    cpp = """\
namespace at { namespace native {
Tensor put(const Tensor& self, bool sum) {
  bool same = globalContext().isSame() && (self.device().type() == DeviceType::CUDA || self.is_xpu());
  if (sum) { same = same && few(self); }
  if (same) { return at::on(self); }
  return at::off(self);
}
Tensor on(const Tensor& self) { if (self.is_cpu()) { return at::widen(self); } return at::inside(self); }
Tensor off(const Tensor& self) { if (self.is_cpu()) { return at::outside(self); } return self; }
}}
"""
    found = runs("torch.put", yaml, CPP + cpp)
    assert found[:3] == ["on", "inside", "away"]
    assert {"outside", "off"} <= {*found}
    assert "widen" not in found[: found.index("off")]


def test_a_tensor_is_where_it_is_checked_to_be() -> None:
    """As ``tensor_split`` reads its indices, and ``dropout`` has one function for CUDA."""
    cpp = """\
namespace at { namespace native {
static bool may_fuse(const Tensor& a, double p) { return (a.is_cuda() || a.is_xpu() || a.is_lazy()) && p > 0; }
Tensor split(const Tensor& self, const Tensor& at) {
  auto split_device = at.device();
  TORCH_CHECK(split_device == kCPU, "on a CPU");
  return at.read();
}
Tensor drop(const Tensor& self, float p) {
  if (self.is_nested() || (p < 1 && may_fuse(self, p))) { return self.read(); }
  return self;
}
Tensor read(const Tensor& self) { return self.is_cuda() ? at::far(self) : at::near(self); }
}}
"""
    yaml = "- func: split(Tensor self, Tensor at) -> Tensor\n- func: drop(Tensor self, float p) -> Tensor\n"
    yaml += "- func: read(Tensor self) -> Tensor\n  variants: method\n"
    yaml += "- func: far(Tensor self) -> Tensor\n- func: near(Tensor self) -> Tensor\n"
    told = [small_pytorch.story(yaml, cpp, name).runs for name in ("split", "drop")]
    assert [[(each.op, each.device) for each in runs] for runs in told] == [
        [("read", "CPU"), ("near", "CPU")],
        [("read", "CUDA"), ("far", "CUDA"), ("near", "CUDA")],
    ]


def test_what_is_asked_of_the_device_of_all_says_where_something_runs() -> None:
    """As ``copy_`` turns what it copies on a CPU, among other conditions: not below what runs on CUDA. A number that is
    on a CPU says nothing of others."""
    cpp = """\
namespace at { namespace native {
Tensor turn(const Tensor& self) {
  DeviceType device_type = iter.device_type(0);
  if (device_type == kCPU && self.dim() == 2) { return at::near(self); }
  return self;
}
Tensor on_cuda(const Tensor& self) { return at::turn(self); }
Tensor inside_cuda(const Tensor& self) { return at::native::turn(self); }
Tensor fill(const Tensor& self, const Tensor& value) {
  if (value.is_cpu() && value.dim() == 0) { return at::put(self, value); }
  return self;
}
}}
"""
    yaml = "- func: turn(Tensor self) -> Tensor\n- func: near(Tensor self) -> Tensor\n"
    yaml += "- func: on_cuda(Tensor self) -> Tensor\n  dispatch: {CUDA: on_cuda}\n"
    yaml += "- func: inside_cuda(Tensor self) -> Tensor\n  dispatch: {CUDA: inside_cuda}\n"
    yaml += "- func: put(Tensor self, Tensor value) -> Tensor\n- func: fill(Tensor self, Tensor value) -> Tensor\n"
    found = {name: small_pytorch.story(yaml, cpp, name).runs for name in ("turn", "on_cuda", "inside_cuda", "fill")}
    told = {name: [(each.op, each.device) for each in runs] for name, runs in found.items()}
    assert [told.pop("on_cuda"), told.pop("inside_cuda")] == [[("turn", "CUDA")], []]
    assert told == {"turn": [("near", "CPU")], "fill": [("put", "")]}


def test_what_is_refused_elsewhere_runs_on_a_cpu() -> None:
    source = MemorySource({ENTRIES: YAML.encode(), "aten/src/ATen/native/Ops.cpp": CPP.encode()})
    (run,) = PytorchTracer(source, lambda _path: ("//:ops",), None).explain("gathered").stories[0].runs
    assert (run.op, run.device, run.condition) == ("widen", "CPU", "wants_buffer(iter)")


def test_what_is_for_cpus_and_cuda_runs_nothing_that_is_for_other_devices() -> None:
    calling = "Tensor near_one(const Tensor& self) { return self.farther(); }"
    for name in ("near_by", "near_by_all", "near_by_sparse"):
        calling += f"Tensor {name}(const Tensor& self) {{ return near_one(self); }}"
    cpp = f"namespace at {{ namespace native {{ {calling} Tensor farther(const Tensor& self) {{ self.far(); }} }} }}"
    found = {name: runs(name, OWN, cpp) for name in ("near", "sparse_near", "anywhere")}
    assert found == {"near": ["farther"], "sparse_near": ["farther"], "anywhere": ["farther", "far"]}


COPYING = """\
namespace at {
struct Tensor {
  Tensor cpu() const { return to(options().device(c10::DeviceType::CPU), false); }
};
namespace native {
Tensor number(const Tensor& self) {
  TORCH_CHECK(self.numel() == 1);
  return self.cpu();
}
Tensor several(const Tensor& self) { return self.cpu(); }
Tensor to(const Tensor& self, std::optional<ScalarType> t, std::optional<Layout> l, std::optional<Device> d,
    std::optional<bool> p, bool copy) {
  if (self.scalar_type() == t.value() && copy) { return self; }
  return at::_to(self, t, l, d, p);
}
Tensor _to(const Tensor& self, std::optional<ScalarType> t, std::optional<Layout> l, std::optional<Device> d,
    std::optional<bool> p) {
  if (self.is_non_overlapping_and_dense()) {
    Tensor r;
    r = at::empty_strided(self.sizes(), self.strides(), made_of(t));
    r.fill_(self);
    return r;
  }
  auto r = at::empty(self.sizes(), made_of(t));
  r.fill_(self);
  return r;
}
}}
"""
ITERATING = """\
namespace at { namespace native {
class TensorIteratorConfig {
  bool check_ = false;
};
static bool needs_more(TensorIterator& iter, bool fast) {
  if (iter.device(0) == iter.device(1)) { return false; }
  bool same_dtype = iter.dtype(0) == iter.dtype(1);
  if (same_dtype && iter.is_contiguous()) { return false; }
  return !fast;
}
static void fill_all(TensorIterator& iter, const Tensor& src) {
  if (needs_more(iter, false)) { src.widen(); }
  src.inside();
}
Tensor& fill_cuda(Tensor& self, const Tensor& src) {
  auto iter = TensorIteratorConfig().add_output(self).add_const_input(src).build();
  fill_all(iter, src);
  return self;
}
}}
"""


def test_a_copy_of_one_element_of_one_type_needs_no_other() -> None:
    """As `item` copies it to a CPU in one branch."""
    yaml = YAML + "".join(f"- func: {each}(Tensor self) -> Tensor\n" for each in ("number", "several"))
    files = {ENTRIES: yaml, "aten/src/ATen/native/Ops.cpp": COPYING, "aten/src/ATen/native/cuda/Ops.cu": ITERATING}
    source = MemorySource({path: text.encode() for path, text in files.items()})
    tracer = PytorchTracer(source, lambda _path: ("//:ops",), None)
    found = {name: [each.op for each in tracer.explain(name).stories[0].runs] for name in ("number", "several")}
    assert found["number"] == ["to.options", "_to", "fill_", "inside"]
    assert found["several"] == ["to.options", "_to", "fill_", "widen", "inside"]
