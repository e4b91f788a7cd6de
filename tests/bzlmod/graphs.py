"""Module graphs for tests, written short: ``resolved({"": "a@1 b@2", "a@1": "c@1", "b@2": "c@2", "c@1": "", ...})``.

A key is a module and its version, "" the root, ``c@2:1`` a compatibility level; the value lists dependencies:
``name@version``, with ``<3`` a max_compatibility_level, ``=name`` a repo_name, ``?`` before it for repo_name = None,
``!`` for a dev dependency.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from bzlgraph.bzlmod.discovery import ModuleSource
from bzlgraph.bzlmod.module import ROOT, Dependency, ModuleFile, ModuleKey, Override
from bzlgraph.bzlmod.resolution import ResolvedModules
from bzlgraph.bzlmod.resolve import resolve
from bzlgraph.facts.modules import ModuleFacts, module_facts

_DEPENDENCY = re.compile(r"([?!]?)([\w.-]+)@([\w.-]*)(?:<(\d+))?(?:=(\w+))?")
FACTS = replace(module_facts("7.7.1"), built_in=())
"""Without the built-in modules, which would stand in every answer."""


def key(text: str) -> ModuleKey:
    """``a@1``"""
    name, _, version = text.partition("@")
    return ModuleKey(name, version.removesuffix("_"))


def dependency(text: str) -> Dependency:
    """One dependency in the short form."""
    match = _DEPENDENCY.fullmatch(text)
    assert match is not None, text
    mark, name, version, level, repo_name = match.groups()
    visible = None if mark == "?" else repo_name or name
    return Dependency(name, version, visible, int(level or -1), dev=mark == "!")


def module_files(graph: Mapping[str, str]) -> dict[ModuleKey, ModuleFile]:
    """The files of a graph."""
    files = {}
    for text, dependencies in graph.items():
        written, _, level = text.partition(":")
        name, version = key(written)
        files[ModuleKey(name, version)] = ModuleFile(
            name or "root",
            version,
            name or "root",
            compatibility_level=int(level or 0),
            dependencies=tuple(dependency(each) for each in dependencies.split()),
        )
    return files


def resolved(
    graph: Mapping[str, str],
    *overrides: Override,
    facts: ModuleFacts = FACTS,
    ignore_dev: bool = False,
    files: Mapping[ModuleKey, ModuleFile] | None = None,
    given: Mapping[str, Override] | None = None,
) -> ResolvedModules:
    """The graph, resolved; ``files`` are more of them, or others; ``given`` the overrides of the command line."""
    known = {**module_files(graph), **(files or {})}
    root = replace(known[ROOT], overrides={each.module: each for each in overrides})
    return resolve(
        root,
        lambda wanted: ModuleSource(known.get(wanted), problem="" if wanted in known else "module not found"),
        facts,
        given,
        ignore_dev=ignore_dev,
    )


def chosen(modules: ResolvedModules) -> str:
    """The modules that are used, without the root."""
    return " ".join(str(each) for each in modules.modules if each != ROOT)


def problems(modules: ResolvedModules) -> list[str]:
    """The messages of what Bazel refuses."""
    return [each.message for each in modules.problems]
