"""Tables about ops: tests that call them, passes that name them, slices and needs."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from bzlgraph.cli.main import cli
from tests.cli.asking_op import EXAMPLE, run, written
from tests.written_files import write_files


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return written(tmp_path)


def test_what_an_op_brings_along() -> None:
    """On the example, as the sources of the small tree have no packages."""
    result = run(EXAMPLE, "Conv2D", "--needs")
    rows = [line.split() for line in result.stdout.splitlines()[1:]]
    assert rows[0][0] == "//tensorflow/core:nn_ops_op_lib"
    assert rows[0][-1] == "Conv2D"
    assert "//tensorflow/core/kernels:conv_ops.cc" in {row[0] for row in rows}


def test_a_slice_is_the_labels_that_build_an_op_and_what_each_weighs() -> None:
    labels = run(EXAMPLE, "Conv2D", "--slice").stdout.splitlines()
    assert labels[0] == "//tensorflow/core/kernels:conv_ops"
    assert "//tensorflow/core:nn_ops_op_lib" in labels
    assert "//tensorflow/core/kernels:mkl_conv_op" not in labels  # a special select builds it
    assert "//tensorflow/core/kernels:conv_ops.cc" in labels
    assert "//tensorflow:internal" not in labels  # a package group
    table = json.loads(run(EXAMPLE, "Conv2D", "--slice", "--output=json").stdout)
    rows = {row["label"]: row for row in table["rows"]}
    assert list(rows) == labels
    source = rows["//tensorflow/core/kernels:conv_ops.cc"]
    size = (EXAMPLE / source["place"]).stat().st_size
    assert (source["only"], source["bytes"], source["for"]) == (1, size, "")
    library = rows["//tensorflow/core/kernels:conv_ops"]
    assert library["only"] > 1
    assert library["bytes"] >= size
    assert library["for"] == "Conv2D"
    assert len(rows) < len(run(EXAMPLE, "Conv2D", "--needs").stdout.splitlines()) - 1


def test_a_slice_holds_no_lowering_of_xla_and_takes_a_configuration() -> None:
    assert "tf2xla" in run(EXAMPLE, "Abs", "--all").stdout
    labels = run(EXAMPLE, "Abs", "--slice").stdout.splitlines()
    assert labels
    assert not [label for label in labels if "tf2xla" in label]
    assert set(run(EXAMPLE, "Abs", "--slice", "-c", "opt").stdout.splitlines()) < set(labels)


PYTHON_TESTS = {
    "tensorflow/python/ops/nn_test.py": """\
import tensorflow as tf
from tensorflow.python.ops import gen_nn_ops
from tensorflow.python.ops import nn_ops as ops
from other.python import nn_ops

def test():
  ops.blur(x)
  ops.blur (x)
  gen_nn_ops.blur2d(x)
  tf.compat.v1.nn.blur_images(x)
  nn_ops.blur(x)
  tf.nn.blur
  x.ops.blur(x)
