"""A PyTorch tree with composites: operators that call others in C++."""

from __future__ import annotations

from bzlgraph.ops.pytorch.tracer import ENTRIES, PytorchTracer
from bzlgraph.ops.tracer import OpTrace
from bzlgraph.workspace.sources.source import MemorySource

YAML = """\
- func: blur(Tensor self, Tensor by, int n=1) -> Tensor
- func: _blur(Tensor self, Tensor by, int n) -> Tensor
  dispatch:
    CompositeExplicitAutograd: _blur
- func: blur_fast(Tensor self, Tensor by) -> Tensor
  dispatch:
    CPU: blur_fast_cpu
    MPS: blur_fast_mps
- func: blur_slow(Tensor self, Tensor by) -> Tensor
  dispatch:
    CPU: blur_slow_cpu
- func: add.Tensor(Tensor self, Tensor other) -> Tensor
  structured_delegate: add.out
  variants: function, method
- func: add.Scalar(Tensor self, Scalar other) -> Tensor
  variants: function, method
- func: add.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU: add_out
- func: new_like(Tensor self) -> Tensor
- func: sum(Tensor self) -> Tensor
  variants: method
- func: mul.Tensor(Tensor self, Tensor other) -> Tensor
  variants: function, method
- func: size.int(Tensor self, int dim) -> int
  variants: method
  manual_cpp_binding: True
- func: size.name(Tensor self, Dimname dim) -> int
  variants: method
- func: max(Tensor self) -> Tensor
  variants: function, method
"""
OPS = """\
namespace at { namespace native {
DEFINE_DISPATCH(blur_stub);
namespace {
Tensor padded(const Tensor& t, int64_t n) {
  if (n > 2) { return t + t; }
  return t;
}
}
Tensor blur(const Tensor& self, const Tensor& by, int64_t n) {
  return at::_blur(padded(self, n), by, n);
}
Tensor _blur(const Tensor& self, const Tensor& by, int64_t n) {
  switch (pick(self)) {
    case Kind::Fast:
    case Kind::Faster:
      return at::blur_fast(self, by);
    default:
      break;
  }
  std::vector<int> values;
  int64_t most = std::numeric_limits<int64_t>::max();
  values.max();
#ifdef WITH_SLOW
  if (self.size(0) == 1)
    return at::blur_slow(self, by);
  else return self.sum();
#endif
  return self;
}
Tensor blur_fast_cpu(const Tensor& self, const Tensor& by) {
  blur_stub(kCPU, self);
  auto iter = TensorIterator::made(self);
  return (self * by).add(1);
}
TensorIterator TensorIterator::made(const Tensor& t) { TensorIterator iter; iter.build(t); return iter; }
void TensorIteratorBase::build(const Tensor& t) { at::new_like(t); }
Tensor blur_slow_cpu(const Tensor& self, const Tensor& by) { return at::native::blur_fast_cpu(self, by); }
Tensor blur_fast_mps(const Tensor& self, const Tensor& by) { return self.sum(); }
TORCH_META_FUNC2(add, Tensor)(const Tensor& self, const Tensor& other) { at::new_like(self); }
}}
"""
CPU = """\
namespace at { namespace native { namespace {
void blur_kernel(const Tensor& self) { auto m = self.max(); }
}
REGISTER_DISPATCH(blur_stub, &blur_kernel);
}}
"""


def story(name: str, **changed: str) -> OpTrace:
    """What is told of an operator; some files may be others."""
    files = {ENTRIES: YAML, "aten/src/ATen/native/Ops.cpp": OPS, "aten/src/ATen/native/cpu/Kernel.cpp": CPU} | changed
    source = MemorySource({path: text.encode() for path, text in files.items()})
    return PytorchTracer(source, lambda _path: ("//:ops",), None).explain(name).stories[0]
