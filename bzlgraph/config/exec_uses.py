"""The configuration of tools: uses of options -> those that a tool is built with.

Tools run on the machine that builds, so Bazel builds them with its host options: ``--host_cpu`` becomes ``--cpu``, what
nothing says so of falls back to its default, defines and Starlark flags stay. Before Bazel 6 this was called the host
configuration, which differs in its name only from what is looked at here.
"""

from __future__ import annotations

from collections.abc import Iterator

from bzlgraph.config.option_use import OptionUse
from bzlgraph.config.origin import default_origin
from bzlgraph.facts.options import OptionTable, exec_options


def exec_uses(uses: tuple[OptionUse, ...], table: OptionTable) -> tuple[OptionUse, ...]:
    """The uses in force for tools, in an order in which the last one still wins."""
    rules = exec_options()
    kept = [use for use in uses if use.is_flag or use.name in rules.kept or not _configures(use, table)]
    return (*kept, *_fixed(table), *_taken(uses, table))


def _configures(use: OptionUse, table: OptionTable) -> bool:
    fact = table.find(use.name)
    return fact is not None and fact.configures


def _fixed(table: OptionTable) -> Iterator[OptionUse]:
    for name, values in exec_options().fixed.items():
        for value in values:
            yield OptionUse(name, value, default_origin(table.version))


def _taken(uses: tuple[OptionUse, ...], table: OptionTable) -> Iterator[OptionUse]:
    """What is set through another option: ``--host_compilation_mode`` says how tools are compiled."""
    for name, source in exec_options().taken.items():
        found = [use for use in uses if use.name == source]
        fact = table.find(source)
        if not found and fact is not None and fact.default is not None and not fact.multiple:
            yield OptionUse(name, fact.default, default_origin(table.version).through(f"--{source}"))
        for use in found:
            yield OptionUse(name, use.value, use.origin.through(f"--{source}"))
