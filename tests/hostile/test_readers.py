"""Readers of what is no Starlark, and searches in texts that others chose: each attempt is one file of a framework's
tree, or an expression. It ends in time, and says what is not known for that; the other files are read."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from tests.hostile.attack import assert_held, run, write

MB = 1 << 20
YAML = "aten/src/ATen/native/native_functions.yaml"
DERIVATIVES = "tools/autograd/derivatives.yaml"
PYTORCH = {
    "BUILD": "",
    "torch/__init__.py": "",
    YAML: "- func: relu(Tensor self) -> Tensor\n  dispatch:\n    CPU: relu\n",
    DERIVATIVES: "- name: relu(Tensor self) -> Tensor\n  self: x\n",
}
GOOD = PYTORCH[YAML]
OPS, KERNELS, PYTHON = "tensorflow/core/ops/", "tensorflow/core/kernels/", "tensorflow/python/ops/"
KERNEL = 'REGISTER_KERNEL_BUILDER(Name("Add").Device(DEVICE_CPU), AddOp);\n'
API = "tensorflow/core/api_def/base_api/api_def_Add.pbtxt"
TENSORFLOW = {
    "BUILD": "",
    "tensorflow/core/framework/op.h": "",
    f"{PYTHON}math_ops.py": "",
    f"{OPS}math_ops.cc": 'REGISTER_OP("Add").Input("x: T").Output("z: T");\n',
    f"{KERNELS}add.cc": KERNEL,
}
Text = str | bytes | Callable[[], str | bytes]
TOO_DEEP = r"nested deeper|exceeded maximum nesting depth"
"""Our words, and those of PyYAML from 6.0.4 on, which counts brackets before anybody sees them."""
YAMLS: dict[str, tuple[Text, str]] = {
    "100,000 brackets": (lambda: "[" * 100_000, TOO_DEEP),
    "100,000 braces": (lambda: "{" * 100_000, f"a list was expected|{TOO_DEEP}"),
    "100,000 dashes": (lambda: "- " * 100_000, "nested deeper"),
    "100,000 question marks": (lambda: "? " * 100_000, "a list was expected"),
    "2,500 levels of blocks": (lambda: "".join(" " * each + "-\n" for each in range(2_500)), "nested deeper"),
    "60 MB of items": (lambda: "- a\n" * (15 * MB), "larger than 4 MB"),
    "a million items": (lambda: "- a\n" * (MB - 1), "more, or nested deeper"),
    "a text of 60 MB": (lambda: "x" * (60 * MB), "larger than 4 MB"),
    "more than a file may hold": (lambda: "x" * (65 * MB), "larger than 64 MB"),
    "aliases that double 60 times": (
        lambda: "- &a0 [x]\n" + "".join(f"- &a{each} [*a{each - 1}, *a{each - 1}]\n" for each in range(1, 60)) + GOOD,
        "",
    ),
    "an alias of itself": ("- &a [*a]\n- &b {func: *b, dispatch: *b, tags: [*b]}\n" + GOOD, ""),
    "keys that are no texts": ("- {<<: {x: 1}, func: [1], 3: 4, [a]: b, {a: b}: c}\n" + GOOD, ""),
    "values of other types": ("- {tags: [[a], {b: c}], func: 'relu(a)', dispatch: [x]}\n" + GOOD, ""),
    "tags of Python": ("- !!python/object/apply:os.system [echo]\n- !!int x\n- !!map x\n" + GOOD, ""),
    "an alias of nothing": ("- *a\n", "no anchor"),
    "no text": (b"\xff\xfe\0\0", "not valid YAML"),
    "a NUL": ("- a: \0\n", "not valid YAML"),
    "a signature that one may read in many ways": (lambda: f"- func: 'relu({'*(a!' * 50_000}'\n" + GOOD, ""),
}


def _write(root: Path, files: dict[str, Text]) -> None:
    write(root, {path: text() if callable(text) else text for path, text in files.items()})


@pytest.mark.parametrize("name", YAMLS)
def test_yaml(tmp_path: Path, name: str) -> None:
    text, said = YAMLS[name]
    _write(tmp_path / "tree", {**PYTORCH, YAML: text})
    ended = run(tmp_path / "tree", "op", "relu")
    assert_held(ended)
    assert re.search(said, ended.err)
    assert "relu" in ended.out or said


def test_yaml_of_derivatives(tmp_path: Path) -> None:
    _write(tmp_path / "tree", {**PYTORCH, DERIVATIVES: lambda: "[" * 100_000})
    ended = run(tmp_path / "tree", "op", "relu")
    assert_held(ended)
    assert re.search(TOO_DEEP, ended.err)
    assert "relu" in ended.out


def _doubling(count: int) -> str:
    last = f'#define A{count}(x) REGISTER_KERNEL_BUILDER(Name("Add").Device(DEVICE_CPU), x)\n'
    return "".join(f"#define A{each}(x) A{each + 1}(x) A{each + 1}(x)\n" for each in range(count)) + last


def _chain(count: int, last: str) -> str:
    """Macros that each call the next."""
    calls = "".join(f"#define A{each}(x) A{each + 1}(x)\n" for each in range(count))
    return f"{calls}#define A{count}(x) {last}\n"


def _named(op: int, kernel: str) -> str:
    return f'REGISTER_KERNEL_BUILDER(Name("A{op}"), {kernel});\n'


SOURCES: dict[str, tuple[str, Text, str]] = {
    "50,000 #if around a kernel": (f"{KERNELS}evil.cc", lambda: "#if A\n" * 50_000 + KERNEL, ""),
    "50,000 #elif around a kernel": (f"{KERNELS}evil.cc", lambda: "#if A\n" + "#elif A\n" * 50_000 + KERNEL, ""),
    "50,000 registrations that are not closed": (
        f"{KERNELS}evil.cc",
        lambda: 'REGISTER_KERNEL_BUILDER(Name("Add")' * 50_000,
        "not known",
    ),
    "50,000 calls of a macro that are not closed": (
        f"{KERNELS}evil.cc",
        lambda: "#define R(x) REGISTER_KERNEL_BUILDER(x)\n" + "R(" * 50_000,
        "not known",
    ),
    "a macro that is called 10,000 times": (
        f"{KERNELS}evil.cc",
        lambda: '#define F(x) REGISTER_KERNEL_BUILDER(Name("Add").Device(x), B);\n' + "F(DEVICE_CPU)\n" * 10_000,
        "",
    ),
    "1,000 expansions that double 60 times": (
        f"{KERNELS}evil.cc",
        lambda: _doubling(60) + "A0(B)\n" * 1_000,
        "not known",
    ),
    "100,000 ops that are not closed": (f"{OPS}evil.cc", lambda: "REGISTER_OP(" * 100_000, "not known"),
    "brackets behind a kernel": (f"{KERNELS}evil.cc", lambda: KERNEL + "({[" * 60_000, ""),
    "50,000 registrations of an op": (
        f"{OPS}evil.cc",
        lambda: "".join(f'REGISTER_OP("A{each}").Input("x: T");\n' for each in range(50_000)),
        "",
    ),
    "20,000 kernels of classes that nothing defines": (
        f"{KERNELS}evil.cc",
        lambda: "".join(f'REGISTER_KERNEL_BUILDER(Name("A{each}"), Op{each});\n' for each in range(20_000)),
        "",
    ),
    "20,000 methods outside of classes": (
        f"{KERNELS}evil.cc",
        lambda: "".join(f"{_named(each, f'Op{each}')}void Op{each}::Compute() {{}}\n" for each in range(20_000)),
        "",
    ),
    "20,000 names of ops in constants": (
        f"{KERNELS}evil.cc",
        lambda: "".join(
            f'REGISTER_KERNEL_BUILDER(Name(k{each}), Op);\nconst char k{each}[] = "a";\n' for each in range(20_000)
        ),
        "",
    ),
    "a chain of 50,000 macros": (
        f"{KERNELS}evil.cc",
        lambda: _chain(50_000, "REGISTER_OP(x)") + "A0(x)\n",
        "not known",
    ),
    "a chain of 50,000 macros that call their parameter": (
        f"{KERNELS}evil.cc",
        lambda: _chain(50_000, "x(y)") + "A0(REGISTER_OP)\n",
        "not known",
    ),
    "50,000 macros that lead to an op": (
        f"{KERNELS}evil.cc",
        lambda: "".join(f"#define A{each}(x) REGISTER_OP(x)\nA{each}(b)\n" for each in range(50_000)),
        "",
    ),
    "50,000 different #if around a kernel": (
        f"{KERNELS}evil.cc",
        lambda: "".join(f"#if A{each}\n" for each in range(50_000)) + KERNEL,
        "nested deeper",
    ),
    "50,000 different #elif around a kernel": (
        f"{KERNELS}evil.cc",
        lambda: "#if A\n" + "".join(f"#elif A{each}\n" for each in range(50_000)) + KERNEL,
        "more branches",
    ),
    "50,000 includes": (f"{KERNELS}evil.cc", lambda: '#include "op.h"\n' * 50_000 + KERNEL, ""),
    "comments before what looks like a directive": (
        f"{KERNELS}evil.cc",
        lambda: "/* */" * 50_000 + "x #\n" + KERNEL,
        "",
    ),
    "a header that makes classes of colons": (
        f"{KERNELS}evil.h",
        lambda: "#define A " + "class " * 10 + ": a " * 20_000 + "\n",
        "not known",
    ),
    "50,000 texts that do not end": (API, lambda: "op { x: <<END\n" * 50_000, "cannot be read"),
    "100,000 messages in one another": (API, lambda: "op {" * 100_000, "cannot be read"),
}


@pytest.mark.parametrize("name", SOURCES)
def test_source(tmp_path: Path, name: str) -> None:
    path, text, said = SOURCES[name]
    _write(tmp_path / "tree", {**TENSORFLOW, path: text})
    ended = run(tmp_path / "tree", "op", "Add")
    assert_held(ended)
    assert said in ended.err
    assert "AddOp" in ended.out


def _numbered(text: str, count: int = 20_000) -> Callable[[], str]:
    return lambda: "".join(text.replace("@", str(each)) for each in range(count))


FLAGS: dict[str, tuple[Callable[[], str], str]] = {
    "DEFINE_bool( that are not closed": (lambda: "DEFINE_bool(" * 20_000, ""),
    "DEFINE_bool( in one another": (lambda: "DEFINE_bool(" * 20_000 + ")" * 20_000, ""),
    "ABSL_FLAG( that are not closed": (lambda: "ABSL_FLAG(" * 20_000, ""),
    "ABSL_FLAGs": (_numbered('ABSL_FLAG(bool, a@, true, "x");\n'), ""),
    "defaults in one constant": (_numbered('DEFINE_int32(a@, kX, "x");\n'), ""),
    "variables without a statement's end": (lambda: 'getenv("A")\n' * 20_000, ""),
    "Flag( that are not closed": (lambda: 'Flag("a", ' * 20_000, ""),
    "Flag< that are not closed": (lambda: "Flag<" * 20_000, ""),
    "flags of one list": (lambda: 'Flag("a", &b, "x"),\n' * 20_000, ""),
    "flags of one setter": (lambda: "d->set_b(x);\n" * 10_000 + 'Flag("a", s, d->b(), "x");\n' * 10_000, ""),
    "values of one variable": (lambda: "void f() { b = c; }\n" * 10_000 + 'Flag("a", &b, "x");\n' * 10_000, ""),
    "functions with a flag": (_numbered('void f@(L* l) { l->push_back(Flag("a", &b, "x")); }\n'), ""),
    "calls of a macro that are not closed": (lambda: "#define S(n) getenv(#n)\n" + "S(" * 20_000, ""),
    "macros that call one another": (lambda: _chain(20_000, "getenv(#x)") + "A0(b)\n", ""),
    "constants of constants": (
        lambda: (
            "".join(f"int {a} = {b} + {b} + {b} + {b} + {b} + {b};\n" for a, b in pairwise("abcdefghij"))
            + 'DEFINE_int32(x, a, "");\n'
        ),
        "",
    ),
    "different #if": (lambda: _numbered("#if A@\n")() + "DEFINE_bool", "nested deeper"),
    "branches of one #if": (
        lambda: "#if A\n" + "".join(f"#elif A{each}\n" for each in range(20_000)) + "DEFINE_bool",
        "more branches",
    ),
    "#else in one another": (lambda: "#if A\n" * 200 + "x\n" * 20_000 + "#else\n#endif\n" * 200 + "DEFINE_", ""),
    "includes": (lambda: '#include "good.cc"\n' * 20_000 + "DEFINE_", ""),
    "members with values": (lambda: "A() : " + "a{1}, " * 20_000 + '{} DEFINE_bool(x, y, "");', ""),
    "templates": (lambda: "template <> " * 20_000 + "class A {}; DEFINE_", ""),
}


@pytest.mark.parametrize("name", FLAGS)
def test_flags(tmp_path: Path, name: str) -> None:
    text, said = FLAGS[name]
    good = 'DEFINE_bool(good, true, "");\n'
    _write(tmp_path / "tree", {"BUILD": "", "evil.cc": text, "good.cc": good})
    ended = run(tmp_path / "tree", "flags", "runtime")
    assert_held(ended)
    assert said in ended.err
    assert "processor time" not in ended.err, "it is linear: no limit of time is needed"
    assert "good" in ended.out


EXPORTED = """
from tensorflow.python.ops import a0, b0, values
@tf_export("add")
def add(x):
  return a0.f(x) + b0.B0.f(x) + values.f(x)
