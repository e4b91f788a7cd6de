"""A tree that has a framework's handlers and, elsewhere, plain bindings: both are answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.questions.framework_ops import ask_ops
from bzlgraph.questions.session import open_session

FILES = {
    "WORKSPACE": "",
    "BUILD": "cc_library(name = 'b', srcs = ['b.cc'])\n",
    "ops/BUILD": "cc_library(name = 'h', srcs = ['h.cc'])\ncc_library(name = 'c', srcs = ['c.cc'])\n",
    "ops/h.cc": "XLA_FFI_DEFINE_HANDLER(kH, HImpl, ffi::Ffi::Bind().Ret<ffi::Buffer<ffi::F32>>());\n",
    "b.cc": 'int Twice(int x) { return 2 * x; }\nPYBIND11_MODULE(tools, m) { m.def("twice", &Twice); }\n',
    "ops/c.cc": 'int Half(int x) { return x / 2; }\nPYBIND11_MODULE(more, m) { m.def("half", &Half); }\n',
}


@pytest.mark.parametrize(("word", "name"), [("b.cc", "twice"), ("ops/c.cc", "half"), ("tools.twice", "twice")])
def test_a_file_that_serves_no_op_is_told_by_its_bindings(tmp_path: Path, word: str, name: str) -> None:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    (answer,) = ask_ops(open_session(tmp_path), [word]).answer
    assert name in [each.name for each in answer.bindings]
