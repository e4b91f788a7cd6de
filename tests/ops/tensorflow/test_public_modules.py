"""Which generated functions are public: those of modules that importing TensorFlow imports."""

from pathlib import Path

import pytest

from bzlgraph.loading.loader import Loader
from bzlgraph.ops.python.tree import PythonTree
from bzlgraph.ops.tensorflow.python.public_modules import PublicOps
from bzlgraph.ops.tensorflow.tracer import TensorflowTracer, open_tracer
from bzlgraph.workspace.sources.source import MemorySource
from bzlgraph.workspace.workspace import open_workspace
from tests.written_files import write_files

PYTHON = "tensorflow/python"


def _generator(name: str, *libraries: str) -> str:
    return (
        f'cc_binary(name = "gen_{name}_cc", deps = {[*libraries]!r} + select({{"//conditions:default": []}}))\n'
        f'genrule(name = "{name}_pygenrule", outs = ["ops/gen_{name}.py"], cmd = "x", tools = [":gen_{name}_cc"])\n'
    )


FILES = {
    "WORKSPACE": "",
    "tensorflow/core/public/version.h": "#define TF_MAJOR_VERSION 2\n",
    "tensorflow/core/ops/BUILD": """
cc_library(name = "blur_ops_op_lib", srcs = ["blur_ops.cc"], deps = [":wide_op_lib"])
cc_library(name = "wide_op_lib", srcs = ["wide_op.cc"])
cc_library(name = "old_ops_op_lib", srcs = ["old_ops.cc"])
cc_library(name = "late_ops_op_lib", srcs = ["late_ops.cc"])
cc_library(name = "bare_ops_op_lib", srcs = ["bare_ops.cc"])
""",
    "tensorflow/core/BUILD": """
alias(name = "blur_ops_op_lib", actual = "//tensorflow/core/ops:blur_ops_op_lib")
cc_library(name = "framework", srcs = ["framework.cc"], deps = ["//tensorflow/core/ops:old_ops_op_lib"])
""",
    "tensorflow/core/framework.cc": "int version() { return 2; }\n",
    "tensorflow/core/ops/blur_ops.cc": 'REGISTER_OP("Blur");\n',
    "tensorflow/core/ops/wide_op.cc": 'REGISTER_OP("Wide");\n',
    "tensorflow/core/ops/old_ops.cc": 'REGISTER_OP("Old");\n',
    "tensorflow/core/ops/late_ops.cc": 'REGISTER_OP("Late");\n',
    "tensorflow/core/ops/bare_ops.cc": 'REGISTER_OP("Bare");\n',
    f"{PYTHON}/BUILD": _generator("blur_ops", "//tensorflow/core:blur_ops_op_lib", "//tensorflow/core:framework")
    + _generator("old_ops", "//tensorflow/core/ops:old_ops_op_lib")
    + _generator("late_ops", "//tensorflow/core/ops:late_ops_op_lib"),
    "tensorflow/extra/BUILD": 'cc_library(name = "blur_ops_op_lib", srcs = ["ops/blur_ops.cc"])\n'
    + _generator("blur_ops", ":blur_ops_op_lib"),
    "tensorflow/extra/ops/blur_ops.cc": 'REGISTER_OP("Blot");\n',
    "tensorflow/extra/blot.py": "from tensorflow.extra.ops import gen_blur_ops\n",
    f"{PYTHON}/__init__.py": "from tensorflow.python.ops import (\n    blur,\n    bare as _bare)\n",
    f"{PYTHON}/ops/__init__.py": "",
    f"{PYTHON}/ops/blur.py": "from tensorflow.python.ops import gen_blur_ops as gen\n\ndef f():\n"
    "  from tensorflow.python.ops import gen_late_ops\n",
    f"{PYTHON}/ops/bare.py": "from tensorflow.python.ops.gen_bare_ops import *\n",
    f"{PYTHON}/ops/old.py": "from tensorflow.python.ops import gen_old_ops\n",
    **{
        f"tensorflow/core/api_def/base_api/api_def_{op}.pbtxt": f'op {{ graph_op_name: "{op}" }}'
        for op in ("Blur", "Wide", "Old", "Late", "Bare", "Unregistered")
    },
}


@pytest.fixture
def tracer(tmp_path: Path) -> TensorflowTracer:
    write_files(tmp_path, FILES)
    return open_tracer(Loader(open_workspace(tmp_path)), None)


@pytest.mark.parametrize("op", ["Blur", "Wide", "Bare", "Unregistered"])
def test_what_a_public_module_has_a_function_of_is_public(tracer: TensorflowTracer, op: str) -> None:
    """``Wide`` is in the library behind the one that the program names, ``Bare`` in a module that no rule writes."""
    assert {each.name for each in tracer.side.exports.of_op(op)} == {f"tf.{op.lower()}", f"tf.raw_ops.{op}"}
    assert tracer.explain(f"tf.raw_ops.{op}").found
    (found,) = tracer.side.exports.find(f"tf.raw_ops.{op}")
    module = {"Bare": "bare_ops", "Unregistered": ""}.get(op, "blur_ops")
    assert found.symbol.path == (f"tensorflow.python.ops.gen_{module}" if module else "gen_ops")


@pytest.mark.parametrize(("tools", "wide"), [("exec_tools", True), ("srcs", False)])
def test_a_program_may_be_named_in_another_way(tmp_path: Path, tools: str, wide: bool) -> None:
    """Where nobody knows what writes a module, it has the ops of the file that it is named after."""
    for path, text in FILES.items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace(" tools =", f" {tools} =") if path.startswith(PYTHON) else text)
    exports = open_tracer(Loader(open_workspace(tmp_path)), None).side.exports
    assert [bool(exports.find(f"tf.raw_ops.{op}")) for op in ("Blur", "Wide", "Old")] == [True, wide, False]


@pytest.mark.parametrize("op", ["Old", "Late"])
def test_what_no_public_module_imports_has_no_public_name(tracer: TensorflowTracer, op: str) -> None:
    """``gen_old_ops`` is imported by a module that nobody imports, ``gen_late_ops`` inside a function; libraries that
    register nothing are not gone into for ``Old``."""
    assert tracer.side.exports.of_op(op) == []
    assert not tracer.explain(f"tf.raw_ops.{op}").found
    (story,) = tracer.explain(op).stories
    assert story.generated_name == op.lower()


def test_a_module_of_another_package_has_the_functions_of_its_ops(tracer: TensorflowTracer) -> None:
    """Not the module of the same name that has other ops."""
    for word in ("Blot", "gen_blur_ops.blot"):
        (story,) = tracer.explain(word).stories
        assert [each.label for each in story.wrappers] == ["//tensorflow/extra:blur_ops_pygenrule"]
    symbol = tracer.explain("gen_blur_ops.blot").symbol
    assert symbol is not None
    assert symbol.location.path == "tensorflow/extra/ops/gen_blur_ops.py"
    (story,) = tracer.explain("Blur").stories
    assert [each.label for each in story.wrappers] == ["//tensorflow/python:blur_ops_pygenrule"]


def test_without_any_generated_module_all_are_taken_for_public() -> None:
    tree = PythonTree(MemorySource({f"{PYTHON}/__init__.py": b"import os\n"}))
    assert PublicOps(tree, lambda module: None, lambda op: "blur_ops.cc").has("Blur")
