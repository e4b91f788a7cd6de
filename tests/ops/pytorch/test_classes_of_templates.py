"""What a function of C++ calls of a class that its template is made with: ``F::weights(n)``."""

from tests.ops.pytorch import small_pytorch

YAML = """\
- func: nearest(Tensor self) -> Tensor
- func: linear(Tensor self) -> Tensor
- func: handed(Tensor self) -> Tensor
- func: any_class(Tensor self) -> Tensor
- func: t(Tensor self) -> Tensor
- func: ones(int n) -> Tensor
- func: sum(Tensor self) -> Tensor
"""
CPP = """\
namespace at { namespace native {
struct Base { static Tensor prepare(const Tensor& a) { return at::sum(a); } };
struct Nearest : public Base { static Tensor weights(const Tensor& a) { return at::ones(1); } };
struct Linear : public Base { static Tensor weights(const Tensor& a) { return at::t(a); } };
template <int n, typename scalar_t, class F>
void run(const Tensor& a) { SPREAD([&] { F::weights(a); }); }
template <class G>
void hand_on(const Tensor& a) { run<2, float, G>(a); }
template <class G>
void hand_on_any(const Tensor& a) { G::weights(a); }
Tensor nearest(const Tensor& self) { run<2, float, Nearest>(self); return self; }
Tensor linear(const Tensor& self) { run<2, float, Linear>(self); return self; }
Tensor handed(const Tensor& self) { hand_on<Linear>(self); return self; }
Tensor any_class(const Tensor& self) { hand_on_any<other::Cubic>(self); return self; }
}}
"""


def runs(name: str) -> list[str]:
    return [op for op, _ in small_pytorch.runs(YAML, CPP, name)]


def test_the_class_that_a_call_names_is_the_one() -> None:
    """As ``upsample_nearest2d`` makes weights by ``HelperInterpNearest``."""
    assert runs("nearest") == ["ones"]
    assert runs("linear") == runs("handed") == ["t"]


def test_of_a_class_that_is_not_there_any_may_be_meant() -> None:
    assert runs("any_class") == ["ones", "t"]
