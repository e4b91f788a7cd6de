"""What Bazel cannot be asked for, and the remarks: on the fixture workspace query_language. Bazel's own functions are
compared with Bazel in tests/differential."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bzlgraph.base.errors import BzlgraphError
from bzlgraph.graph.build import BuildGraph
from bzlgraph.loading.loader import Loader, open_loader
from bzlgraph.query.answer import QueryAnswer
from bzlgraph.query.environment import Environment, QuerySettings
from bzlgraph.query.evaluate import FUNCTIONS, query
from bzlgraph.query.functions.signatures import SIGNATURES
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.workspace import open_workspace

ROOT = Path(__file__).parents[2]
NO_OWNER = "no BUILD file names it, not even with a glob: nothing that Bazel builds depends on it"
WORKSPACE = ROOT / "tests" / "workspaces" / "query_language"


@pytest.fixture(scope="module")
def loader() -> Loader:
    return open_loader(open_workspace(WORKSPACE, Options(jobs=1)))


def ask(loader: Loader, text: str, **settings: object) -> QueryAnswer:
    mapping = loader.workspace.map_repository
    return query(text, Environment(BuildGraph(loader), QuerySettings(mapping=mapping, **settings)))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("made_by(//rules:macros.bzl%outer, //app:all)", "//app:made //app:made_inner"),
        ("made_by(//rules:macros.bzl, //app:all)", "//app:made //app:made_inner"),
        ("made_by(rules/macros.bzl%outer, //app:all)", "//app:made //app:made_inner"),
        ("made_by(//rules::x%outer, //app:all)", None),
        ("made_by(inner, //app:*)", "//app:made_inner"),
        ("made_by(@other//pkg:other.bzl%thing, @other//...)", "@other//pkg:thing"),
        ("made_by(//rules:rules.bzl%inner, //app:all)", ""),
        ("callers(//rules:macros.bzl%outer, //app:all)", "//app:BUILD"),
        ("callers(@other//pkg:other.bzl%thing, @other//...)", "@other//pkg:BUILD"),
        ("callers(cc_library, @other//...)", "@other//pkg:other.bzl"),
        ("callers(//rules:rules.bzl%compile, //app:all)", "//app:BUILD //rules:macros.bzl"),
        ("owner(app/a.py)", "//app:scripts"),
        ("owner(app/dir/two.src)", "//app:compiled"),
        ("owner(./lib/core.h, top.txt)", "//:root //lib:core"),
        ("owner(//app:version.txt)", "//app:version"),
        ("owner(vis/exported.txt)", "//vis:exported.txt"),
        ("deps_by(deps, //lib:lib)", "//lib:lib"),
        ("deps_by(srcs, //lib:lib, 1)", "//lib:core //lib:lib //lib:util"),
        ("deps_by(srcs, //app:app)", "//app:app //app:main.cc //app:version //app:version.h //app:version.in"),
        ("deps_by(cmd, //sel:say)", "//sel:say"),
        ("rdeps_by(deps, //lib:all, //lib:core, 1)", "//lib:core //lib:core_test //lib:util"),
        ("rdeps_by(data, //lib:all, //app:app)", "//app:app //lib:wrapper_test"),
        ("uncertain(//lib:*)", ""),
        ("allrdeps(//lib/nested:deeper)", "//lib/nested:deeper"),
        ("some(//lib:all, 99) - //lib:all", ""),
    ],
)
def test_answers(loader: Loader, text: str, wanted: str | None) -> None:
    if wanted is None:
        with pytest.raises(BzlgraphError):
            ask(loader, text)
    else:
        assert list(map(str, ask(loader, text))) == wanted.split()


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (
            "rdeps(//lib:core, //app/...)",
            "wildcard",
            "rdeps(universe, target): did you mean rdeps(//app/..., //lib:core)?",
        ),
        (
            "rdeps(//lib/nested:deep, //lib:core)",
            "nothing in //lib/nested:deep depends on //lib:core, but //lib:core depends on //lib/nested:deep",
            "rdeps(universe, target): did you mean rdeps(//lib:core, //lib/nested:deep)?",
        ),
        ("deps(//vis:by_default)", "the answer is only the target itself", None),
        ("rdeps(//app:all, //app:scripts)", "nothing in //app:all depends on it", None),
        ("rdeps(//rules:all, //lib:core)", "no target matches the expression", None),
        (
            "rdeps(//app:all, //lib/nested:BUILD, 3)",
            "no target matches the expression",
            "what depends on what this BUILD file declares: rdeps(//app:all, siblings(//lib/nested:BUILD), 3)",
        ),
        ("attr(src, x, //lib:all)", "none of the 7 rules has an attribute `src`", "did you mean `srcs`?"),
        ("labels(_compiler, //app:compiled)", "does not have an attribute `_compiler`", "did you mean `$compiler`?"),
        ("made_by(outr, //app:all)", "no rule here comes from `outr`", "did you mean `outer`?"),
        ("made_by(//rules:rules.bzl%outer, //app:all)", "no rule here", "a function `outer` of another file is used"),
    ],
)
def test_remarks(loader: Loader, text: str, message: str, hint: str | None) -> None:
    answer = ask(loader, text)
    (remark,) = answer.remarks
    assert message in remark.message
    assert remark.hint == hint or (hint is not None and remark.hint is not None and remark.hint.startswith(hint))
    assert answer.problems == ()


@pytest.mark.parametrize("target", ["//:x", "//p:BUILD"])
def test_nothing_depends_on_a_target_that_is_not_on_disk(tmp_path: Path, target: str) -> None:
    """Whether it is a BUILD file nobody knows: its package was not loaded."""
    (tmp_path / "WORKSPACE").write_text("local_repository(name = 'absent', path = 'absent')\n")
    (tmp_path / "BUILD").write_text("filegroup(name = 'top')\n")
    loader = open_loader(open_workspace(tmp_path, Options(jobs=1)))
    (remark,) = ask(loader, f"rdeps(//:top, @absent{target})").remarks
    assert (remark.message, remark.hint) == ("no target matches the expression", None)


@pytest.mark.parametrize("text", ["deps(//vis:by_default, 0)", "deps(//lib:core)", "rdeps(//lib:all, //lib:core)"])
def test_no_remark_without_need(loader: Loader, text: str) -> None:
    assert ask(loader, text).remarks == ()


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("//lib/core", "did you mean //lib:core?"),
        ("//lib/core.cc", "did you mean //lib:core.cc?"),
        ("//lib:nested/deep", "did you mean //lib/nested:deep?"),
        ("//app/dir:two.src", "did you mean //app:dir/two.src?"),
        ("owner(rules/rules.bzl)", "a .bzl file has no owner; who loads it: rbuildfiles(rules/rules.bzl)"),
        ("owner(app/not_named.txt)", NO_OWNER),
    ],
)
def test_other_spellings(loader: Loader, text: str, hint: str) -> None:
    with pytest.raises(BzlgraphError) as caught:
        ask(loader, text)
    assert caught.value.diagnostic.hint == hint


def test_universe(loader: Loader) -> None:
    scope = {"universe_scope": ("//lib/...", "-//lib:core_test")}
    users = ["//external:core", "//lib:core", "//lib:lib", "//lib:util"]
    assert list(map(str, ask(loader, "allrdeps(//lib:core, 1)", **scope))) == users
    assert list(map(str, ask(loader, "allrdeps(//lib:core)", infer_universe_scope=True))) == ["//lib:core"]


@pytest.mark.parametrize("path", ["vis/BUILD", "./vis/BUILD", "vis//BUILD", "vis/./BUILD", "vis/friend/../BUILD"])
def test_paths_of_rbuildfiles_may_be_written_otherwise(loader: Loader, path: str) -> None:
    found = ask(loader, f"rbuildfiles('{path}')", universe_scope=("//vis/...",), implicit_deps=False)
    assert list(map(str, found)) == ["//vis:BUILD"]


def test_every_package_hangs_on_workspace(loader: Loader) -> None:
    """Bazel names all packages that its server has loaded so far; bzlgraph those that the universe needs."""
    scope = {"universe_scope": ("//cyc/...", "//vis/..."), "implicit_deps": False}
    found = set(map(str, ask(loader, "rbuildfiles(WORKSPACE)", **scope)))
    assert {"//cyc:BUILD", "//vis:BUILD", "//vis/friend:BUILD", "//external:WORKSPACE"} <= found
    assert found >= set(map(str, ask(loader, "rbuildfiles(vis/BUILD)", **scope)))
    assert "//suites:BUILD" not in found


def test_every_function_is_documented_with_an_example() -> None:
    text = (ROOT / "docs" / "query.md").read_text(encoding="utf-8")
    examples = "\n".join(line for line in text.splitlines() if line.startswith("$ bzlgraph"))
    assert FUNCTIONS.keys() == SIGNATURES.keys()
    assert [name for name in SIGNATURES if not re.search(rf"\b{name}\(", examples)] == []


FLAGS = """
    implicit_deps tool_deps host_deps nodep_deps universe_scope infer_universe_scope order_output keep_going
    deleted_packages strict_test_suite query_file relative_locations null output_file noproto: proto:output_rule_attrs
    xml:line_numbers xml:default_values graph:node_limit graph:factored graph:conditional_edges_limit
