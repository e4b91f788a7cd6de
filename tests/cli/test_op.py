"""``bzlgraph op`` on small trees on disk."""

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


def test_a_function_in_words(tree: Path) -> None:
    result = run(tree, "tf.nn.blur")
    assert result.exit_code == 0, result.output
    first, second, *_ = result.stdout.splitlines()
    assert first.split() == [
        *("tf.nn.blur", "tensorflow/python/ops/nn_ops.py:10", "nn_ops.blur_v2"), *("(exported", "by", "@tf_export)")
    ]  # fmt: skip
    assert second.split()[:3] == ["calls", "gen_nn_ops.blur2d", "tensorflow/python/ops/nn_ops.py:21"]
    assert "may also create" in result.stdout
    assert "Reshape" in result.stdout


def test_what_is_only_possible_is_told_apart(tree: Path) -> None:
    path = tree / "tensorflow/python/ops/nn_ops.py"
    described = 'def times(x, n):\n  """Scales.\n\n  Args:\n    x: A `Tensor`.\n    n: An int or a `Tensor`.\n  """\n'
    path.write_text(f"{path.read_text()}\n{described}  return gen_nn_ops.sharpen(x), n * 2\n")
    text = run(tree, "nn_ops.times").stdout
    assert " possible, not known" in text
    assert "Mul if n is a tensor  (--all shows where)" in text
    assert "possible: Mul" in run(tree, "nn_ops.times", "--all").stdout
    answer = json.loads(run(tree, "nn_ops.times", "--output=json").stdout)
    assert answer["ops"] == ["Sharpen", "Const"]
    assert {use["op"]: use["possible"] for use in answer["uses"]} == {"Sharpen": False, "Const": False, "Mul": True}
    (condition,) = answer["uses"][-1]["conditions"]
    assert (condition["kind"], condition["test"], condition["function"]) == ("if", "n is a tensor", "nn_ops.times")
    rows = run(tree, "nn_ops.times", "--output=csv").stdout.splitlines()
    told = "if n is a tensor in nn_ops.times"
    assert [row.split(",")[1:3] for row in rows if row.endswith(told)] == [["Mul", "possible use"]]


def test_json_has_the_ops_nearest_first(tree: Path) -> None:
    result = run(tree, "tf.nn.blur", "--output=json")
    answer = json.loads(result.stdout)
    assert answer["schema"] == "bzlgraph.op/1"
    assert answer["ops"][0] == "Blur2D"
    assert "Reshape" in answer["ops"]
    assert answer["stories"][0]["gradients"][0]["ops"] == ["Blur2DBackprop"]


def test_a_gradient_goes_on_to_the_kernels_of_its_ops() -> None:
    lines = [line.split() for line in run(EXAMPLE, "Relu").stdout.splitlines()]
    gradient = next(place for place, words in enumerate(lines) if words[0] == "gradient")
    assert lines[gradient + 1][:3] == ["CPU", "ReluGrad", "tensorflow/core/kernels/relu_op.h:41"]
    rows = json.loads(run(EXAMPLE, "Relu", "--output=jsonl").stdout.splitlines()[0])
    assert rows["asked"] == "Relu"
    table = run(EXAMPLE, "Relu", "--output=csv").stdout.splitlines()
    assert [row for row in table if ',gradient kernel,"ReluGrad CPU' in row]


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
        "kernel_line,through,compute_file,compute_line,kernel_target,condition,types,device_files,gradients,"
        "grappler_passes,onednn_rewrites,tflite_converter,tflite_kernels,tests,first_test,wrapper_target,"
        "shape_function,compute_class"
    )
    assert any(row.startswith("Sharpen,") for row in rows)


def table_rows(tree: Path, *more: str) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = json.loads(run(tree, "--table", "--output=json", *more).stdout)["rows"]
    return rows