""",
    "tensorflow/python/ops/other_test.py": 'import tensorflow as tf\nraw = tf.raw_ops\nrun("it\'s", raw.Blur2D(x=1))\n',
    "tensorflow/python/ops/never_test.py": "import tensorflow as tf\nops.blur(1)\nmath.blur(1)\nx = 'tf.nn.blur(1)'\n"
    '# tf.nn.blur(1), tf.nn.blur\n"""\ntf.nn.blur(1)\n"""\ny = tf.nn.blur.name\n',
    "tensorflow/python/ops/passing_test.py": "import tensorflow as tf\n" + "compare(tf.nn.blur, tf.nn.blur, 1)\n",
    "tensorflow/python/ops/own_ops.py": "from tensorflow.python.ops import gen_nn_ops\n"
    "def blur2d(x, wide=None):\n  if wide:\n    x = wide\n  return gen_nn_ops.blur2d(x)\n",
    "tensorflow/python/ops/own_test.py": "from tensorflow.python.ops import own_ops\nown_ops.blur2d(x)\n",
    "tensorflow/core/nn_test.cc": '#include "tensorflow/core/graph/graph.h"\n'
    'Node n("x", "Blur2D"); Node m("y", "Blur2DGrad"); ops::Blur2D(s);',
    "tensorflow/core/nn.cc": 'Node n("x", "Blur2D");',
    "tensorflow/core/named_test.cc": '#include "tensorflow/core/graph/graph.h"\nbool a = name == "Blur2D";',
    "tensorflow/lite/blur_test.cc": '#include "tensorflow/lite/test_util.h"\nSetCustomOp("Blur2D");',
    "tensorflow/core/variable_test.cc": '#include "tensorflow/core/framework/op.h"\n'
    'constexpr char kBlurOp[] = "Blur2D"; Make(/*op_name=*/"Blur2D");',
    "tensorflow/python/ops/raw_test.py": "from tensorflow.python.ops import gen_nn_ops\ngen_nn_ops.Blur2D(x)\n",
    "tensorflow/python/ops/maybe_ops.py": """\
from tensorflow.python.ops import gen_nn_ops
from tensorflow.python.util.tf_export import tf_export

@tf_export("nn.maybe_blur")
def maybe_blur(x, wanted):
  if wanted:
    return gen_nn_ops.blur2d(x)
  return x

@tf_export("Blurrer")
class Blurrer(object):
  def __init__(self, x):
    self._x = gen_nn_ops.blur2d(x)
""",
    "tensorflow/python/ops/class_test.py": "from tensorflow.python.ops import \\\n    maybe_ops as m\n"
    "isinstance(x, m.Blurrer)\nm.Blurrer(x)\n",
    "tensorflow/python/ops/named_test.py": "import tensorflow as tf\nisinstance(x, tf.Blurrer)\n",
    "tensorflow/python/ops/maybe_test.py": "import tensorflow as tf\ntf.nn.maybe_blur(x, True)\n" * 2,
    "tensorflow/python/ops/BUILD": 'py_test(name = "nn_test", srcs = ["nn_test.py"])',
}


def test_tests_that_call_an_op(tree: Path) -> None:
    write_files(tree, PYTHON_TESTS)
    rows = json.loads(run(tree, "Blur2D", "--tests", "--output=json").stdout)["rows"]
    keys = ("first_line", "calls", "call", "how")
    assert [(row["file"].rpartition("/")[2], *(row[key] for key in keys)) for row in rows] == [
        ("nn_test.py", 7, 4, "ops.blur", "calls"),
        ("nn_test.cc", 2, 2, '"Blur2D"', "calls"),
        ("variable_test.cc", 2, 2, '"Blur2D"', "calls"),
        ("class_test.py", 4, 1, "m.Blurrer", "calls"),
        ("other_test.py", 3, 1, "raw.Blur2D", "calls"),
        ("own_test.py", 2, 1, "own_ops.blur2d", "calls"),
        ("raw_test.py", 2, 1, "gen_nn_ops.Blur2D", "calls"),
        ("maybe_test.py", 2, 2, "tf.nn.maybe_blur", "may call"),
        ("passing_test.py", 2, 2, "tf.nn.blur", "passes it on"),
    ]
    assert rows[0]["targets"] == "//tensorflow/python/ops:nn_test"
    assert {row["op"] for row in rows} == {"Blur2D"}
    assert run(tree, "tf.nn.blur", "--tests", "--output=csv").stdout.count("nn_test.py") == 1


PASSES = {
    "tensorflow/core/grappler/optimizers/blurrer.cc": """\
// A comment about "Blur2D".
/* Another one:
   "Blur2D", IsBlur2D(node) */
