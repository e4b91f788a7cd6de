"""Text -> syntax tree: the language of BUILD, .bzl, WORKSPACE, MODULE.bazel and .star files."""

from typing import TYPE_CHECKING, Any

from bzlgraph.syntax.dialect import BUILD, BZL, MODULE, SCL, SPEC, WORKSPACE, Dialect, for_path

if TYPE_CHECKING:
    from bzlgraph.syntax.parse_source import Parsed, parse, parse_prefix

__all__ = [
    "BUILD",
    "BZL",
    "MODULE",
    "SCL",
    "SPEC",
    "WORKSPACE",
    "Dialect",
    "Parsed",
    "for_path",
    "parse",
    "parse_prefix",
]


def __getattr__(name: str) -> Any:
    """The parser is imported when it is used: a run that finds everything in its caches parses nothing."""
    if name in __all__:
        from bzlgraph.syntax import parse_source

        return getattr(parse_source, name)
    raise AttributeError(f"module 'bzlgraph.syntax' has no attribute '{name}'")
