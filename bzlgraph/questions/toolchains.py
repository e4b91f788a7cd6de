"""Which toolchains stand behind an answer of ``why``, and why a toolchain that was asked about is not chosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

from bzlgraph.base.label import Label
from bzlgraph.config.configured.view import AnyGraph
from bzlgraph.config.toolchains.answer import Resolution, TypeResolution
from bzlgraph.graph.model import EdgeFlag
from bzlgraph.why.answer import ToolchainReason, WhyAnswer

MAX_ASKING = 3
"""The most targets that are listed for which a toolchain is a candidate and was not chosen."""


def toolchain_reasons(view: AnyGraph, answer: WhyAnswer, starts: Iterable[int]) -> Iterator[ToolchainReason]:
    """The resolution behind each toolchain edge on the way; where there is no way, those that the target was a
    candidate in."""
    for before, here in pairwise(answer.steps):
        if any(reason.flags & EdgeFlag.TOOLCHAIN for reason in here.reasons):
            for resolution in _with(view.toolchains_of(before.node.id), here.node.label):
                yield ToolchainReason(before.node, resolution)
    if answer.no_way is not None:
        yield from _unchosen(view, answer.target.label, starts)


def _unchosen(view: AnyGraph, target: Label, starts: Iterable[int]) -> Iterator[ToolchainReason]:
    asking = (node for node in sorted(view.closure(starts)) if view.toolchains_of(node))
    found = (
        ToolchainReason(view.describe(node), resolution)
        for node in asking
        for resolution in _with(view.toolchains_of(node), target)
    )
    yield from (reason for reason, _ in zip(found, range(MAX_ASKING), strict=False))


def _with(resolutions: Iterable[Resolution], label: Label) -> Iterator[Resolution]:
    """Those types of resolutions that have something to do with a label: it is the type, a toolchain, or what
    implements one."""
    for resolution in resolutions:
        types = tuple(each for each in resolution.types if label in _named(each))
        if types:
            yield replace(resolution, types=types)


def _named(kind: TypeResolution) -> Iterator[Label | None]:
    yield from (kind.asked, kind.type)
    for candidate in kind.candidates:
        yield from (candidate.toolchain.label, candidate.toolchain.implementation)