bool a = IsBlur2D(node) && !IsBlur2DGrad(node);
const char* b[] = {"https://blur", "Blur2D"};
""",
    "tensorflow/core/grappler/optimizers/blurrer_test.cc": 'Node n("Blur2D");',
    "tensorflow/core/grappler/optimizers/BUILD": 'cc_library(name = "blurrer", srcs = ["blurrer.cc"])\n',
    "tensorflow/core/common_runtime/mkl_layout_pass.cc": 'csinfo_.blur = "Blur2D";\n',
    "tensorflow/core/common_runtime/other_pass.cc": 'blur = "Blur2D";\n',
    "tensorflow/compiler/mlir/lite/legalize.td": "\ndef : Pat<(TF_Blur2DOp $x), (TFL_BlurOp $x)>;\ndef TF_Blur2DOpt;\n",
}


def test_passes_that_name_an_op(tree: Path) -> None:
    write_files(tree, PASSES)
    rows = json.loads(run(tree, "tf.nn.blur", "--mentions", "--output=json").stdout)["rows"]
    keys = ("op", "pass", "file", "first_line", "count", "mention")
    assert [tuple(row[key] for key in keys) for row in rows] == [
        ("Blur2D", "grappler", "tensorflow/core/grappler/optimizers/blurrer.cc", 4, 2, "IsBlur2D("),
        ("Blur2D", "oneDNN", "tensorflow/core/common_runtime/mkl_layout_pass.cc", 1, 1, '"Blur2D"'),
        ("Blur2D", "TFLite converter", "tensorflow/compiler/mlir/lite/legalize.td", 2, 1, "TF_Blur2DOp"),
    ]
    assert rows[0]["targets"] == "//tensorflow/core/grappler/optimizers:blurrer"
    in_table = {row["op"]: row for row in json.loads(run(tree, "--table", "--output=json").stdout)["rows"]}
    columns = ("grappler_passes", "onednn_rewrites", "tflite_converter")
    assert [in_table["Blur2D"][each] for each in columns] == [f"{row['file']}:{row['first_line']}" for row in rows]
    assert {in_table["Sharpen"][each] or "" for each in columns} == {""}


def test_a_function_of_grappler_that_is_about_something_else_names_no_op(tree: Path) -> None:
    folder = tree / "tensorflow" / "core" / "grappler"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "view.cc").write_text("bool a = IsBlur2D(&view);")
    assert run(tree, "Blur2D", "--mentions", "--output=csv").stdout.count("view.cc") == 1
    (folder / "op_types.h").write_text("bool IsSharpen(const NodeDef& node);")
    assert "view.cc" not in run(tree, "Blur2D", "--mentions", "--output=csv").stdout
    (folder / "op_types.h").write_text("bool IsBlur2D(const NodeDef& node);")
    assert run(tree, "Blur2D", "--mentions", "--output=csv").stdout.count("view.cc") == 1


def test_tests_that_depend_on_a_file_come_after_those_that_call() -> None:
    file = "tensorflow/core/kernels/conv_ops.cc"
    short = run(EXAMPLE, file, "--tests", "--output=json")
    calling = json.loads(short.stdout)["rows"]
    assert [(row["targets"], row["how"]) for row in calling] == [
        ("//tensorflow/python/kernel_tests:conv_ops_test", "calls")
    ]
    rows = json.loads(run(EXAMPLE, file, "--tests", "--all", "-k", "--output=json").stdout)["rows"]
    asked = ["-C", str(EXAMPLE), "--no_cache", "query", "-k", f"tests(rdeps(//..., {file}))"]
    queried = CliRunner().invoke(cli, asked).stdout.split()
    assert len(queried) > 3
    assert rows[: len(calling)] == calling
    assert [row["targets"] for row in rows[len(calling) :]] == queried
    below = run(EXAMPLE, file, "--tests", "--all", "-k", "--from=//tensorflow/python/...", "--output=json")
    wanted = [each for each in queried if each.startswith("//tensorflow/python")]
    assert [row["targets"] for row in json.loads(below.stdout)["rows"] if row["how"] != "calls"] == wanted