"""


def test_python_of_tensorflow(tmp_path: Path) -> None:
    """Modules that import all of one another, bases that are named twice, and a name of many values."""
    modules = {f"{PYTHON}a{each}.py": _numbered("from tensorflow.python.ops.a@ import *\n", 9) for each in range(9)}
    bases = "".join(f"class B{each}(B{each + 1}, B{each + 1}): pass\n" for each in range(60)) + "class B60: pass\n"
    packages = {f"{folder}/__init__.py": "" for folder in ("tensorflow", "tensorflow/python", "tensorflow/python/ops")}
    values = _numbered("f = g(f)\n")
    evil = {f"{PYTHON}b0.py": bases, f"{PYTHON}values.py": values, f"{PYTHON}math_ops.py": EXPORTED}
    _write(tmp_path / "tree", {**TENSORFLOW, **packages, **modules, **evil})
    ended = run(tmp_path / "tree", "op", "tf.add")
    assert_held(ended)
    assert "tf.add" in ended.out


def test_python_of_pytorch(tmp_path: Path) -> None:
    modules = {f"torch/a{each}.py": _numbered("from torch.a@ import *\n", 9) for each in range(9)}
    called = {"torch/functional.py": "from torch.a0 import f\ndef g(x):\n  return f(x) + torch.relu(x)\n"}
    _write(tmp_path / "tree", {**PYTORCH, **modules, **called})
    ended = run(tmp_path / "tree", "op", "torch.functional.g")
    assert_held(ended)
    assert "torch.functional.g" in ended.out


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("aten/src/ATen/native/evil.cpp", lambda: "Tensor relu(const Tensor& s) { return s; }\n" * 20_000),
        ("aten/src/ATen/native/evil.cpp", lambda: "Tensor relu() {}\n" + "REGISTER_DISPATCH(" * 50_000),
        ("aten/src/ATen/native/evil.cpp", lambda: "relu(" + "TORCH_IMPL_FUNC(" * 50_000),
        ("aten/src/ATen/native/evil.cpp", lambda: _chain(50_000, "Tensor x() {}") + "A0(relu)\n"),
        (YAML, lambda: GOOD + "- func: relu.a(" + "int[a, " * 50_000 + ") -> Tensor\n"),
        (YAML, lambda: GOOD + _numbered("- func: relu.a@(Tensor self) -> Tensor\n", 20_000)()),
    ],
    ids=["functions", "registrations", "structured", "macros", "arguments", "overloads"],
)
def test_pytorch(tmp_path: Path, path: str, text: Callable[[], str]) -> None:
    good = "Tensor relu(const Tensor& self) { return self; }\n"
    _write(tmp_path / "tree", {**PYTORCH, "aten/src/ATen/native/good.cpp": good, path: text})
    ended = run(tmp_path / "tree", "op", "relu")
    assert_held(ended)
    assert "relu" in ended.out


JAX = {
    "BUILD": "",
    "jax/__init__.py": "",
    "jax/_src/lax/lax.py": "add_p = core.Primitive('add')\nmlir.register_lowering(add_p, f)\n",
}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("jax/_src/lax/evil.py", _numbered("a@_p = core.Primitive('a@')\nmlir.register_lowering(a@_p, f)\n", 10_000)),
        (
            "jax/_src/lax/evil.py",
            lambda: (
                "def m(n):\n  p = core.Primitive(n)\n  mlir.register_lowering(p, f)\n"
                + _numbered("a@_p = m('a@')\n", 10_000)()
            ),
        ),
        ("jaxlib/evil.cc", lambda: 'dict["a"] = EncapsulateFunction(' * 50_000),
        ("jaxlib/evil.cc", lambda: "XLA_FFI_DEFINE_HANDLER(" * 50_000),
        ("jaxlib/evil.cc", lambda: '#define P "a"\n#define P "b"\n' + f"dict[{'P ' * 9}] = EncapsulateFunction(F);\n"),
    ],
    ids=["primitives", "makers", "calls", "handlers", "prefixes"],
)
def test_jax(tmp_path: Path, path: str, text: Callable[[], str]) -> None:
    _write(tmp_path / "tree", {**JAX, path: text})
    ended = run(tmp_path / "tree", "op", "add")
    assert_held(ended)
    assert "lax.py" in ended.out


SEARCHES = {
    "names": ('filegroup(name = "' + "a" * 40 + '!")\n', "filter('(a+)+$', //...)"),
    "values": (f'filegroup(name = "x", tags = ["{"a" * 40}!"])\n', "attr(tags, '(a|a)*$', //...)"),
    "a long value": (f'filegroup(name = "x", tags = ["{"a" * MB}!"])\n', "attr(tags, 'a.*b', //...)"),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_ends(tmp_path: Path, name: str) -> None:
    build, expression = SEARCHES[name]
    ended = run(write(tmp_path / "tree", {"BUILD": build}), "query", expression)
    assert_held(ended)
    assert ended.code == 7
    assert "takes more than 3 s of processor time" in ended.err


def test_a_search_in_a_kept_graph_ends(tmp_path: Path) -> None:
    """One label of 300,000 characters, searched at once, took minutes, which no limit ended."""
    tree = write(tmp_path / "tree", {"BUILD": f'filegroup(name = "{"a" * 300_000}!")\n'})
    cache = f"--cache_dir={tmp_path / 'cache'}"
    assert run(tree, cache, "query", "//...").code == 0
    assert "an earlier question kept" in run(tree, cache, "--profile", "query", "kind(rule, //...)").err
    ended = run(tree, cache, "query", "filter('a.*b', //...)")
    assert_held(ended)
    assert "takes more than 3 s of processor time" in ended.err


@pytest.mark.parametrize(
    "pattern", ["(" * 5_000 + ")" * 5_000, "a{" + "1" * 6_000 + "}", "((a{1,9}){1,99999}){1,9999}"]
)
def test_a_pattern_that_is_too_much_is_refused(tmp_path: Path, pattern: str) -> None:
    ended = run(write(tmp_path / "tree", {"BUILD": ""}), "query", f"filter('{pattern}', //...)")
    assert_held(ended)
