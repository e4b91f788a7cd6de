"""What people may write for a module, an extension, a repository."""

from __future__ import annotations

import pytest

from bzlgraph.base.errors import BzlgraphError, LoadProblem, UsageProblem
from bzlgraph.bzlmod.module import ModuleKey
from bzlgraph.mod.answer import ModOptions
from bzlgraph.mod.arguments import Names
from bzlgraph.mod.ask import show_extension
from tests.mod.workspace import EXT, extensions_workspace, workspace

GRAPH, EXTENSIONS = extensions_workspace()
LEAF = ModuleKey("leaf", "1.1")


@pytest.mark.parametrize(
    ("text", "modules"),
    [
        ("<root>", "<root>"),
        ("<ROOT>", "<root>"),
        ("mine", "<root>"),
        ("@me", "<root>"),
        ("leaf", "leaf@1.1"),
        ("leaf@1.1", "leaf@1.1"),
        ("@rr", "right@1.0"),
        ("@@right~", "right@1.0"),
    ],
)
def test_a_module_has_many_names(text: str, modules: str) -> None:
    assert " ".join(map(str, Names(GRAPH).modules(text))) == modules


def test_names_are_those_of_the_base_module() -> None:
    left = Names(GRAPH, ModuleKey("left", "1.0"))
    assert left.modules("@leaf") == [LEAF]
    assert left.repositories("@leaf") == {"@leaf": "leaf~"}
    with pytest.raises(LoadProblem, match="apparent repo name @rr"):
        left.modules("@rr")


def test_modules_that_lost_are_meant_only_when_they_are_wanted() -> None:
    everything = Names(GRAPH, unused=True)
    assert everything.modules("leaf") == everything.modules("@leaf") == [ModuleKey("leaf", "1.0"), LEAF]
    assert everything.modules("leaf@1.0") == [ModuleKey("leaf", "1.0")]


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("leav", LoadProblem, "Module leav does not exist in the dependency graph (did you mean 'leaf'?)"),
        ("leaf@9", LoadProblem, "Module version leaf@9 does not exist, available versions: leaf@1.1"),
        ("leaf@1.0", LoadProblem, "Module version leaf@1.0 is unused as a result of module resolution"),
        ("leaf@1.0@2", UsageProblem, "bad version (does not match regex): 1.0@2"),
        ("@leav", LoadProblem, "apparent repo name @leav exists in the dependency graph (did you mean 'leaf'?)"),
        ("@@nope~", LoadProblem, "No module with the canonical repo name @@nope~ exists"),
    ],
)
def test_what_is_no_module_is_said(text: str, kind: type[BzlgraphError], message: str) -> None:
    with pytest.raises(kind) as problem:
        Names(GRAPH).modules(text)
    assert message in str(problem.value)


@pytest.mark.parametrize("text", ["//:ext.bzl%ext", "<root>//:ext.bzl%ext", "mine//:ext.bzl%ext", "@me//:ext.bzl%ext"])
def test_an_extension_is_a_module_a_file_and_a_name(text: str) -> None:
    assert Names(GRAPH).extension(text) == EXT
    assert str(Names(GRAPH).extension(text.replace("//:", "//a/b:"))) == "@@//a/b:ext.bzl%ext"


@pytest.mark.parametrize(("text", "missing"), [("ext", "its .bzl file"), ("//:ext.bzl", "its name")])
def test_an_extension_lacks_a_part(text: str, missing: str) -> None:
    with pytest.raises(UsageProblem, match=missing):
        Names(GRAPH).extension(text)


def test_an_extension_that_nobody_uses_is_no_answer() -> None:
    with pytest.raises(LoadProblem, match=r"No extension @@//:ext.bzl%exd exists .* \(did you mean"):
        show_extension("//:ext.bzl%exd", GRAPH, EXTENSIONS, ModOptions())


def test_repositories_are_those_that_the_base_module_sees() -> None:
    names = Names(GRAPH)
    assert names.repositories("@second") == {"@second": "_main~ext~two"}
    assert names.repositories("leaf") == {"leaf@1.1": "leaf~"}
    assert names.repositories("@@_main~ext~extra") == {"@@_main~ext~extra": "_main~ext~extra"}
    with pytest.raises(LoadProblem, match="No repo visible as secnd from the main repository"):
        names.repositories("@secnd")


def test_a_module_that_is_seen_by_another_name_is_named_by_it() -> None:
    names = Names(GRAPH)
    for find in (names.modules, names.repositories):
        with pytest.raises(LoadProblem, match=r"\(module right is @rr there\)"):
            find("@right")
    graph, _ = workspace({"": "left@1.0", "left@1.0": "leaf@1.0", "leaf@1.0": ""})
    with pytest.raises(LoadProblem, match=r"\(for the module of that name write leaf without @\)"):
        Names(graph).modules("@leaf")
