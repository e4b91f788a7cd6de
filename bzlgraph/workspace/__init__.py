"""Directory -> repositories: which files exist, what WORKSPACE and MODULE.bazel declare, and the .bzl files."""

from bzlgraph.workspace.options import Options, RepositoryOptions
from bzlgraph.workspace.workspace import Workspace, open_workspace

__all__ = ["Options", "RepositoryOptions", "Workspace", "open_workspace"]
