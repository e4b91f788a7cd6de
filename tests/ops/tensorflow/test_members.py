"""Functions that a kernel keeps in a member, and calls there."""

from __future__ import annotations

import pytest

from bzlgraph.cpp.include_tree import IncludeTree
from bzlgraph.ops.tensorflow.cpp.records import read_records
from bzlgraph.ops.tensorflow.cpp.work.beyond import Beyond
from bzlgraph.ops.tensorflow.cpp.work.classes import Classes
from bzlgraph.workspace.sources.source import MemorySource

HEADER = """
CastFunction GetCastFromBool(DataType to);
CastFunction GetCastFromInt(DataType to);
class CastBase : public OpKernel {
  void Compute(Context* c) override { if (work_ != nullptr) work_(c, in, &out); }
  CastFunction work_ = nullptr;
  CastFunction other_ = nullptr;
};
"""
KERNEL = """#include "core/cast_op.h"
class CastOp : public CastBase {
  explicit CastOp(Construction* c) : CastBase(c) { Prepare(); }
  void Prepare() {
    if (from_ == DT_BOOL) {
      work_ = GetCastFromBool(to_);
    } else if (from_ == DT_INT32) {
      work_ = GetCastFromInt(to_);
      other_ = GetCastFromNothing(to_);
    }
  }
};
CastFunction GetCastFromNothing(DataType to) { return Make(to); }
REGISTER_KERNEL_BUILDER(Name("Cast").Device(DEVICE_CPU)%s, CastOp);
"""
SOURCE = """#include "core/cast_op.h"
CastFunction GetCastFrom%s(DataType to) { return Make(to); }
"""
FILES = {
    "core/cast_op.h": HEADER,
    "core/cast_op_bool.cc": SOURCE % "Bool",
    "core/cast_op_int.cc": SOURCE % "Int",
}
BOTH = ["GetCastFromBool core/cast_op_bool.cc:2", "GetCastFromInt core/cast_op_int.cc:2"]


@pytest.mark.parametrize(
    ("constraint", "expected"),
    [("", BOTH), ('.TypeConstraint<bool>("SrcT")', [])],
    ids=["of any type", "of one type, which decides between them"],
)
def test_the_functions_that_set_a_member_are_told_where_types_do_not_decide(
    constraint: str, expected: list[str]
) -> None:
    texts = {**FILES, "core/cast_op.cc": KERNEL % constraint}
    source = MemorySource({path: text.encode() for path, text in texts.items()})
    (kernel,) = read_records(source, source.entries, None, jobs=1).kernels
    found = Beyond(Classes(IncludeTree(frozenset(texts), source.read))).of(kernel)
    assert [f"{each.name} {each.location.short if each.location else ''}" for each in found] == expected
