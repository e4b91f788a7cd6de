"""The types that XLA compiles an op for: lists of a backend, of the op and of the kernel together."""

from typing import Any

import pytest

from bzlgraph.base.span import Location
from bzlgraph.ops.model import KernelRegistration, OpRegistration
from bzlgraph.ops.tensorflow.xla_types import XlaTypes
from bzlgraph.workspace.sources.source import MemorySource

HERE = Location("a.cc", 1, 0)
FILES = {
    "tensorflow/core/framework/types.h": "constexpr DataTypeSet kNumberTypes = ToSet(DT_FLOAT) | ToSet(DT_INT8);",
    "tensorflow/compiler/tf2xla/xla_op_registry.h": (
        "// REGISTER_XLA_BACKEND(DEVICE_GPU_XLA_JIT, kNone, Filter);\n"
        "constexpr std::array<DataType, 3> kAll = {\n    {DT_FLOAT, DT_HALF, DT_INT32}};\n"
        "constexpr std::array<DataType, 2> kFloats = {{DT_FLOAT, DT_HALF}};\n"
    ),
    "tensorflow/compiler/tf2xla/cpu_backend.cc": (
        'bool F(KernelDef* kdef) { if (kdef->op() == "Const") {\n'
        '  AddDtypeToKernelDefConstraint("T", DT_STRING, kdef); } }\n'
        "REGISTER_XLA_BACKEND(DEVICE_CPU_XLA_JIT, kAll, F);\n"
    ),
    "tensorflow/compiler/tf2xla/kernels/ops.cc": "std::vector<DataType> Some() {\n  return {DT_HALF, DT_INT32};\n}\n",
}


@pytest.mark.parametrize(
    ("attribute", "kernel", "expected"),
    [
        ("T: type", {}, "float half int32"),
        ("T: {half, float32, int64} = DT_HALF", {}, "float half"),
        ("T: numbertype", {}, "float"),
        ("T: list({float, int32}) >= 1", {}, "float int32"),
        ("T: type", {"constraints": ("T: kFloats",)}, "float half"),
        ("T: type", {"constraints": ("T: ns::Some()",)}, "half int32"),
        ("T: type", {"constraints": ("T: DT_INT32 | DT_BOOL",)}, "int32"),
        ("T: type", {"constraints": ("T: kNowhere",)}, "float half int32"),
        ("T: {half}", {"allows": ("resource",)}, "half resource"),
        ("T: {half}", {"op": "Const"}, "half string"),
        ("T: {string}", {}, None),
        ("T: type", {"device": "XLA_GPU_JIT"}, None),
        ("T: {half}", {"device": "XLA_CPU_JIT"}, "half"),
    ],
)
def test_types_of_an_attribute(attribute: str, kernel: dict[str, Any], expected: str | None) -> None:
    types = XlaTypes(MemorySource({path: text.encode() for path, text in FILES.items()}))
    given: dict[str, Any] = {"op": "A", "device": "XLA", "kernel_class": "AOp", "location": HERE, **kernel}
    (backend,) = types.backends
    found = types.of(OpRegistration("A", HERE, type_attributes=(attribute,)), KernelRegistration(**given), backend)
    assert backend.device == "XLA_CPU_JIT"
    assert found == (None if expected is None else (("T", tuple(expected.split())),))
