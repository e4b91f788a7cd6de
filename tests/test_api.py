"""The library as its users see it: `bzlgraph.open` and answers that are data, print and show themselves."""

from __future__ import annotations

import json
from pathlib import Path

import networkx
import pytest

import bzlgraph

EXAMPLE = Path(__file__).parent.parent / "examples" / "mini_tensorflow"
PIP_PACKAGE = "//tensorflow/tools/pip_package:build_pip_package"


@pytest.fixture(scope="module")
def ws() -> bzlgraph.Workspace:
    return bzlgraph.open(EXAMPLE, cache=False, jobs=1)


def test_a_workspace_is_found_from_a_folder_in_it(ws: bzlgraph.Workspace) -> None:
    assert bzlgraph.open(EXAMPLE / "tensorflow" / "core", cache=False).root == ws.root == EXAMPLE


def test_a_query_is_a_collection_of_labels(ws: bzlgraph.Workspace) -> None:
    kernels = ws.query("//tensorflow/core/kernels:all")
    assert "//tensorflow/core/kernels:conv_ops" in kernels
    assert "//tensorflow/core:lib" not in kernels
    assert len(kernels) == len(list(kernels)) == len(kernels.labels) == len(str(kernels).splitlines()) > 20


def test_a_query_is_a_table(ws: bzlgraph.Workspace) -> None:
    found = ws.query("//tensorflow/contrib/tpu:all")
    assert set(found.to_frame()["label"]) == set(found)
    assert "<table" in found._repr_html_()


def test_why_is_data_text_and_a_picture(ws: bzlgraph.Workspace) -> None:
    why = ws.why("@swig//:swig", from_=PIP_PACKAGE)
    assert why.found
    assert (why.labels[0], why.labels[-1]) == (PIP_PACKAGE, "@swig//:swig")
    assert all(label in str(why) for label in why.labels)
    assert json.loads(json.dumps(why.to_dict())) == why.to_dict()
    picture = why._repr_svg_()
    assert picture is not None
    assert "<svg" in picture


def test_no_way_is_an_answer(ws: bzlgraph.Workspace) -> None:
    why = ws.why("@swig//:swig", from_="//tensorflow/examples/label_image")
    assert not why.found
    assert why._repr_svg_() is None
    assert "does not depend on" in str(why)


def test_a_graph_is_networkx_and_a_file(ws: bzlgraph.Workspace, tmp_path: Path) -> None:
    graph = ws.graph("allpaths(//tensorflow/python:pywrap_tensorflow, @swig//:swig)")
    digraph = graph.to_networkx()
    assert networkx.has_path(digraph, "//tensorflow/python:pywrap_tensorflow", "@swig//:swig")
    graph.save(tmp_path / "swig.svg")
    assert "<svg" in (tmp_path / "swig.svg").read_text(encoding="utf-8")
    assert "<svg" in graph._repr_svg_()


def test_expand_gives_plain_rules(ws: bzlgraph.Workspace) -> None:
    text = ws.expand("//tensorflow/python:pywrap_tensorflow_internal")
    assert 'name = "pywrap_tensorflow_internal"' in text
    assert "tf_py_wrap_cc" in text


def test_an_op_is_data_text_and_a_table(ws: bzlgraph.Workspace) -> None:
    found = ws.op("tf.nn.relu_layer")
    assert found.ops == ("Relu", "MatMul")
    assert json.loads(json.dumps(found.to_dict()))["ops"] == ["Relu", "MatMul"]
    assert "op Relu" in str(found)
    assert str(found).startswith(repr(found))
    frame = found.to_frame()
    assert set(frame[frame.op == "Relu"].device) == {"CPU", "GPU", "XLA"}
    assert frame.set_index("kernel_class").loc["ReluOp<GPUDevice, float>"].to_dict() == {
        "op": "Relu",
        "device": "GPU",
        "registered": "tensorflow/core/kernels/relu_op.cc:17",
        "compute": "tensorflow/core/kernels/relu_op.h:22",
        "targets": "//tensorflow/core/kernels:relu_op",
        "condition": "GOOGLE_CUDA",
    }
    assert "break tensorflow/core/kernels/relu_op.h:22" in found.gdb


def test_all_ops_are_a_table(ws: bzlgraph.Workspace) -> None:
    ops = ws.ops_table()
    assert list(ops.columns[:3]) == ["op", "api_names", "generated_name"]
    assert set(ops[ops.op == "Tanh"].api_names) == {"tf.math.tanh tf.tanh tf.raw_ops.Tanh"}
    compiled = ws.ops_table(supported_by="xla")
    assert list(compiled.op) == ["Abs", "Abs", "Relu", "Relu", "Tanh", "Tanh"]
    assert list(compiled[compiled.op == "Relu"].types) == ["T={float,half}", "T={float}"]
    with pytest.raises(bzlgraph.BzlgraphError, match="only xla"):
        ws.ops_table(supported_by="gpu")


def test_what_an_op_needs_depends_on_the_configuration(ws: bzlgraph.Workspace) -> None:
    everything, excluded_flags = (set(ws.op_needs("Relu", options).label) for options in ((), ("-c", "opt")))
    assert "//tensorflow/core/kernels:relu_op.cc" in excluded_flags < everything


@pytest.mark.parametrize(("name", "framework"), [("tf.nn.relu_layr", ""), ("torch.add", "pytorch")])
def test_what_is_no_op_is_an_error(ws: bzlgraph.Workspace, name: str, framework: str) -> None:
    with pytest.raises(bzlgraph.BzlgraphError, match=r"did you mean tf\.nn\.relu_layer|no sources of PyTorch"):
        ws.op(name, framework=framework)


@pytest.mark.parametrize("expression", ["deps(", "//no/such/package:all", "nonsense(//...)"])
def test_a_wrong_question_is_one_kind_of_error(ws: bzlgraph.Workspace, expression: str) -> None:
    with pytest.raises(bzlgraph.BzlgraphError):
        ws.query(expression)


def test_no_workspace_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(bzlgraph.BzlgraphError):
        bzlgraph.open(tmp_path, cache=False)


def test_the_public_names_are_few_and_all_there() -> None:
    assert len(bzlgraph.__all__) < 25
    assert [name for name in bzlgraph.__all__ if not hasattr(bzlgraph, name)] == []
