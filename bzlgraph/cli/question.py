"""The options of ``bzlgraph query`` that say what is asked (not how it is printed): Bazel's names, one dataclass.

Used as a decorator: ``@question_options`` adds them; ``Question.ask`` asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from bzlgraph.base.errors import UsageProblem
from bzlgraph.cli.session import Session

if TYPE_CHECKING:
    from bzlgraph.config.arguments import ConfigArguments
    from bzlgraph.config.view import AnyGraph
    from bzlgraph.graph.view import GraphView
    from bzlgraph.loading.loader import Loader
    from bzlgraph.query import QueryAnswer

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--implicit_deps/--noimplicit_deps", "implicit_deps", default=True, help="Follow what nobody wrote."),
    click.option(
        "--tool_deps/--notool_deps", "--host_deps/--nohost_deps", "tool_deps", default=True,
        help="Follow what runs while building.",
    ),
    click.option(
        "--nodep_deps/--nonodep_deps", "nodep_deps", default=True, help="Follow the visibility that a rule writes."
    ),
    click.option(
        "--universe_scope", "universe_scope", multiple=True, metavar="P,P,...",
        help="Patterns that allrdeps, rbuildfiles, made_by and callers look in; //... without. -P takes away.",
    ),
    click.option(
        "--infer_universe_scope/--noinfer_universe_scope", "infer_universe_scope", default=False,
        help="Let the patterns of EXPR be the universe.",
    ),
    click.option(
        "--strict_test_suite/--nostrict_test_suite", "strict_test_suite", default=False,
        help="A test_suite that names no test is a problem of tests().",
    ),
    click.option(
        "-k", "--keep_going/--nokeep_going", "keep_going", help="Exit with 3, not 7, when targets are missing."
    ),
    click.option(
        "--deleted_packages", multiple=True, metavar="P,P,...", help="Folders that count as no package."
    ),
    click.option(
        "--query_file", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
        help="Read EXPR from a file.",
    ),
)  # fmt: skip


def question_options(command: Command) -> Command:
    """Add the options to a click command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: the options above, as click gives them."""

    implicit_deps: bool
    tool_deps: bool
    nodep_deps: bool
    universe_scope: tuple[str, ...]
    infer_universe_scope: bool
    strict_test_suite: bool
    keep_going: bool
    deleted_packages: tuple[str, ...]
    query_file: Path | None

    def answer(
        self, session: Session, expression: tuple[str, ...], configured: ConfigArguments | None = None
    ) -> QueryAnswer:
        """Ask. Raises what ``query`` raises; UsageProblem when there is no expression or there are two."""
        return self.ask(session, expression, configured).answer

    def ask(self, session: Session, expression: tuple[str, ...], configured: ConfigArguments | None = None) -> Asked:
        """Ask, in a configuration if ``configured`` chooses one. Raises as ``answer``."""
        text = self.text(expression)
        loader, graph = self.loaded(session, configured)
        return Asked(self.of_graph(session, text, loader, graph), loader, graph)

    def loaded(self, session: Session, configured: ConfigArguments | None = None) -> tuple[Loader, AnyGraph]:
        """The graph to ask, as a configuration sees it if one is chosen."""
        return session.graph(frozenset(map(_package, _split(self.deleted_packages))), configured)

    def of_graph(self, session: Session, text: str, loader: Loader, graph: GraphView) -> QueryAnswer:
        """Ask a graph that is there already."""
        from bzlgraph.query import Environment, Settings, query

        settings = Settings(
            self.implicit_deps, self.tool_deps, self.keep_going, session.package(loader),
            loader.workspace.map_repository, self.nodep_deps, tuple(_split(self.universe_scope)),
            self.infer_universe_scope, self.strict_test_suite, loader.workspace.facts,
        )  # fmt: skip
        return query(text, Environment(graph, settings))

    def text(self, expression: tuple[str, ...]) -> str:
        """The expression. Raises UsageProblem when there is none, or two."""
        if self.query_file is None and not expression:
            raise UsageProblem("what is the question? give an expression, or --query_file")
        if self.query_file is None:
            return " ".join(expression)
        if expression:
            raise UsageProblem("an expression and --query_file cannot be given both")
        try:
            return self.query_file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageProblem(f"--query_file={self.query_file}: {error}") from None


@dataclass(frozen=True, slots=True)
class Asked:
    """An answer, and the graph it was asked of: in a configuration when one was chosen."""

    answer: QueryAnswer
    loader: Loader
    graph: AnyGraph


def _split(lists: Iterable[str]) -> list[str]:
    """Comma-separated lists, one after another."""
    return [item.strip() for each in lists for item in each.split(",") if item.strip()]


def _package(text: str) -> tuple[str, str]:
    """``a/b``, ``//a/b`` or ``@r//a/b`` -> (repository, package)."""
    repo, _, package = text.rpartition("//")
    return repo.lstrip("@"), package.strip("/")
