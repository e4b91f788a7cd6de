"""The trees of ``mod``: what is shown, what is cut, in which order."""

from __future__ import annotations

import pytest

from bzlgraph.base.errors import LoadProblem, UsageProblem
from bzlgraph.bzlmod.module import RepositoryOverride, SingleVersionOverride
from tests.mod.workspace import DIAMOND, extensions_workspace, text, workspace

RING = {"": "a@1 b@1", "a@1": "b@1", "b@1": "a@1 c@1", "c@1": ""}
CHAIN = {"": "a@1", "a@1": "b@1", "b@1": "c@1", "c@1": "d@1", "d@1": ""}


def tree(*lines: str) -> str:
    return "\n".join(lines)


def test_a_module_is_expanded_once() -> None:
    assert text(extensions_workspace(), "graph") == tree(
        "<root> (mine@0.1)",
        "├───leaf@1.1",
        "├───left@1.0",
        "│   └───leaf@1.1 (*)",
        "└───right@1.0",
        "    └───leaf@1.1 (*)",
    )


def test_what_lost_is_shown_when_it_is_wanted() -> None:
    assert text(extensions_workspace(), "explain leaf --verbose --include_unused") == tree(
        "<root> (mine@0.1)",
        "├───leaf@1.0 # (to 1.1, cause right@1.0)",
        "├───leaf@1.1 # (was 1.0, cause right@1.0)",
        "├───left@1.0",
        "│   ├───leaf@1.0 # (to 1.1, cause right@1.0)",
        "│   └───leaf@1.1 # (was 1.0, cause right@1.0)",
        "└───right@1.0",
        "    └───leaf@1.1 #",
    )
    assert "leaf@1.0 (unused)" in text(extensions_workspace(), "deps leaf@1.0 --include_unused")


def test_a_version_of_the_root_that_somebody_asks_for_lost_to_the_root() -> None:
    """As 7.7.1 shows it, which was asked."""
    where = workspace({"": "a@1", "a@1": "root@0.5"})
    assert text(where, "graph --include_unused") == tree(
        "<root> (root@_)", "└───a@1", "    ├───<root> (root@_)(cycle)", "    └───root@0.5 (unused)"
    )
    assert text(where, "graph") == tree("<root> (root@_)", "└───a@1", "    └───<root> (root@_)(cycle)")


def test_path_shows_one_way_and_all_paths_every_dependent() -> None:
    where = workspace(DIAMOND)
    assert text(where, "path leaf") == tree("<root> (root@_)", "└───leaf@1.1 #")
    assert text(where, "all_paths leaf --from=left") == tree("<root> (root@_)", "└───left@1.0", "    └───leaf@1.1 #")
    assert text(where, "all_paths left --from=left") == "No path found to the specified target modules."
    assert text(where, "path") == "No target modules specified."


def test_below_the_depth_only_what_leads_to_a_target_is_left() -> None:
    where = workspace(CHAIN)
    assert text(where, "graph --depth=2") == tree("<root> (root@_)", "└───a@1", "    └───b@1")
    assert text(where, "explain d") == tree("<root> (root@_)", "└───a@1", "    └╌╌╌c@1", "        └───d@1 #")


def test_modules_that_start_are_pinned_to_the_root() -> None:
    assert text(workspace(CHAIN), "graph --from=c") == tree("<root> (root@_)", "└╌╌╌c@1", "    └───d@1")


def test_cycles_are_marked_and_may_be_left_out() -> None:
    assert text(workspace(RING), "graph") == tree(
        "<root> (root@_)", "├───a@1", "│   └───b@1 (*)", "└───b@1", "    ├───a@1 (*)", "    └───c@1"
    )
    loop = {"": "a@1", "a@1": "b@1", "b@1": "a@1"}
    assert text(workspace(loop), "graph") == tree(
        "<root> (root@_)", "└───a@1", "    └───b@1", "        └───a@1 (cycle)"
    )
    assert "cycle" not in text(workspace(loop), "graph --nocycles")


def test_paths_that_cross_end() -> None:
    assert "(cycle)" in text(workspace(RING), "all_paths a b")  # Bazel 7.7.1 draws this one for ever


def test_too_many_paths_are_refused() -> None:
    names = [f"m{number}" for number in range(40)]
    ladder = {"": "m0@1", **{f"{name}@1": " ".join(f"{n}@1" for n in names[i + 1 :]) for i, name in enumerate(names)}}
    with pytest.raises(LoadProblem, match="too many paths"):
        text(workspace(ladder), f"all_paths {' '.join(names)}")


def test_overrides_are_causes() -> None:
    pinned = workspace(DIAMOND, SingleVersionOverride("leaf", "1.0"))
    assert text(pinned, "graph --verbose") == tree(
        "<root> (root@_)",
        "├───leaf@1.0",
        "├───left@1.0",
        "│   └───leaf@1.0 (*)",
        "└───right@1.0",
        "    └───leaf@1.0 (*) (was 1.1, cause single_version_override)",
    )
    local = workspace({**DIAMOND, "leaf@_": ""}, RepositoryOverride("leaf", "local_path_override", {"path": "x"}))
    assert "└───leaf@_ (*) (was 1.1, cause local_path_override)" in text(local, "graph --verbose")


def test_extensions_stand_below_the_modules_that_use_them() -> None:
    assert text(extensions_workspace(), "graph --extension_info=all --depth=1") == tree(
        "<root> (mine@0.1)",
        "├───$@@//:MODULE.bazel%_repo_rules",
        "│   ├───made",
        "│   └───made3",
        "├───$@@//:ext.bzl%ext",
        "│   ├───one",
        "│   ├───three",
        "│   ├───two",
        "│   └╌╌╌extra",
        "├───leaf@1.1",
        "├───left@1.0",
        "└───right@1.0",
    )
    repos = text(extensions_workspace(), "graph --extension_info=repos --depth=1")
    assert "two" in repos
    assert "extra" not in repos
    usages = text(extensions_workspace(), "graph --extension_info=usages --depth=1")
    assert usages.splitlines()[1:3] == ["├───$@@//:MODULE.bazel%_repo_rules", "├───$@@//:ext.bzl%ext"]


def test_a_filter_leaves_those_who_use_the_extension() -> None:
    found = text(extensions_workspace(), "graph --extension_filter=//:ext.bzl%ext --extension_info=usages")
    assert found == tree("<root> (mine@0.1)", "└───$@@//:ext.bzl%ext")


def test_graph_takes_no_modules() -> None:
    with pytest.raises(UsageProblem, match="extra arguments"):
        text(workspace(DIAMOND), "graph leaf")
