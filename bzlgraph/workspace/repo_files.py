"""REPO.bazel evaluated: source -> what it says of every package of its repository.

Rules: https://bazel.build/external/overview#repo.bazel
"""

from __future__ import annotations

from functools import partial

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import BzlgraphError
from bzlgraph.bazel.files.environment import dialect_of, repo_environment
from bzlgraph.bazel.files.repo_file import RepoFileContext
from bzlgraph.bazel.files.run_file import run_file
from bzlgraph.starlark.module import Module
from bzlgraph.syntax.dialect import MODULE
from bzlgraph.workspace.bzl_files import BzlLoader
from bzlgraph.workspace.repositories.provision import RepoFile
from bzlgraph.workspace.sources.source import Source

REPO_FILE = "REPO.bazel"


def read_repo_file(loader: BzlLoader, source: Source, repo: str, canonical: str) -> RepoFile:
    """The REPO.bazel of a repository; an empty one where there is none, or where this Bazel does not read it."""
    if not loader.facts.repo_file or not source.is_file(REPO_FILE):
        return RepoFile()
    shown = f"external/{canonical}/{REPO_FILE}" if canonical else REPO_FILE
    names = repo_environment(loader.facts)
    context = RepoFileContext(repo, "", loader.mapping, loader.facts)
    problems: list[Diagnostic] = []
    try:
        text = (source.read(REPO_FILE), shown, dialect_of(MODULE, loader.facts), names.keys())
        module = Module(loader.programs.salvaged(*text, problems), names)
        run_file(module, loader.thread(context, [], problems), context, partial(loader.programs.prefix, *text))
    except OSError as error:
        problems.append(Diagnostic(f"cannot read {shown}: {error.strerror}"))
    except BzlgraphError as error:
        problems.extend(error.diagnostics)
    return RepoFile(context.defaults, context.ignored or (), tuple(problems))
