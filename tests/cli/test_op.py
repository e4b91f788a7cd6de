"""``bzlgraph op`` on small trees on disk."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bzlgraph.cli.main import cli
from tests.ops.tensorflow.small_tree import FILES, api_defs


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for path, text in {**FILES, **api_defs(), "WORKSPACE": ""}.items():
        place = tmp_path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return tmp_path


def run(tree: Path, *arguments: str) -> Result:
    return CliRunner().invoke(cli, ["-C", str(tree), "--no_cache", "op", *arguments])


def test_a_function_in_words(tree: Path) -> None:
    result = run(tree, "tf.nn.blur")
    assert result.exit_code == 0, result.output
    first, second, *_ = result.stdout.splitlines()
    assert first.split() == [
        *("tf.nn.blur", "tensorflow/python/ops/nn_ops.py:10", "nn_ops.blur_v2"), *("(exported", "by", "@tf_export)")
    ]  # fmt: skip
    assert second.split()[:3] == ["calls", "gen_nn_ops.blur2d", "tensorflow/python/ops/nn_ops.py:21"]
    assert "may also make" in result.stdout
    assert "Reshape" in result.stdout


def test_json_has_the_ops_nearest_first(tree: Path) -> None:
    result = run(tree, "tf.nn.blur", "--output=json")
    answer = json.loads(result.stdout)
    assert answer["schema"] == "bzlgraph.op/1"
    assert answer["ops"][0] == "Blur2D"
    assert "Reshape" in answer["ops"]
    assert answer["stories"][0]["gradients"][0]["ops"] == ["Blur2DBackprop"]


def test_a_wrong_name_gets_a_suggestion(tree: Path) -> None:
    result = run(tree, "tf.nn.blurr")
    assert result.exit_code == 7
    assert "did you mean tf.nn.blur" in result.stderr
    assert not result.stdout.strip()


def test_the_table_has_the_stable_columns(tree: Path) -> None:
    result = run(tree, "--table")
    header, *rows = result.stdout.splitlines()
    assert header.startswith(
        "op,api_names,generated_name,registered_file,registered_line,op_target,device,kernel_class,kernel_file,"
        "kernel_line,through,compute_file,compute_line,kernel_target,condition"
    )
    assert any(row.startswith("Sharpen,") for row in rows)


def test_breakpoints(tree: Path) -> None:
    result = run(tree, "Blur2D", "--gdb")
    assert result.exit_code == 0
    assert "# op Blur2D" in result.stdout
    assert "set breakpoint pending on" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "op needs a NAME"),
        (("A", "--table"), "take no NAME"),
        (("--supported-by=gpu",), "only xla is known"),
        (("A", "--output=csv"), "is for tables"),
        (("A", "--gdb", "--needs"), "goes with no other"),
        (("A", "--framework=pytorch"), "holds no sources of PyTorch"),
    ],
)
def test_wrong_uses_are_told(tree: Path, arguments: tuple[str, ...], message: str) -> None:
    result = CliRunner().invoke(cli, ["-C", str(tree), "op", *arguments])
    assert message in str(result.exception) or message in result.output


def test_a_tree_without_a_framework(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").write_text("")
    result = run(tmp_path, "tf.add")
    assert "holds no sources of TensorFlow or PyTorch or JAX" in str(result.exception)


def test_what_an_op_brings_along() -> None:
    """On the example, as the sources of the small tree have no packages."""
    example = Path(__file__).parent.parent.parent / "examples" / "mini_tensorflow"
    result = run(example, "Conv2D", "--needs")
    rows = [line.split() for line in result.stdout.splitlines()[1:]]
    assert rows[0][0] == "//tensorflow/core:nn_ops_op_lib"
    assert rows[0][-1] == "Conv2D"
    assert "//tensorflow/core/kernels:conv_ops.cc" in {row[0] for row in rows}


def test_the_example_from_the_api_to_the_kernel() -> None:
    example = Path(__file__).parent.parent.parent / "examples" / "mini_tensorflow"
    answer = json.loads(run(example, "tf.nn.conv2d", "--output=json").stdout)
    (story,) = answer["stories"]
    assert story["wrappers"][0]["label"] == "//tensorflow/python:gen_nn_ops"
    assert story["registrations"][0]["location"] == {"file": "tensorflow/core/ops/nn_ops.cc", "line": 6}
    assert {kernel["device"] for kernel in story["kernels"]} == {"CPU", "GPU"}
