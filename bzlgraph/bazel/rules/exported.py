"""What a .bzl file defines with an implementation, and what is called after the first global that it is bound to.

A rule, an aspect, a macro, a repository rule, a module extension: ``x = rule(implementation = f)`` -> "x". Bazel
names them when the file has run; until then they cannot be used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from bzlgraph.base.label import Label
from bzlgraph.bazel.files.scope import evaluation_context, exporting_label
from bzlgraph.starlark.value import Value
from bzlgraph.starlark.values import freeze


class Named(Protocol):
    """What has the name: the value itself or its model."""

    name: str
    bzl: Label | None


class ExportedValue(Value):
    """A value with an implementation; ``named`` gets the name, and the label of the file that gave it."""

    __slots__ = ("_context", "implementation", "named")

    def __init__(self, implementation: Callable[..., object], named: Named) -> None:
        self.implementation = implementation
        self.named = named
        self._context = evaluation_context()

    def export(self, path: str, name: str) -> None:
        """The first global it is bound to names it; ``path`` is that of the file."""
        if not self.named.name:
            self.named.name = name
            self.named.bzl = exporting_label(self._context, path)

    def freeze(self) -> None:
        freeze(self.implementation)


class ExportedFunction(ExportedValue):
    """One that has no model: it holds name and file itself."""

    __slots__ = ("bzl", "name")

    def __init__(self, implementation: Callable[..., object]) -> None:
        self.name = ""
        self.bzl: Label | None = None
        super().__init__(implementation, self)
