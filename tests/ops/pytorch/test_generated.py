"""What runs inside of kernels that are written while PyTorch is built: copies of views."""

import pytest

from tests.ops.pytorch import small_pytorch

YAML = """\
- func: view(Tensor(a) self, SymInt[] size) -> Tensor(a)
  variants: method
  dispatch:
    CPU: view
- func: view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)
  variants: method
- func: unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]
- func: clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor
  variants: function, method
- func: reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)
  variants: method
""" + "".join(
    f"""\
- func: {schema}
  dispatch:
    CompositeExplicitAutogradNonFunctional: {schema.partition("(")[0].replace(".", "_")}
  tags: view_copy
"""
    for schema in (
        "view_copy(Tensor self, SymInt[] size) -> Tensor",
        "view_copy.dtype(Tensor self, ScalarType dtype) -> Tensor",
        "unbind_copy.int(Tensor self, int dim=0) -> Tensor[]",
        "other_copy(Tensor self) -> Tensor",
        "written_copy(Tensor self) -> Tensor",
    )
)
CPP = "namespace at { namespace native { Tensor written_copy(const Tensor& self) { return self.reshape(0); } }}"


def runs(name: str) -> list[tuple[str, str]]:
    return small_pytorch.runs(YAML, CPP, name)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("view_copy.dtype", [("view.dtype", ""), ("clone", "")]),
        ("unbind_copy.int", [("unbind.int", ""), ("clone", "")]),
        ("other_copy", []),  # of no view
        ("written_copy", [("reshape", "")]),
    ],
)
def test_the_copy_of_a_view_runs_the_view_and_copies_what_it_gives(name: str, found: list[tuple[str, str]]) -> None:
    assert runs(name) == found


def test_copies_are_contiguous() -> None:
    cpp = CPP.replace(
        "}}",
        """}
Tensor clone(const Tensor& self, std::optional<MemoryFormat> format) {
  if (format == MemoryFormat::Contiguous) { return self; }
  return self.reshape(0);
} }}""",
    )
    rows = [(each.depth, each.op) for each in small_pytorch.story(YAML, cpp, "unbind_copy.int").runs]
    assert rows == [(1, "unbind.int"), (1, "clone")]


def test_view_copy_shapes_what_has_other_strides() -> None:
    strided = "at::detail::computeStride(sizes, strides, shape).has_value()"
    assert runs("view_copy") == [("reshape", f"!{strided}"), ("view", strided), ("clone", strided)]
