"""What a .bzl file defines with an implementation, and what is called after the first global that it is bound to.

A rule, an aspect, a macro, a repository rule, a module extension: ``x = rule(implementation = f)`` -> "x". Bazel
names them when the file has run; until then they cannot be used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from bzlgraph.base.label import Label
from bzlgraph.bazel.context.contexts import Context
from bzlgraph.bazel.context.scope import evaluation_context, file_label
from bzlgraph.bazel.model import Aspect, RuleClass
from bzlgraph.starlark.value import Value
from bzlgraph.starlark.values import freeze


@dataclass(slots=True, eq=False)
class ExportedValue(Value):
    """A value with an implementation; ``named`` gets the name, and the label of the file that gave it."""

    implementation: Callable[..., object]
    name: str = field(default="", init=False)
    bzl: Label | None = field(default=None, init=False)
    _context: Context = field(default_factory=evaluation_context, init=False)

    @property
    def named(self) -> ExportedValue | RuleClass | Aspect:
        """What has the name: its model where there is one, else the value itself."""
        return self

    def export(self, path: str, name: str) -> None:
        """The first global it is bound to names it; ``path`` is that of the file."""
        if not self.named.name:
            self.named.name = name
            self.named.bzl = self._label_of(path)

    def _label_of(self, path: str) -> Label:
        """Values are told their name after their file has run, when no evaluation is running any more."""
        return file_label(self._context.context_of(path))

    def freeze(self) -> None:
        freeze(self.implementation)
