"""The library as its users see it: `bzlgraph.open` and answers that are data, print and show themselves."""

from __future__ import annotations

import json
from pathlib import Path

import networkx
import pytest

import bzlgraph
from bzlgraph.cli.group import COMMANDS

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
    ops = ws.op_table()
    assert list(ops.columns[:3]) == ["op", "api_names", "generated_name"]
    assert set(ops[ops.op == "Tanh"].api_names) == {"tf.math.tanh tf.tanh tf.raw_ops.Tanh"}
    compiled = ws.op_table(supported_by="xla")
    assert list(compiled.op) == ["Abs", "Abs", "Relu", "Relu", "Tanh", "Tanh"]
    assert list(compiled[compiled.op == "Relu"].types) == ["T={float,half}", "T={float}"]
    with pytest.raises(bzlgraph.BzlgraphError, match="only xla"):
        ws.op_table(supported_by="gpu")


def test_what_an_op_needs_depends_on_the_configuration(ws: bzlgraph.Workspace) -> None:
    everything, excluded_flags = (set(ws.op_needs("Relu", options).label) for options in ((), ("-c", "opt")))
    assert "//tensorflow/core/kernels:relu_op.cc" in excluded_flags < everything
    part = ws.op_slice("Relu", ("-c", "opt"))
    assert set(part.label) < excluded_flags
    assert int(part.only.max()) == len(part)


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


def test_all_public_names_are_there_and_the_types_of_answers_are_among_them(ws: bzlgraph.Workspace) -> None:
    for name in bzlgraph.__all__:
        assert getattr(bzlgraph, name).__name__.lower() == name.lower()
    assert bzlgraph.__version__ == "0.1.0"
    answers = (
        ws.query("//third_party/py:all"),
        ws.why("@swig//:swig", from_=PIP_PACKAGE),
        ws.graph("//third_party/py:all"),
        ws.diff_config("//third_party/py:all", [], ["-c", "opt"]),
        ws.flags(),
        ws.flags("with_jemalloc"),
        ws.op("Conv2D"),
        ws.doctor("//third_party/py:all"),
    )
    for answer in answers:
        assert type(answer).__name__ in bzlgraph.__all__
        assert isinstance(answer.completeness, bzlgraph.Completeness)


def test_a_table_says_what_the_answer_lacks(ws: bzlgraph.Workspace) -> None:
    tables = (
        ws.query("deps(//tensorflow/core:lib)").to_frame(),
        ws.why("@swig//:swig", from_=PIP_PACKAGE).to_frame(),
        ws.graph("deps(//tensorflow/core:lib)").to_frame(),
        ws.select("deps(//tensorflow/core:lib)"),
        ws.deps("//tensorflow/core:lib"),
        ws.rdeps("//tensorflow/core:lib"),
        ws.op_table(),
        ws.op_needs("Conv2D"),
        ws.op("Conv2D").to_frame(),
        ws.flags("with_jemalloc").to_frame(),
        ws.flags().settings,
    )
    for table in tables:
        assert set(table.attrs) == {"problems", "gaps", "complete"}
        assert table.attrs["complete"] is not bool(table.attrs["problems"] or table.attrs["gaps"])
    assert not tables[0].attrs["complete"]
    assert tables[0].attrs["gaps"][0]["repository"]


def test_trees_have_the_direct_neighbours(ws: bzlgraph.Workspace) -> None:
    below = ws.deps("@swig//:swig", depth=1)
    assert set(below["above"].dropna()) == {"@swig//:swig"}
    assert set(below["label"]) <= set(ws.query("deps(@swig//:swig, 1)"))
    above = ws.rdeps("@swig//:swig", PIP_PACKAGE, depth=1)
    assert set(above["label"]) == set(ws.query(f"rdeps({PIP_PACKAGE}, @swig//:swig, 1)"))


def test_doctor_tells_what_is_missing(ws: bzlgraph.Workspace) -> None:
    health = ws.doctor()
    assert health.packages > 20
    missing = health.missing()
    assert "com_google_absl" in set(missing["name"])
    assert missing["give"][0][0].startswith("--")
    assert repr(health).startswith(f"<{health.packages} packages, all of them load; ")


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - {"parse", "starlark", "completion", "mod", "explore"}))
def test_what_the_command_line_answers_has_a_method_of_the_same_name(command: str) -> None:
    name = {"export": "export_dataset"}.get(command, command.replace("-", "_"))
    assert callable(getattr(bzlgraph.Workspace, name))
