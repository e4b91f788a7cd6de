"""Well-known .bzl files whose repository is not on disk: what their names stand for.

``fallback_module(label, loader)`` -> names, or None when nothing is known about the file. Two ways, in this order:
* a source of our own in ``facts/fallbacks/REPOSITORY/PATH``, evaluated like any .bzl file (Skylib, Bazel's own tools);
* rule sets that grew out of Bazel (``@rules_cc//cc:defs.bzl%cc_library``): the native rule or global of that name.
What neither has is Unknown. Which repositories: facts/fallbacks.json.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Protocol

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.label import Label, RepoMapping
from bzlgraph.base.span import Location
from bzlgraph.bazel.files.context import BzlContext, Context
from bzlgraph.bazel.values.unknown import UnknownModule
from bzlgraph.facts import Facts, fallback_sources
from bzlgraph.starlark import Module, Thread, Value
from bzlgraph.starlark.evaluation.program import Program
from bzlgraph.syntax.dialect import BZL, Dialect


class Programs(Protocol):
    """What compiles."""

    def program(self, data: bytes, path: str, dialect: Dialect, predeclared: Collection[str]) -> Program:
        """The program of a file's bytes."""


class Loader(Protocol):
    """What is needed of the loader of .bzl files."""

    environment: Mapping[str, object]
    facts: Facts
    contexts: dict[str, Context]

    @property
    def programs(self) -> Programs:
        """What compiles files."""

    @property
    def mapping(self) -> RepoMapping:
        """What apparent repository names mean."""

    @property
    def print(self) -> Callable[[str, Location], None]:
        """Where ``print()`` goes."""

    def thread(self, host: Context, loads: list[Label], diagnostics: list[Diagnostic]) -> Thread:
        """An evaluation of one file."""


def fallback_module(label: Label, loader: Loader) -> Mapping[str, object] | None:
    """The names of a well-known .bzl file of an absent repository."""
    path = f"{label.package}/{label.name}" if label.package else label.name
    family = fallback_sources.family(label.repo)
    if family is None:
        return None
    source = fallback_sources.source(family, path)
    if source is not None:
        return UnknownModule(str(label), _evaluate(label, path, source, loader))
    if fallback_sources.is_native(family, path):
        return NativeNames(str(label), loader.environment)
    return None


def _evaluate(label: Label, path: str, source: bytes, loader: Loader) -> Mapping[str, object]:
    """Run a source of ours as the file ``label``."""
    place = f"external/{label.repo}/{path}"
    context = BzlContext(label.repo, label.package, loader.mapping, loader.facts, loaded=loader.contexts, path=place)
    loader.contexts[place] = context
    module = Module(loader.programs.program(source, place, BZL, loader.environment.keys()), loader.environment)
    module.run(loader.thread(context, [], []))
    module.freeze()
    names: Mapping[str, object] = module.globals
    return names


class NativeNames(UnknownModule):
    """The native rules and globals of .bzl files, by name; anything else is Unknown."""

    def __init__(self, source: str, environment: Mapping[str, object]) -> None:
        super().__init__(source)
        self._environment = environment

    def __getitem__(self, name: str) -> object:
        native = self._environment["native"]
        if name not in self._values and isinstance(native, Value):
            try:
                self._values[name] = native.get_attr(name)
            except AttributeError:
                if name in self._environment:
                    self._values[name] = self._environment[name]
        return super().__getitem__(name)
