"""``op MODULE.function`` and ``op --bindings``: in a tree with no framework's sources, too."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from bzlgraph.base.errors import LoadProblem, UsageProblem
from tests.cli.asking_op import run
from tests.written_files import write_files

FILES = {
    "WORKSPACE": "",
    "work/BUILD": (
        'cc_binary(name = "_work.so", srcs = ["bind.cc"], deps = [":work"], linkshared = 1)\n'
        'cc_library(name = "work", srcs = ["work.cc"], hdrs = ["work.h"])\n'
    ),
    "work/bind.cc": '#include "work/work.h"\nPYBIND11_MODULE(_work, m) {\n  m.def("run", &work::Run);\n}\n',
    "work/work.h": "namespace work {\nint Run(int a);\n}\n",
    "work/work.cc": '#include "work/work.h"\nnamespace work {\nint Run(int a) { return a; }\n}\n',
    "work/use.py": "from work import _work\n_work.run(1)\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return write_files(tmp_path, FILES)


def test_a_function_is_followed_to_its_file_and_target(tree: Path) -> None:
    result = run(tree, "work._work.run")
    assert (result.exit_code, result.stdout.split("\n")) == (
        0,
        [
            "_work.run               work/bind.cc:3  function of PYBIND11_MODULE(_work)",
            " C++ function           work::Run at work/work.cc:3",
            " built by               //work:_work.so",
            " used by                work/use.py:2  _work.run(1)",
            "",
        ],
    )


def test_a_table_of_all_names(tree: Path) -> None:
    result = run(tree, "--bindings")
    (row,) = csv.DictReader(io.StringIO(result.stdout))
    assert (row["module"], row["name"], row["function_file"], row["target"]) == (
        "_work", "run", "work/work.cc", "//work:_work.so",
    )  # fmt: skip


def test_as_json(tree: Path) -> None:
    found = json.loads(run(tree, "_work.run", "--output=json").stdout)
    assert found["bindings"][0]["defined"] == {"file": "work/work.cc", "line": 3}


def test_a_name_that_is_not_bound(tree: Path) -> None:
    result = run(tree, "_work.rum")
    assert result.exit_code == 7
    assert "did you mean _work.run" in result.stderr


def test_every_use_of_a_registering_macro(tree: Path) -> None:
    (tree / "work/factory.h").write_text(
        "#define REGISTER_SOLVER(name, type) static Factory f_##type(name, new type)\n"
        '#define REGISTER_BOTH(type) REGISTER_SOLVER("a_" #type, type); REGISTER_SOLVER("b_" #type, type)\n'
    )
    (tree / "work/work.cc").write_text(
        '#include "work/factory.h"\nREGISTER_SOLVER("cg", CgSolver);\n#if GPU\nREGISTER_BOTH(Lu);\n#endif\n'
    )
    result = run(tree, "--registrations=REGISTER_SOLVER")
    assert [tuple(row.values()) for row in csv.DictReader(io.StringIO(result.stdout))] == [
        ("cg", "CgSolver", "work/work.cc", "2", "", "", "//work:work"),
        ("a_Lu", "Lu", "work/work.cc", "4", "REGISTER_BOTH", "GPU", "//work:work"),
        ("b_Lu", "Lu", "work/work.cc", "4", "REGISTER_BOTH", "GPU", "//work:work"),
    ]
    assert "expected the name of a macro" in str(run(tree, "--registrations=a b").exception)


def test_a_macro_that_no_file_has(tree: Path) -> None:
    """A slip in its name was an empty table."""
    (tree / "work/work.cc").write_text("#define REGISTER_SOLVER(name)\n#define NEVER_USED(name)\n")
    problem = run(tree, "--registrations=REGISTER_SOVLER").exception
    assert isinstance(problem, LoadProblem)
    assert problem.diagnostic.hint == "did you mean REGISTER_SOLVER?"
    result = run(tree, "--registrations=NEVER_USED")
    assert (result.exit_code, len(result.stdout.splitlines())) == (0, 1)


def test_a_tree_that_binds_nothing_says_so(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").touch()
    result = run(tmp_path, "--bindings")
    assert (result.exit_code, result.stdout.count("\n")) == (0, 1)
    assert result.stderr.splitlines()[-1].startswith("no C++ file in this workspace exposes names to Python")
    (tmp_path / "a.cc").write_text("PYBIND11_MODULE(m, x) { for (auto name : names) x.def(name, &f); }\n")
    result = run(tmp_path, "--bindings")
    assert result.stderr.splitlines()[0] == "no name that C++ exposes to Python is known; see the gaps"


def test_a_workspace_that_is_left_out_is_named(tree: Path) -> None:
    """What it binds was denied of the checkout without a word."""
    (tree / "work/WORKSPACE").touch()
    (tree / ".bazelignore").write_text("work\nbuild\n")
    hint = "hint: .bazelignore leaves out work, a workspace of its own: -C work searches there"
    assert run(tree, "--bindings").stderr.splitlines()[-1] == hint
    problem = run(tree, "_work.run").exception
    assert isinstance(problem, UsageProblem)
    assert f"hint: {problem.diagnostic.hint}" == hint


def test_a_file_of_which_nothing_is_known_is_a_file_all_the_same(tree: Path) -> None:
    (tree / "work/plain.cc").write_text("int f() { return 1; }\n")
    problem = run(tree, "work/plain.cc").stderr
    assert "'work/plain.cc' exposes no name to Python that was found" in problem


def test_sources_that_another_tool_builds_have_bindings_of_no_target(tree: Path) -> None:
    """Only ``op`` reads them; a folder that nothing says is the top of sources is refused as ever."""
    for file in ("WORKSPACE", "work/BUILD"):
        (tree / file).unlink()
    assert "is not in a Bazel workspace" in str(run(tree, "--bindings").exception)
    (tree / "CMakeLists.txt").touch()
    result = run(tree / "work", "--bindings")
    (row,) = csv.DictReader(io.StringIO(result.stdout))
    assert (row["file"], row["function_file"], row["target"]) == ("work/bind.cc", "work/work.cc", "")
    assert f"note: '{tree}' is not a Bazel workspace: no target is known to build its files" in result.stderr
    assert " built by               no known target\n" in run(tree, "_work.run").stdout


def test_what_a_binding_needs_and_is_built_into(tree: Path) -> None:
    assert "//work:work.cc" in run(tree, "_work.run", "--needs", "--output=csv").stdout
    assert "//work:_work.so" in run(tree, "_work.run", "--why", "--from=//work:_work.so").stdout
    assert "no target of this tree is known to be what people install" in str(run(tree, "_work.run", "--why").exception)
