"""A workspace of a few files, as a configuration sees it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from bzlgraph.base.label import parse
from bzlgraph.config.arguments import ConfigArguments, configuration_for
from bzlgraph.config.configured.view import ConfiguredView
from bzlgraph.config.settings import settings_for
from bzlgraph.config.verdict import Verdict
from bzlgraph.graph.build import BuildGraph
from bzlgraph.graph.view import GraphView
from bzlgraph.loading.loader import open_loader
from bzlgraph.query.answer import QueryAnswer
from bzlgraph.query.environment import Environment, QuerySettings
from bzlgraph.query.evaluate import query
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.workspace import open_workspace
from tests.written_files import write_files


def view(folder: Path, files: Mapping[str, str], *words: str, version: str = "4.2.3") -> ConfiguredView:
    """The graph of files, a configuration chosen by words."""
    write_files(folder, {"WORKSPACE": "", **files})
    loader = open_loader(open_workspace(folder, Options(bazel_version=version, jobs=1)))
    graph = BuildGraph(loader)
    configuration = configuration_for(loader.workspace, ConfigArguments(words or ("-c", "fastbuild")))
    assert configuration is not None
    return ConfiguredView(graph, settings_for(graph, loader.workspace, configuration))


def verdict(seen: ConfiguredView, label: str) -> Verdict:
    """The verdict on a condition."""
    return seen.configuration.verdict(parse(label, "", ""))


def ask(seen: GraphView, text: str) -> QueryAnswer:
    """The answer to a query in a view."""
    return query(text, Environment(seen, QuerySettings()))
