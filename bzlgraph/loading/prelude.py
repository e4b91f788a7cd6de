"""The prelude of a repository: names that all of its BUILD files have without a ``load()``.

It is ``//tools/build_rules:prelude_bazel`` of the package's own repository, where that folder is a package. Since
Bazel 3.5 it is a module like a .bzl file, and a BUILD file has all its names: those it loads, and those that begin with
``_``, too. Before, its statements began each BUILD file, and what they load counted as loaded there.
No documentation says so: 0.19.1 to 7.7.1 were asked. The change: https://github.com/bazelbuild/bazel/issues/11940
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.label import Label
from bzlgraph.starlark.evaluation.thread import NOWHERE, Thread
from bzlgraph.workspace.bzl_files import PRELUDE, BzlLoader
from bzlgraph.workspace.repositories.table import Repository


def prelude_of(repository: Repository) -> Label | None:
    """The label of a repository's prelude; None where it has none."""
    package, name = PRELUDE
    tree = repository.tree
    there = tree.build_file(package) is not None and name in tree.entries(package)[0]
    return Label(repository.name, package, name) if there else None


class Beginning(NamedTuple):
    """What a BUILD file begins with: the names that it may use, and (bytes, path for people) of what runs before it."""

    names: Mapping[str, object]
    files: tuple[tuple[bytes, str], ...] = ()


def begin(bzl_loader: BzlLoader, repository: Repository, thread: Thread, names: Mapping[str, object]) -> Beginning:
    """What the BUILD file that a thread is for begins with, which may use ``names`` anyway."""
    prelude, context = prelude_of(repository), thread.host
    if prelude is None:
        return Beginning(names)
    problems = context.building.diagnostics
    if context.facts.prelude_is_module:
        load = bzl_loader.callback([], problems)  # no load() of the file names it: it is not one of those that it loads
        return Beginning({**names, **load("//{}:{}".format(*PRELUDE), thread, NOWHERE)})
    try:
        data = repository.tree.source.read(prelude.path)
    except OSError as error:
        problems.append(Diagnostic(f"cannot read {prelude}: {error.strerror}"))
        return Beginning(names)
    return Beginning(names, ((data, repository.path_of(prelude.path)),))
