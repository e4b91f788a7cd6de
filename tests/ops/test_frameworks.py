"""Which framework a tree holds: told by a file that only its sources have."""

import pytest

from bzlgraph.base.errors import UsageProblem
from bzlgraph.ops.frameworks import FRAMEWORKS, choose
from bzlgraph.workspace.sources.source import MemorySource
from bzlgraph.workspace.tree import RepositoryTree


def _tree(files: dict[str, bytes], **more: frozenset[str]) -> RepositoryTree:
    return RepositoryTree(MemorySource(files), **more)


@pytest.mark.parametrize(("name", "mark"), [(each.name, mark) for each in FRAMEWORKS for mark in each.marks])
def test_a_tree_is_known_by_its_marks(name: str, mark: str) -> None:
    assert choose(_tree({mark: b""})).name == name


@pytest.mark.parametrize("name", ["", "jax"])
def test_a_tree_without_the_framework_is_refused_and_its_mark_named(name: str) -> None:
    with pytest.raises(UsageProblem, match=r"there is no .*jax/_src/lax/lax\.py"):
        choose(_tree({"jax/README.md": b""}), name)


def test_a_tree_whose_cpp_defines_handlers_extends_jax() -> None:
    assert choose(_tree({"norm.cc": b"XLA_FFI_DEFINE_HANDLER_SYMBOL(Norm, NormImpl, Bind());"})).name == "jax"


def test_ops_of_an_ignored_workspace_are_not_those_of_the_tree() -> None:
    files = {"port/ops.cc": b'REGISTER_OP("Mine");', "port/MODULE.bazel": b""}
    assert choose(_tree(files)).name == "tensorflow"
    with pytest.raises(UsageProblem) as refused:
        choose(_tree(files, ignored=frozenset({"port", "docs"})))
    hint = ".bazelignore leaves out port, a workspace of its own: -C port searches there"
    assert refused.value.diagnostic.hint == hint
