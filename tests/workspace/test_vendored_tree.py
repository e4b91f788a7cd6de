"""A tree in the shape of TensorFlow 2.2x: every repository that lies in it is found without an option.

Written anew: two vendored folders that a symlinking rule makes repositories, code of WORKSPACE loaded from them, a
Python and a CUDA that the environment of repository rules chooses, WORKSPACE beside MODULE.bazel.
"""

from __future__ import annotations

import pytest

from bzlgraph.bazel.model import Package
from bzlgraph.loading.loader import Loader
from bzlgraph.workspace.options import Options, RepositoryOptions
from bzlgraph.workspace.sources.source import MemorySource
from bzlgraph.workspace.workspace import open_workspace
from tests.bazel.memory_workspace import files_of
from tests.workspace.vendored_tree import TREE


def core(*environment: tuple[str, str]) -> tuple[list[str], list[str], Loader]:
    """The dependencies and tags of //tree:core in a workspace with nothing unknown."""
    options = Options(enable_bzlmod=False, repositories=RepositoryOptions(repo_env=environment))
    loader = Loader(open_workspace(".", options, MemorySource(files_of(TREE))))
    assert loader.workspace.diagnostics == []
    found = known(loader, "", "tree").targets["core"].values
    return [str(label) for label in found["deps"]], found["tags"], loader


def known(loader: Loader, repo: str, name: str) -> Package:
    found = loader.find(repo, name)
    assert found is not None
    assert (found.diagnostics, found.gaps) == ([], [])
    return found


def test_vendored_folders_are_repositories():
    deps, tags, loader = core()
    assert deps == ["@local_xla//xla:shape", "@local_tsl//tsl:status"]
    assert tags == ["3.10", "numpy==1.22"]
    shape = known(loader, "local_xla", "xla").targets["shape"].values
    assert [str(label) for label in (*shape["srcs"], *shape["deps"])] == [
        "@local_xla//xla:shape.cc",
        "@local_tsl//tsl:status",
    ]
    for name in ("local_xla", "local_tsl", "python_version_repo", "tsl_tools", "local_config_cuda"):
        repository = loader.workspace.repository(name)
        assert (repository.present, repository.gaps, repository.problems) == (True, (), ()), name


def test_the_environment_chooses_python_and_cuda():
    deps, tags, loader = core(("HERMETIC_PYTHON_VERSION", "3.11"), ("TF_NEED_CUDA", "1"))
    assert deps[-1] == "@local_config_cuda//cuda:runtime"
    assert tags == ["3.11", "numpy==1.26"]
    assert str(known(loader, "local_config_cuda", "cuda").targets["runtime"].values["deps"][0]) == "@cuda_cudart//:v12"
    assert "python3.11" in known(loader, "tsl_tools", "").targets


@pytest.mark.parametrize("version", ["2.7", "4"])
def test_a_version_that_the_tree_does_not_have_is_an_error(version: str):
    options = Options(
        enable_bzlmod=False, repositories=RepositoryOptions(repo_env=(("HERMETIC_PYTHON_VERSION", version),))
    )
    workspace = open_workspace(".", options, MemorySource(files_of(TREE)))
    assert [each.message for each in workspace.diagnostics] == [f"no requirements for Python {version}"]
