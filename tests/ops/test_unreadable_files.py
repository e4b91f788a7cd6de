"""One file that cannot be read spoils no answer about the others, and is told as a gap."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from bzlgraph.loading.loader import open_loader
from bzlgraph.ops.tracer import OpTable
from bzlgraph.questions.framework_ops import (
    ask_bindings,
    ask_op_mentions,
    ask_op_tests,
    ask_ops_table,
)
from bzlgraph.questions.reply import Reply
from bzlgraph.questions.session import Session
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.sources.source import MemorySource
from bzlgraph.workspace.workspace import open_workspace

MENTIONING = 'bool a = name == "Work";'
TENSORFLOW = {
    "tensorflow/core/framework/op.h": '#define REGISTER_OP(name) Op op\nREGISTER_OP("Work").Attr("T: type");',
    "tensorflow/core/framework/types.h": "constexpr TypeSet kTwo = {DT_HALF, DT_FLOAT};",
    "tensorflow/core/ops/ops.cc": 'REGISTER_OP("Work").Attr("T: {half, float}");',
    "tensorflow/compiler/tf2xla/one.cc": "REGISTER_XLA_BACKEND(DEVICE_CPU_XLA_JIT, kTwo, Filter);",
    "tensorflow/compiler/tf2xla/two.cc": "REGISTER_XLA_BACKEND(DEVICE_GPU_XLA_JIT, kTwo, Filter);",
    "tensorflow/compiler/tf2xla/kernels/work.cc": 'REGISTER_XLA_OP(Name("Work"), WorkOp);',
    "tensorflow/core/grappler/one.cc": MENTIONING,
    "tensorflow/core/grappler/two.cc": MENTIONING,
    "tensorflow/core/one_test.cc": '#include "tensorflow/core/graph/graph.h"\nNode n("x", "Work");',
    "tensorflow/core/two_test.cc": '#include "tensorflow/core/graph/graph.h"\nNode n("x", "Work");',
    "tensorflow/python/one.i": '%module one\n%include "std_string.i"\nint run(int a);',
    "tensorflow/python/two.i": '%module two\n%include "std_string.i"\nint run(int a);',
    "tensorflow/lite/setup.py": "setup(ext_modules=[Extension('named', ['a.cc'])])",
}
BY_HAND = "tools/autograd/templates/python_torch_functions.cpp"
PYTORCH = {
    "aten/src/ATen/native/native_functions.yaml": "- func: work(Tensor self) -> Tensor\n",
    BY_HAND: '{"by_hand", castPyCFunction(THPVariable_by_hand)},',
    "aten/src/ATen/native/Work.cpp": "Tensor work(const Tensor& self) { return self; }",
    "torch/_refs/__init__.py": "@register_decomposition(aten.work)\ndef work(a): return a\n",
}


@dataclass(frozen=True, slots=True)
class Refusing:
    """Files of which one cannot be read."""

    files: MemorySource
    refused: str

    def read(self, path: str) -> bytes:
        if path == self.refused:
            raise PermissionError(13, os.strerror(13))
        return self.files.read(path)

    def is_file(self, path: str) -> bool:
        return self.files.is_file(path)

    def is_folder(self, path: str) -> bool:
        return self.files.is_folder(path)

    def entries(self, path: str) -> tuple[list[str], list[str]]:
        return self.files.entries(path)


Ask = Callable[[Session], Reply[OpTable]]


def asked(files: dict[str, str], ask: Ask, refused: str, root: Path) -> tuple[set[str], set[str]]:
    """The places and names in an answer, and what its gaps are about."""
    (root / "WORKSPACE").touch()
    source = MemorySource({"WORKSPACE": b"", **{path: text.encode() for path, text in files.items()}})
    loader = open_loader(open_workspace(root, Options(jobs=1), Refusing(source, refused)))
    reply = ask(Session(loader, "", ()))
    return {str(cell) for row in reply.answer.rows for cell in row}, {each.what for each in reply.completeness.gaps}


def supported(session: Session) -> Reply[OpTable]:
    return ask_ops_table(session, supported_by="xla")


@pytest.mark.parametrize(
    ("ask", "refused", "left"),
    [
        (lambda session: ask_op_mentions(session, ["Work"]), "tensorflow/core/grappler/one.cc", "grappler/two.cc"),
        (ask_ops_table, "tensorflow/core/grappler/one.cc", "Work"),
        (lambda session: ask_op_tests(session, ["Work"]), "tensorflow/core/one_test.cc", "core/two_test.cc"),
        (supported, "tensorflow/compiler/tf2xla/one.cc", "XLA_GPU_JIT"),
        (ask_bindings, "tensorflow/python/one.i", "python/two.i"),
        (ask_bindings, "tensorflow/lite/setup.py", "python/two.i"),
    ],
)
def test_a_file_of_tensorflow_that_cannot_be_read_spoils_no_table(
    ask: Ask, refused: str, left: str, tmp_path: Path
) -> None:
    cells, gaps = asked(TENSORFLOW, ask, refused, tmp_path)
    assert any(left in each for each in cells)
    assert refused in gaps


@pytest.mark.parametrize("refused", [BY_HAND, "torch/_refs/__init__.py"])
def test_a_file_of_pytorch_that_cannot_be_read_spoils_no_table(refused: str, tmp_path: Path) -> None:
    cells, gaps = asked(PYTORCH, ask_ops_table, refused, tmp_path)
    assert "aten/src/ATen/native/Work.cpp" in cells
    assert refused in gaps
