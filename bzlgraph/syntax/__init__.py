"""Text -> syntax tree: the language of BUILD, .bzl, WORKSPACE, MODULE.bazel and .star files."""

from bzlgraph.syntax.dialect import BUILD, BZL, MODULE, SPEC, WORKSPACE, Dialect, for_path
from bzlgraph.syntax.parse_source import Parsed, parse, parse_prefix

__all__ = ["BUILD", "BZL", "MODULE", "SPEC", "WORKSPACE", "Dialect", "Parsed", "for_path", "parse", "parse_prefix"]
