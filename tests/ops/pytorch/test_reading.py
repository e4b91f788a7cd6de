"""What is read of a tree for one name, and what of it is kept for the next."""

from __future__ import annotations

import errno
import time
from pathlib import Path

import pytest

from bzlgraph.cache.looks import is_young
from bzlgraph.cpp.source_file import read_source_file
from bzlgraph.ops.pytorch.cpp.facts import Definition, read_facts
from bzlgraph.ops.pytorch.cpp.values.function_names import TensorNames
from bzlgraph.ops.pytorch.stored_kernels import Steps
from bzlgraph.ops.pytorch.tracer import ENTRIES, PytorchTracer
from bzlgraph.workspace.sources.source import DiskSource
from tests.written_files import write_files

YAML = """\
- func: one(Tensor self, int n=1) -> Tensor
- func: two(Tensor self) -> Tensor
- func: three(Tensor self) -> Tensor
  variants: method
- func: four(Tensor self) -> Tensor
  variants: method
"""
OPS = "aten/src/ATen/native"
ONE = """\
namespace at { namespace native {
template <typename T> Tensor helped(T n) { return self.four(); }
Tensor helped(const Tensor& self, int n) { if (n == 2) { return self.four(); } return self.three(); }
Tensor one(const Tensor& self, int64_t n) { return helped(self, 2); }
}}
"""
LOST = ("Binary", "Lost")
TWO = "namespace at { namespace native { Tensor two(const Tensor& self) { return self.three(); } }}"


class Noting(DiskSource):
    """A folder that says what is read of it."""

    noted: tuple[str, ...] = ()

    def read(self, path: str) -> bytes:
        Noting.noted += (path,)
        if path.endswith("/Lost.cpp"):
            raise OSError(errno.EIO, "it is on a bad disk")
        return super().read(path)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = write_files(tmp_path / "tree", {ENTRIES: YAML, f"{OPS}/One.cpp": ONE, f"{OPS}/Two.cpp": TWO})
    while is_young(
        (root / OPS / "Two.cpp").stat().st_ctime_ns
    ):  # what is read of a file that was just written is not kept
        time.sleep(0.01)
    return root


def inside(tree: Path, name: str, kept: Path | None) -> list[tuple[str, str, int]]:
    (story,) = PytorchTracer(Noting(tree), lambda _path: (), kept).explain(name).stories
    return [(each.op, each.condition, each.location.line) for each in story.runs]


def test_a_second_name_reads_only_the_files_of_functions_that_it_reaches(tree: Path, tmp_path: Path) -> None:
    kept, files = tmp_path / "kept", {f"{OPS}/One.cpp", f"{OPS}/Two.cpp"}
    whole = inside(tree, "one", None)
    assert inside(tree, "two", kept) == [("three", "", 1)]
    reads = []
    for _again in range(2):
        Noting.noted = ()
        assert inside(tree, "one", kept) == whole == [("four", "", 3)]
        reads.append(files & {*Noting.noted})
    assert reads == [{f"{OPS}/One.cpp"}, set()]


def test_a_file_that_cannot_be_read_is_a_gap_each_time(tree: Path, tmp_path: Path) -> None:
    (tree / OPS / "Lost.cpp").touch()
    (tree / OPS / "Binary.cpp").write_bytes(b"Tensor one(\0)")
    for name in ("two", "one", "one"):
        gaps = PytorchTracer(Noting(tree), lambda _path: (), tmp_path / "kept").explain(name).gaps
        assert {gap.location.path for gap in gaps if gap.location} == {f"{OPS}/{each}.cpp" for each in LOST}


def test_steps_are_read_when_a_name_is_asked_for_and_once() -> None:
    asked = []
    steps = Steps(["a", "b"], lambda name, given: asked.append((name, *given)) or (), lambda name: [name])
    assert (list(steps), len(steps), asked) == (["a", "b"], 2, [])
    assert (steps["a"], steps.get("a"), steps.get("c"), asked) == ((), (), None, [("a",)])
    given = (("a", "1"), ("b", "0"), ("a.is_same(b)", "true"))
    assert (steps.mattering("a", given), steps.given("a", given[:1]), asked[1:]) == (given[:1], (), [("a", given[0])])


def test_values_of_parameters_stay_and_bodies_are_what_they_were() -> None:
    text = "Tensor f(const Tensor& a, Sizes n = {1, 2}) { using Up = int; if (a.dim() == 1) { return a.three(); } }"
    file = read_source_file(text.encode(), "a.cpp")
    giving = TensorNames(methods=frozenset({"three"}))
    (found,) = (each for each in read_facts(file, None, giving, with_calls=True) if isinstance(each, Definition))
    assert found.parameters == ("const Tensor & a", "Sizes n = { 1 , 2 }")
    assert found.inside.fixed == (("a", ""), ("n", "{1,2}"))
    assert [(each.name, each.conditions) for each in found.inside.calls if each.name == "three"] == [
        ("three", ("a.dim() == 1",))
    ]