def test_the_table_counts_the_tests_that_call_an_op_and_has_the_first() -> None:
    in_table = {row["op"]: (row["tests"], row["first_test"]) for row in table_rows(EXAMPLE)}
    assert in_table["Tanh"] == (0, None)
    for op in sorted({str(op) for op, (tests, _first) in in_table.items() if tests}):
        rows = json.loads(run(EXAMPLE, op, "--tests", "--output=json").stdout)["rows"]
        assert in_table[op] == (len(rows), f"{rows[0]['file']}:{rows[0]['first_line']}")
    assert in_table["Conv2D"] == (1, "tensorflow/python/kernel_tests/conv_ops_test.py:4")


def test_a_function_that_makes_several_ops_counts_for_each(tree: Path) -> None:
    test = tree / "tensorflow" / "python" / "kernel_tests" / "blur_test.py"
    test.parent.mkdir(parents=True, exist_ok=True)
    test.write_text("from tensorflow.python.ops import nn_ops\nnn_ops.both(image)\n")
    body = "  if wide:\n    x = gen_nn_ops.sharpen(x)\n  return gen_nn_ops.blur2d(x)\n"
    nn_ops = tree / "tensorflow" / "python" / "ops" / "nn_ops.py"
    nn_ops.write_text(f"{nn_ops.read_text()}\n\n@tf_export('nn.both')\ndef both(x, wide):\n{body}")
    in_table = {row["op"]: (row["tests"], row["first_test"]) for row in table_rows(tree)}
    called = (1, "tensorflow/python/kernel_tests/blur_test.py:2")
    assert {op for op, tested in in_table.items() if tested == called} == {"Blur2D", "Sharpen"}
    rows = json.loads(run(tree, "Blur2D", "Sharpen", "--tests", "--output=json").stdout)["rows"]
    assert [(row["op"], row["how"]) for row in rows] == [("Blur2D", "calls"), ("Sharpen", "may call")]


def test_the_table_has_what_the_text_says_of_wrapper_shape_and_class() -> None:
    row = next(row for row in table_rows(EXAMPLE) if row["op"] == "Relu")
    assert (row["wrapper_target"], row["compute_class"]) == (
        "//tensorflow/python:gen_nn_ops",
        "UnaryElementWiseOp",
    )
    text = run(EXAMPLE, "Conv2D").stdout
    shapes = {row["shape_function"] for row in table_rows(EXAMPLE) if row["op"] == "Conv2D"}
    assert f"shape function {shapes.pop()}" in text


def test_the_table_says_which_shared_object_carries_a_kernel() -> None:
    rows = {row["op"]: row["shared_object"] for row in table_rows(EXAMPLE, "--why")}
    assert rows["Conv2D"] == "//tensorflow/python:_pywrap_tensorflow_internal.so"
    assert rows["ZeroOut"] is None
    assert "shared_object" not in table_rows(EXAMPLE)[0]
    other = {row["shared_object"] for row in table_rows(EXAMPLE, "--why", "--from=//tensorflow/core:ops")}
    assert other == {None}


CUSTOM_TREE = {
    "WORKSPACE": "",
    "pkg/BUILD": 'genrule(name = "gen_py", outs = ["gen_blend_ops.py"], cmd = "true")\n'
    'cc_library(name = "blend", srcs = ["blend.cc"])\npy_test(name = "blend_test", srcs = ["blend_test.py"])\n',
    "pkg/blend.cc": 'REGISTER_OP("Blend");\nREGISTER_KERNEL_BUILDER(Name("Blend").Device(DEVICE_CPU), BlendOp);\n',
    "pkg/blend.py": "from pkg import gen_blend_ops\n\ndef blend(x):\n  return gen_blend_ops.blend(x)\n",
    "pkg/blend_test.py": "from pkg import blend\nblend.blend(1)\n",
}


def test_a_generated_module_of_custom_ops_is_where_it_is_imported(tmp_path: Path) -> None:
    for path, text in CUSTOM_TREE.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    symbol = json.loads(run(tmp_path, "gen_blend_ops.blend", "--output=json").stdout)["symbol"]
    assert symbol["location"]["file"] == "pkg/gen_blend_ops.py"
    assert symbol["how"] == "generated by the build"
    (tmp_path / "pkg" / "BUILD").write_text("")
    symbol = json.loads(run(tmp_path, "gen_blend_ops.blend", "--output=json").stdout)["symbol"]
    assert symbol["how"] == "generated by TensorFlow when the op's library is loaded"


