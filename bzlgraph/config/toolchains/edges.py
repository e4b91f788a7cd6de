"""What toolchain resolution adds to a configured view: edges of a rule, and refusals.

Bazel's cquery has a toolchain, and from 0.27 on the type it is of, among the dependencies of a target; ``toolchain()``
rules, which are only looked at to choose, it has not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Rule
from bzlgraph.config.toolchains.answer import Resolution
from bzlgraph.config.verdict import Truth
from bzlgraph.graph.model import EdgeFlag

_FLAGS, _POSSIBLE = int(EdgeFlag.IMPLICIT | EdgeFlag.TOOLCHAIN), int(EdgeFlag.POSSIBLE)


class ToolchainEdge(NamedTuple):
    """An edge of a rule in a configuration; ``as_tool``: its target is in that of the tools."""

    target: Label
    attribute: str
    flags: int
    as_tool: bool = False


def toolchain_edges(resolutions: Iterable[Resolution], as_tool: bool, to_types: bool) -> Iterator[ToolchainEdge]:
    """To the toolchain types that are asked for, if ``to_types``, and to the toolchains that are or may be chosen."""
    flags = _FLAGS | int(EdgeFlag.TOOL) if as_tool else _FLAGS
    for resolution in resolutions:
        for each in resolution.types:
            if to_types:
                yield ToolchainEdge(each.asked, "toolchains", _FLAGS)
            for candidate in each.chosen:
                implementation = candidate.toolchain.implementation
                if implementation is not None:
                    possible = 0 if candidate.chosen is Truth.YES else _POSSIBLE
                    yield ToolchainEdge(implementation, "toolchain", flags | possible, as_tool)


def toolchain_refusals(rule: Rule, resolutions: Iterable[Resolution]) -> Iterator[Diagnostic]:
    """What Bazel says when it finds no toolchains for a rule."""
    for error in dict.fromkeys(each.error for each in resolutions if each.error):
        yield Diagnostic(f"{rule.label}: {error}", rule.location)
