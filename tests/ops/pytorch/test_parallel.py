"""C++ that several processes read gives the same facts as C++ that a single process reads."""

import pytest

from bzlgraph.ops.pytorch.cpp import definitions
from bzlgraph.ops.pytorch.cpp.values.function_names import TensorNames
from bzlgraph.workspace.sources.source import MemorySource

FOLDER = "aten/src/ATen/native"
HEADER = """
struct Options { bool fast_ = true; };
Tensor helper(const Tensor& self);
"""
ONE = """
#include <ATen/native/Ops.h>
namespace at::native {
Tensor twice(const Tensor& self) { return at::add(self, self); }
REGISTER_DISPATCH(add_stub, &add_kernel)
}
"""
OTHER = """
namespace at::native {
Tensor helper(const Tensor& self) { return self.mul(2); }
struct Options { bool slow_ = false; };
}
"""
FILES = {"Ops.h": HEADER.encode(), "One.cpp": ONE.encode(), "Other.cpp": OTHER.encode(), "Broken.cpp": b"\xff\x00\xfe"}


def test_processes_read_what_one_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(definitions, "CHUNK", 1)
    source = MemorySource({f"{FOLDER}/{name}": data for name, data in FILES.items()})
    alone, together = (definitions.Definitions(source).all_facts(TensorNames(), jobs) for jobs in (1, 2))
    assert alone == together
    assert {each.name for each in alone.definitions} >= {"twice", "helper"}
    assert [each.stub for each in alone.stubs] == ["add_stub"]
    assert alone.members["Options"] == {"fast_": "true", "slow_": "false"}
    assert [path for path, _ in alone.broken] == [f"{FOLDER}/Broken.cpp"]
