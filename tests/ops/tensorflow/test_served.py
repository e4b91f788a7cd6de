"""A file -> the ops of the kernels whose work goes on in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.loading.loader import Loader
from bzlgraph.ops.tensorflow.cpp import index
from bzlgraph.ops.tensorflow.cpp.index import CppIndex
from bzlgraph.workspace.workspace import open_workspace
from tests.written_files import write_files

KERNEL = """#include "core/fill.h"
#include "core/op_kernel.h"
class {0}Op : public OpKernel {{ void Compute(Context* c) override {{ {1} }} }};
REGISTER_KERNEL_BUILDER(Name("{0}").Device(DEVICE_CPU), {0}Op);
"""
FILES = {
    "WORKSPACE": "",
    "core/BUILD": "",
    "core/op_kernel.h": "class OpKernel { virtual void Compute(Context* c) = 0; };\n",
    "core/fill.h": "namespace functor { template <class Device> struct Fill { void operator()(int x); }; }\n",
    "core/fill.cc": '#include "core/fill.h"\ntemplate <> void functor::Fill<CPUDevice>::operator()(int x) { x++; }\n',
    "core/zeros_op.cc": KERNEL.format("Zeros", "functor::Fill<CPUDevice>()(c->size());"),
    "core/ones_op.cc": KERNEL.format("Ones", "functor::Fill<CPUDevice>()(c->size());"),
    "core/size_op.cc": KERNEL.format("Size", "c->set_output(c->size());"),
    "core/apart_op.cc": KERNEL.format("Apart", "c->set_output(c->size());").replace("fill.h", "nothing.h"),
}


def index_of(root: Path) -> CppIndex:
    write_files(root, FILES)
    return CppIndex(Loader(open_workspace(root)))


@pytest.mark.parametrize(
    ("file", "ops"),
    [
        ("core/fill.cc", ("Ones", "Zeros")),
        ("core/zeros_op.cc", ("Zeros",)),
        ("core/op_kernel.h", ()),
        ("core/size_op.cc", ("Size",)),
        ("core/BUILD", ()),
    ],
)
def test_what_a_file_serves(file: str, ops: tuple[str, ...], tmp_path: Path) -> None:
    assert index_of(tmp_path).ops_in(file) == ops


def test_a_file_that_most_kernels_see_is_not_looked_into(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(index, "FRAMEWORK", 2)
    assert index_of(tmp_path).ops_in("core/fill.cc") == ()
