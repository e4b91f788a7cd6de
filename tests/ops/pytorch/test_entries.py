"""native_functions.yaml: entries, kernels by dispatch key, and files that are none."""

import pytest

from bzlgraph.ops.pytorch.entries import BrokenEntries, read_entries

TEXT = """\
# a comment
- func: scale(Tensor self, float by) -> Tensor
  variants: function, method

- func: scale_(Tensor(a!) self, float by) -> Tensor(a!)
  variants: method
  structured_delegate: scale.out

- func: scale.out(Tensor self, float by, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU, CUDA: scale_out
    MPS: scale_out_mps
  autogen: scale.more, scale.most

- func: blend.Tensor(Tensor self, Tensor other) -> Tensor
  python_module: special
  ufunc_inner_loop:
    Generic: blend (AllAndComplex)

- func: mix.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
- not_an_entry: 1
- func: 3
"""


def test_kernels_by_dispatch_key() -> None:
    entries = {entry.full_name: entry for entry in read_entries(TEXT)}
    assert list(entries) == ["scale", "scale_", "scale.out", "blend.Tensor", "mix.out"]
    assert entries["scale"].kernels == (("CompositeImplicitAutograd", "scale"),)
    assert entries["scale_"].kernels == ()
    assert entries["scale_"].delegate == "scale.out"
    assert entries["scale.out"].kernels == (("CPU", "scale_out"), ("CUDA", "scale_out"), ("MPS", "scale_out_mps"))
    assert entries["scale.out"].structured
    assert entries["blend.Tensor"].ufunc == (("Generic", "blend (AllAndComplex)"),)
    assert entries["mix.out"].kernels == (("CompositeImplicitAutograd", "mix_out"),)


def test_lines_and_variants() -> None:
    entries = {entry.full_name: entry for entry in read_entries(TEXT)}
    assert [entry.line for entry in entries.values()] == [2, 5, 9, 16, 21]
    assert entries["scale"].variants == ("function", "method")
    assert entries["scale_"].variants == ("method",)
    assert entries["blend.Tensor"].python_module == "special"


@pytest.mark.parametrize(
    ("text", "line"),
    [("- func: a(\n  b: [1,\n", 3), ("just: a mapping\n", 1), ("\x00", 1), ("- func: a()\n\t- b", 2)],
)
def test_what_is_no_list_of_entries(text: str, line: int) -> None:
    with pytest.raises(BrokenEntries) as caught:
        read_entries(text)
    assert caught.value.line == line


def test_aliases_do_not_grow() -> None:
    """Nine levels of nested aliases are a million values for whoever copies them."""
    levels = "\n".join(f"- &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, 30))
    assert read_entries(f"- &l0 [x]\n{levels}\n- func: f() -> ()\n")[0].name == "f"


@pytest.mark.parametrize(
    ("given", "is_tuple"),
    [("(Tensor, Tensor)", True), ("(Tensor(a!) low, Tensor high)", True), ("(Tensor, int)", False), ("Tensor", False)],
)
def test_what_gives_a_tuple_of_tensors_alone(given: str, is_tuple: bool) -> None:
    (entry,) = read_entries(f"- func: f(Tensor self) -> {given}\n")
    assert entry.gives_tuple == is_tuple