def test_that_tests_of_custom_ops_are_not_searched_is_said(tmp_path: Path) -> None:
    for path, text in CUSTOM_TREE.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    assert "searched in TensorFlow's own tree only" in run(tmp_path, "Blend", "--tests").stderr
    assert [row["tests"] for row in table_rows(tmp_path)] == [None]
    assert "searched" not in run(EXAMPLE, "Conv2D", "--tests").stderr


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
        (("A", "--gdb", "--output=csv"), "prints a script"),
        (("A", "--gdb", "--needs"), "cannot be combined"),
        (("--tests",), "op needs a NAME"),
        (("A", "--framework=pytorch"), "has no sources of PyTorch"),
    ],
)
def test_wrong_uses_are_told(tree: Path, arguments: tuple[str, ...], message: str) -> None:
    result = CliRunner().invoke(cli, ["-C", str(tree), "op", *arguments])
    assert message in str(result.exception) or message in result.output


def test_a_tree_without_a_framework(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").write_text("")
    result = run(tmp_path, "tf.add")
    assert "has no sources of TensorFlow, PyTorch or JAX" in str(result.exception)


WRITTEN = {
    "tensorflow/python/testing/__init__.py": "",
    "tensorflow/python/testing/BUILD": (
        'cc_library(name = "kernels", srcs = ["own_ops.cc"])\ncc_binary(name = "writer", deps = [":kernels"])\n'
        'genrule(name = "written", outs = ["own_ops.py"], tools = [":writer"], cmd = "")\n'
        'py_test(name = "own_test", srcs = ["own_test.py"])\n'
    ),
    "tensorflow/python/testing/own_ops.cc": 'REGISTER_OP("OnlyTested");\n',
    "tensorflow/python/testing/own_test.py": (
        "from tensorflow.python.testing import own_ops, other_ops\nown_ops.only_tested()\nother_ops.only_tested()\n"
    ),
}


def test_a_generated_module_may_have_any_name(tree: Path) -> None:
    """As ``test_ops`` of TensorFlow, whose functions its tests call: a rule says what writes it."""
    write_files(tree, WRITTEN)
    (row,) = json.loads(run(tree, "OnlyTested", "--tests", "--output=json").stdout)["rows"]
    assert (row["targets"], row["first_line"], row["calls"]) == ("//tensorflow/python/testing:own_test", 2, 1)
    assert "//tensorflow/python/testing:written" in run(tree, "tensorflow.python.testing.own_ops.only_tested").stdout


def test_what_bundles_a_kernel_s_files_is_not_brought_along() -> None:
    example = Path(__file__).parent.parent.parent / "examples" / "mini_tensorflow"
    assert "_lstm_ops.so" in run(example, "LSTMBlockCell", "--all").stdout
    result = run(example, "LSTMBlockCell", "--needs")
    assert [line.split()[0] for line in result.stdout.splitlines() if line.endswith(" LSTMBlockCell")] == [
        "//tensorflow/contrib/rnn:lstm_ops_kernels",
        "//tensorflow/contrib/rnn:lstm_ops_op_lib",
    ]


def test_the_example_from_the_api_to_the_kernel() -> None:
    answer = json.loads(run(EXAMPLE, "tf.nn.conv2d", "--output=json").stdout)
    (story,) = answer["stories"]
    assert story["wrappers"][0]["label"] == "//tensorflow/python:gen_nn_ops"
    assert story["registrations"][0]["location"] == {"file": "tensorflow/core/ops/nn_ops.cc", "line": 6}
    assert {kernel["device"] for kernel in story["kernels"]} == {"CPU", "GPU"}


def test_the_way_from_the_package_to_each_target_of_an_op() -> None:
    result = run(EXAMPLE, "Conv2D", "--why")
    assert result.exit_code == 0, result.output
    headings = [line for line in result.stdout.splitlines() if line.startswith(" built into")]
    assert headings == [
        " built into build_pip_package through 8 edges: //tensorflow/core:nn_ops_op_lib",
        " built into build_pip_package through 11 edges: //tensorflow/core/kernels:conv_ops",
        " built into build_pip_package through 10 edges: //tensorflow/core/kernels:mkl_conv_op",
    ]
    assert "deps  //tensorflow/core/kernels:nn " in result.stdout
    carried = "//tensorflow/python:_pywrap_tensorflow_internal.so"
    assert result.stdout.count(f"\n  in the shared object {carried}\n") == 3
    answer = json.loads(run(EXAMPLE, "Conv2D", "--why", "--output=json").stdout)["answers"][0]
    assert {path["shared_object"] for path in answer["paths"]} == {carried}
    rows = json.loads(run(EXAMPLE, "Conv2D", "--why", "--output=json", "--from=//tensorflow/core:ops").stdout)
    assert {path["shared_object"] for path in rows["answers"][0]["paths"]} == {None}


def test_what_is_not_built_in_is_said() -> None:
    result = run(EXAMPLE, "ZeroOut", "--why", "--from", "//tensorflow/core:ops")
    target = "//tensorflow/examples/adding_an_op:zero_out_op_kernel_1.so"
    assert f" not built into //tensorflow/core:ops: {target}" in result.stdout


def test_a_tree_without_the_usual_package_asks_for_one(tree: Path) -> None:
    result = run(tree, "tf.nn.blur", "--why")
    assert result.exit_code != 0
    assert "--from" in str(result.exception.diagnostics[0].hint)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("op", "kernels"),
    [
        ("Conv2D", {("CPU", "REGISTER_CPU", "conv_ops.cc:11"), ("GPU", "", "conv_ops.cc:11"), ("CPU", "", "")}),
        ("Abs", {
            ("CPU", "REGISTER3 > REGISTER", "cwise_ops.h:26"),
            ("CPU", "REGISTER3 > REGISTER2 > REGISTER", "cwise_ops.h:26"),
            ("XLA", "XLAJIT_MAKE_UNARY", "relu_op.cc:18"),
        }),
        ("MatrixInverse", {("CPU", "REGISTER_LINALG_OP > REGISTER_LINALG_OP_CPU", "matmul_op.cc:27")}),
        ("LSTMBlockCell", {
            ("CPU", "TF_CALL_half > REGISTER_KERNEL", "lstm_ops.cc:10"),
            ("CPU", "TF_CALL_float > REGISTER_KERNEL", "lstm_ops.cc:10"),
        }),
        ("ReluGrad", {
            ("CPU", f"TF_CALL_REAL_NUMBER_TYPES > TF_CALL_{name} > REGISTER_RELU_KERNELS", "relu_op.h:41")
            for name in ("half", "float", "double")
        }),
    ],
)  # fmt: skip
def test_the_example_has_every_form_of_registration(op: str, kernels: set[tuple[str, str, str]]) -> None:
    example = Path(__file__).parent.parent.parent / "examples" / "mini_tensorflow"
    (story,) = json.loads(run(example, op, "--output=json").stdout)["stories"]
    computes = [each["compute"] or {"file": "", "line": ""} for each in story["kernels"]]
    places = [f"{each['file'].rpartition('/')[2]}:{each['line']}".removeprefix(":") for each in computes]
    found = [(each["device"], " > ".join(each["through"])) for each in story["kernels"]]
    assert {(*pair, place) for pair, place in zip(found, places, strict=True)} == kernels


