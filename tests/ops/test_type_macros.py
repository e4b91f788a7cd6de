"""Macros for types of TensorFlow, in repositories of ops that only include its header."""

from __future__ import annotations

from bzlgraph.ops.model import KernelRegistration
from bzlgraph.ops.tensorflow.cpp.scan import scan_tree
from bzlgraph.ops.tensorflow.cpp.type_macros import HEADER

KERNEL = f"""
#include "{HEADER}"
REGISTER_OP("Blend");
#define REGISTER(T) REGISTER_KERNEL_BUILDER(Name("Blend").Device(DEVICE_CPU).TypeConstraint<T>("T"), BlendOp<T>)
"""


def kernels(files: dict[str, str]) -> tuple[list[str], list[str]]:
    """The classes of the kernels that files register, and the gaps."""
    scan = scan_tree(files, lambda path: files[path].encode())
    for path in scan.files:
        scan.read(path)
    found = [each.kernel_class for each in scan.registrations if isinstance(each, KernelRegistration)]
    return found, [gap.what for gap in scan.gaps]


def test_what_a_macro_for_one_type_means_is_in_its_name() -> None:
    calls = "TF_CALL_float(REGISTER);\nTF_CALL_half(REGISTER);\n"
    assert kernels({"a.cc": KERNEL + calls}) == (["BlendOp<float>", "BlendOp<Eigen::half>"], [])


def test_the_types_of_a_group_are_those_of_one_version_and_that_is_told() -> None:
    found, gaps = kernels({"a.cc": f"{KERNEL}TF_CALL_COMPLEX_TYPES(REGISTER);\n"})
    assert found == ["BlendOp<complex64>", "BlendOp<complex128>"]
    assert gaps == [f"{HEADER} is not in this tree: TF_CALL_COMPLEX_TYPES is as in TensorFlow 2.12"]


def test_a_header_of_the_tree_counts() -> None:
    header = "#define TF_CALL_COMPLEX_TYPES(m) m(pair)\n"
    files = {"a.cc": f"{KERNEL}TF_CALL_COMPLEX_TYPES(REGISTER);\n", HEADER: header}
    assert kernels(files) == (["BlendOp<pair>"], [])
