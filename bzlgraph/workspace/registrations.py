"""What a workspace registers: ``register_toolchains`` and ``register_execution_platforms``, in Bazel's order.

Workspace -> ``Registrations``. The root module's come first, then those of WORKSPACE, then those of other modules. What
Bazel registers by itself, after all of them, is not among them: it has toolchains of its own types only.
Doc: https://bazel.build/extending/toolchains#registering-building-toolchains
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.bzlmod.module import ROOT, ModuleFile, Registration
from bzlgraph.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class RegisteredPattern:
    """A target pattern, and the repository in whose names it is written; ``missing`` is what is not known instead."""

    text: str
    repo: str = ""
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Registrations:
    """All patterns, the first to count first. ``gaps`` may hide more of them, at any place."""

    toolchains: tuple[RegisteredPattern, ...] = ()
    platforms: tuple[RegisteredPattern, ...] = ()
    gaps: tuple[Gap, ...] = ()


def registrations(workspace: Workspace) -> Registrations:
    """What is registered, as far as it is known."""
    own = workspace.context
    return Registrations(
        (*map(RegisteredPattern, own.toolchains), *_of_modules(workspace, lambda file: file.toolchains)),
        (*map(RegisteredPattern, own.platforms), *_of_modules(workspace, lambda file: file.platforms)),
        tuple(gap for gap in own.gaps if gap.kind in (GapKind.CALL.value, GapKind.CHOICE.value)),
    )


def _of_modules(
    workspace: Workspace, written: Callable[[ModuleFile], tuple[Registration, ...]]
) -> Iterator[RegisteredPattern]:
    """What modules other than the root register (its own stand in the context of WORKSPACE already)."""
    resolved = workspace.resolved_modules
    for key, module in resolved.modules.items() if resolved is not None else ():
        if key == ROOT or module.built_in:
            continue
        if module.file is None:
            yield RegisteredPattern("", missing=f"MODULE.bazel of {key} is not on disk")
            continue
        repo = workspace.names.of_canonical(module.canonical)
        for each in written(module.file):
            yield RegisteredPattern(each.pattern, repo)