def test_the_example_has_old_hidden_and_contrib_names() -> None:
    example = Path(__file__).parent.parent.parent / "examples" / "mini_tensorflow"
    tanh = next(line.split() for line in run(example, "tf.tanh").stdout.splitlines() if line.startswith("tf.tanh"))
    assert tanh[1] == "tensorflow/core/api_def/base_api/api_def_Tanh.pbtxt"
    assert "tf.abs (v1, deprecated)" in run(example, "Abs").stdout
    assert "op LSTMBlockCell" in run(example, "tf.contrib.rnn.lstm_block_cell").stdout


def test_a_file_that_cannot_be_read_is_a_gap_of_the_table(tree: Path) -> None:
    (tree / "tensorflow" / "core" / "broken.cc").write_bytes(b"REGISTER_OP" + bytes(99))
    result = run(tree, "--table")
    assert result.exit_code == 0
    assert "broken.cc" in result.stderr
    assert "\nSharpen," in result.stdout


@pytest.mark.parametrize("arguments", [["Blur2D"], ["Blur2D", "--output", "json"], ["--table"]])
def test_a_broken_build_file_of_a_kernel_is_told_of(tree: Path, arguments: list[str]) -> None:
    kernels = tree / "tensorflow/core/kernels"
    kernels.mkdir(parents=True)
    (kernels / "blur.cc").write_text('REGISTER_KERNEL_BUILDER(Name("Blur2D").Device(DEVICE_CPU), Blur);\n')
    (kernels / "BUILD").write_text('cc_library(name = "early")\ncc_library(name = "blur", srcs = ["blur.cc"]\n')
    result = run(tree, *arguments)
    assert "tensorflow/core/kernels/BUILD:2:11: error:" in result.stderr
    assert "package //tensorflow/core/kernels is broken" in result.stderr
    if "json" in arguments:
        answer = json.loads(result.stdout)
        assert answer["problems"][0]["location"]["path"] == "tensorflow/core/kernels/BUILD"
        assert "package" in [gap["kind"] for gap in answer["gaps"]]
        assert not answer["complete"]


