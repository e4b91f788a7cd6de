"""Mistakes on a command line: each is told with what is wrong and what to type next, in a line or two.

The bundled example, as a new user asks about it. ``test_first_use`` has those of its review.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.in_process import ended

MINI = Path(__file__).parents[2] / "examples" / "mini_tensorflow"
LIB = "//tensorflow/core:lib"
OF_BAZEL = "bzlgraph lacks this option of Bazel\nhint: leave it out if it affects only how things are built"
OPERATORS = "hint: a + b: in either; a ^ b: in both; a - b: in a, but not in b"

MISTAKES: tuple[tuple[tuple[str, ...], int, str], ...] = (
    (("query", "deps", LIB), 2, f"hint: did you mean deps({LIB})?"),
    (("query", "rdeps", "//...", LIB), 2, f"hint: did you mean rdeps(//..., {LIB})?"),
    (("query", f"{LIB} | //tensorflow"), 2, OPERATORS),
    (("query", f"{LIB} and //tensorflow"), 2, OPERATORS),
    (("query", f"deps(“{LIB}”)"), 2, "hint: use straight quotes"),
    (("query", f"deps('{LIB})"), 2, "hint: close it with '"),
    (("query", f"{LIB}-//tensorflow:all"), 7, "hint: write a space on both sides of -"),
    (("query", "//tensorflow/core:*lib*"), 7, "hint: query 'filter(\":.*lib.*$\", //tensorflow/core:*)'"),
    (("query", LIB, "--disk_cache=/x"), 2, OF_BAZEL),
    (("query", LIB, "--noverbose_failures"), 2, OF_BAZEL),
    (("doctor", "--remote_cache=x"), 2, OF_BAZEL),
    (("--remote_cache=x", "doctor"), 2, OF_BAZEL),
    (("--config=cuda", "query", LIB), 2, "hint: options of a command go after it: bzlgraph COMMAND ... --config"),
    (("-k", "query", LIB), 2, "hint: options of a command go after it: bzlgraph COMMAND ... -k"),
    (("--jbos=2", "query", LIB), 2, "Did you mean --jobs?"),
    (("query", LIB, "--outputs=label"), 2, "Did you mean --output?"),
    (("query", LIB, "-c", "optimized"), 2, "'optimized' is not one of fastbuild, dbg, opt"),
    (("query", LIB, "--define"), 2, "--define: missing value"),
    (("query", LIB, "--//tensorflow/tsl:allocatr=x"), 2, "hint: did you mean --//tensorflow/tsl:allocator?"),
    (("why", "swig"), 7, "hint: did you mean @swig//:swig?"),
    (("why", LIB, "//tensorflow/c:c_api"), 2, "bzlgraph why TARGET --from //tensorflow/c:c_api"),
    (("why", LIB, "--from", "deps(//tensorflow/...)"), 2, "hint: expected a label or target pattern, not a query"),
    (("diff-config", LIB, "-c", "opt", "--vs=dbg"), 2, "hint: options follow it: --vs -c dbg"),
    (("export", "//tensorflow/..."), 2, "hint: for example: bzlgraph export dataset build/dataset"),
    (("graph", LIB, "--focus", "//tensorflow/core:core"), 2, f"hint: did you mean the dependencies, 'deps({LIB})'?"),
    (("op", "--framework=jax", "sin"), 2, "hint: give a checkout that has them with -C DIR"),
    (("op", "nosuch"), 7, "hint: bzlgraph op --table lists all names"),
    (("query", f"rdeps({LIB}, //...)"), 0, f"hint: rdeps(universe, target): did you mean rdeps(//..., {LIB})?"),
    (("why", "conv_opps"), 7, "hint: did you mean //tensorflow/core/kernels:conv_ops?"),
    (("query", f"{LIB} ^ //tensorflow:all"), 0, "note: no target matches the expression"),
    (("query", f"deps({LIB}) - @..."), 7, "hint: no pattern stands for all repositories; filter('^@', EXPR) chooses"),
    (("query", f"somepath(//tensorflow/core:lib_internal, {LIB})"), 0, "note: there is no path; bzlgraph why END"),
)


def run(*words: str) -> tuple[int, str]:
    code, out, err = ended(*words)
    return code, out.decode() + err.decode()


@pytest.mark.parametrize(("words", "code", "said"), MISTAKES, ids=[" ".join(words) for words, *_ in MISTAKES])
def test_a_mistake_is_told_with_what_to_type_next(words: tuple[str, ...], code: int, said: str, cache: str) -> None:
    ended, told = run(cache, "-C", str(MINI), *words)
    assert ended == code, told
    assert said in told


def test_a_folder_without_a_command_that_is_no_checkout_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    wrong = {"nowhere": "no such folder", "file": "this is a file", ".": "is not in a Bazel workspace"}
    for folder, said in ((tmp_path / name, said) for name, said in wrong.items()):
        code, told = run("-C", str(folder))
        assert code == 2
        assert said in told
        assert "hint: give the checkout's folder with -C DIR" in told


@pytest.mark.parametrize(
    ("folders", "hint"),
    [
        (["src"], "workspace below it: src"),
        (["b/c", "a", "d/e/f"], "workspaces below it: a, b/c"),
        ([], "an empty WORKSPACE file there makes it one"),
    ],
)
def test_workspaces_below_a_folder_that_is_none_are_offered(tmp_path: Path, folders: list[str], hint: str) -> None:
    for folder in folders:
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "WORKSPACE").touch()
    code, told = run("-C", str(tmp_path), "doctor")
    assert code == 2
    assert f"hint: give the checkout's folder with -C DIR; {hint}\n" in told


def test_a_repository_that_is_not_visible_has_its_likely_name(tmp_path: Path) -> None:
    """Names with an owner in front were usual in WORKSPACE files; modules have the last part."""
    (tmp_path / "MODULE.bazel").write_text('module(name = "m")\nbazel_dep(name = "googletest", version = "1.0")\n')
    for asked, hint in (
        ("@com_google_googletest//:gtest", "did you mean @googletest?"),
        ("@googletst//:gtest", "did you mean @googletest?"),
        ("@elsewhere//:x", "bzlgraph mod dump_repo_mapping '' lists the names that are visible"),
    ):
        code, said = run("--no_cache", "-C", str(tmp_path), "query", asked)
        assert code == 7
        assert f"hint: {hint}" in said
