"""``op --python_path``: the ops that Python beside the tree needs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import bzlgraph
from bzlgraph.workspace.sources.source import BesideSource, MemorySource
from tests.cli.asking_op import EXAMPLE, run

MODEL = """\
import tensorflow as tf
from mine import parts


class Layer(tf.Module):
    def project(self, x):
        return tf.matmul(x, x)


class Model(Layer):
    def call(self, x):
        return parts.activate(self.project(x) + tf.abs(x))

    def nothing(self):
        return len("nothing")
"""
PARTS = """\
from tensorflow.compat import v1

def activate(x):
    return v1.nn.relu_layer(x, x)
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "parts.py").write_text(PARTS)
    return tmp_path


def ops(package: Path, word: str) -> list[str]:
    result = run(EXAMPLE, word, f"--python_path=mine={package}", "--output=json")
    assert result.exit_code == 0, result.output
    return list(json.loads(result.stdout)["ops"])


@pytest.mark.parametrize("word", ["model.py:Model.call", "mine/model.py:Model.call", "mine.model.Model.call"])
def test_a_method_is_followed_into_the_tree(package: Path, word: str) -> None:
    assert set(ops(package, word)) == {"MatMul", "Abs", "Relu"}


def test_a_method_of_a_base_runs_for_the_class_that_was_asked_for(package: Path) -> None:
    assert ops(package, "model.py:Model.project") == ["MatMul"]
    assert set(ops(package, "model.py:Model")) == {"MatMul", "Abs", "Relu"}


def test_all_kernels_are_told(package: Path) -> None:
    text = run(EXAMPLE, "model.py:Model.call", f"--python_path=mine={package}").stdout
    assert "MatMul on CPU: tensorflow/core/kernels/matmul_op.cc:15" in text
    assert "model.py:Model.call" in text
    assert "mine/model.py:11" in text


def test_what_makes_no_op_says_so(package: Path) -> None:
    text = run(EXAMPLE, "model.py:Model.nothing", f"--python_path=mine={package}").stdout
    assert "creates no op" in text


def test_needs_are_those_of_all_the_ops(package: Path) -> None:
    rows = run(EXAMPLE, "model.py:Model.call", f"--python_path=mine={package}", "--needs", "--output=csv").stdout
    assert "//tensorflow/core/kernels:matmul_op.cc" in rows
    assert "//tensorflow/core/kernels:relu_op.cc" in rows


def test_a_function_of_the_tree_needs_no_package() -> None:
    result = run(EXAMPLE, "tensorflow/python/ops/nn_impl.py:relu_layer", "--output=json")
    assert json.loads(result.stdout)["ops"] == ["Relu", "MatMul"]


@pytest.mark.parametrize("given", ["mine", "=.", "a.b=.", "mine=/nowhere"])
def test_what_is_no_package_is_refused(given: str) -> None:
    assert "expected NAME=DIR" in str(run(EXAMPLE, "Relu", f"--python_path={given}").exception)


def test_names_that_are_not_there(package: Path) -> None:
    assert run(EXAMPLE, "model.py:Modell", f"--python_path=mine={package}").exit_code == 7


def test_other_frameworks_read_their_tree_only(package: Path) -> None:
    tree = EXAMPLE.parent / "custom_ops" / "jax_extension"
    assert "works with TensorFlow, not with JAX" in str(run(tree, "widen", f"--python_path=mine={package}").exception)


def test_the_library_takes_packages_too(package: Path) -> None:
    workspace = bzlgraph.open(EXAMPLE, cache=False, python_path={"mine": package})
    assert set(workspace.op("model.py:Model.call").ops) == {"MatMul", "Abs", "Relu"}


def test_a_source_beside_another_hides_what_has_its_name() -> None:
    base = MemorySource({"a/x.py": b"1", "b/x.py": b"2", "y.py": b"3"})
    both = BesideSource(base, {"a": MemorySource({"z.py": b"4"})})
    assert both.entries("") == (["y.py"], ["a", "b"])
    assert both.entries("a") == (["z.py"], [])
    assert (both.is_file("a/x.py"), both.is_file("a/z.py"), both.is_folder("a"), both.is_folder("b")) == (
        *(False, True), *(True, True)
    )  # fmt: skip
    assert (both.read("a/z.py"), both.read("b/x.py"), both.read("y.py")) == (b"4", b"2", b"3")
