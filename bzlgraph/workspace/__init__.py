"""Directory -> repositories: which files exist, what WORKSPACE and MODULE.bazel declare, and the .bzl files."""

from bzlgraph.workspace.workspace import Options, Workspace, open_workspace

__all__ = ["Options", "Workspace", "open_workspace"]