"""


@pytest.mark.parametrize("flag", FLAGS.split())
def test_every_flag_is_documented_with_an_example(flag: str) -> None:
    text = (ROOT / "docs" / "query.md").read_text(encoding="utf-8")
    assert re.search(rf"^\$ bzlgraph .*--(no)?{flag}", text, flags=re.MULTILINE)


@pytest.mark.parametrize(("version", "counts"), [("4.2.3", True), ("7.7.1", False)])
def test_all_of_external(tmp_path: Path, version: str, counts: bool) -> None:
    """As 4.2.3 and 7.7.1 answer."""
    text = 'workspace(name = "w")\nlocal_repository(name = "l", path = "l")\nbind(name = "b", actual = "//:x")\n'
    (tmp_path / "WORKSPACE").write_text(text, encoding="utf-8")
    options = Options(jobs=1, bazel_version=version, enable_bzlmod=False)
    loader = open_loader(open_workspace(tmp_path, options))
    found = {
        pattern: set(map(str, ask(loader, f"//external:{pattern}", facts=loader.workspace.facts)))
        for pattern in ("all", "*", "all-targets")
    }
    assert "//external:l" in found["*"]
    assert found["*"] == found["all-targets"]
    assert found["all"] == (found["*"] - {"//external:WORKSPACE"} if counts else set())
    assert ("//external:w" in found["*"]) == counts