CUSTOM = EXAMPLE.parent / "custom_ops"


@pytest.mark.parametrize("word", ["smooth::smooth", "smooth", "torch.ops.smooth.smooth"])
def test_an_operator_of_a_torch_extension_by_each_of_its_names(word: str) -> None:
    said = run(CUSTOM / "torch_extension", word)
    assert said.exit_code == 0
    assert "smooth::smooth_cpu at smooth_kernels.cpp:5" in said.stdout


def test_the_file_that_does_the_work_of_a_binding_leads_to_it() -> None:
    said = run(CUSTOM / "torch_extension", "smooth_kernels.cpp").stdout
    assert {"torch.ops.smooth.smooth", "_smooth.widest"} <= set(said.split())
    assert "ClipToUnit" in run(CUSTOM / "tensorflow_op", "clip_kernels.cc").stdout, "a file at the top of the tree"


def test_what_a_function_of_python_uses_of_a_binding(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "x.cpp").write_text('PYBIND11_MODULE(_x, m) {\n m.def("a", &a);\n m.def("b", &b);\n}\n')
    (tmp_path / "use.py").write_text(
        "import _x as fast\ndef inner(): return fast.a()\ndef outer(): return inner()\n"
        "class Layer:\n  def call(self): return self.more()\n  def more(self): return fast.b()\n"
        "def nothing(): return len(fast.__doc__)\n"
    )
    found = {word: run(tmp_path, f"use.py:{word}") for word in ("outer", "Layer.call", "Layer", "nothing", "gone")}
    names = {word: [name for name in ("_x.a", "_x.b") if name in said.stdout] for word, said in found.items()}
    assert names == {"outer": ["_x.a"], "Layer.call": ["_x.b"], "Layer": ["_x.b"], "nothing": [], "gone": []}
    assert [found[word].exit_code for word in ("outer", "nothing", "gone")] == [0, 0, 7]
    assert "not followed: methods of values" in found["nothing"].stdout


def test_a_slice_of_an_extension() -> None:
    labels = run(CUSTOM / "torch_extension", "smooth::smooth", "--slice").stdout.splitlines()
    assert labels[0] == "//:_smooth.so"
    assert {"//:kernels", "//:smooth_kernels.cpp"} < set(labels)
