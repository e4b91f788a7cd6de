"""What REPO.bazel may call: ``repo()``, the defaults of every package of a repository, and ``ignore_directories()``.

The arguments of ``repo()`` are those of ``package()``, which replaces them; they are kept as written and applied when a
package is evaluated.
Rules: https://bazel.build/rules/lib/globals/repo
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bzlgraph.base.spell import nearest
from bzlgraph.bazel.context.contexts import Context
from bzlgraph.bazel.context.scope import want_context
from bzlgraph.bazel.package.package_function import ARGUMENTS
from bzlgraph.facts import Facts
from bzlgraph.starlark.builtin import builtin
from bzlgraph.starlark.checks import want_iterable
from bzlgraph.starlark.value import EvalError


@dataclass(slots=True)
class RepoFileContext(Context):
    """A REPO.bazel being evaluated."""

    defaults: dict[str, object] = field(default_factory=dict)
    ignored: tuple[str, ...] | None = None
    called: bool = False


def _context(what: str) -> RepoFileContext:
    return want_context(RepoFileContext, f"{what} can only be called from REPO.bazel")


@builtin("repo")
def repo_function(**kwargs: object) -> None:
    """``repo(default_visibility = [...], ...)``: as ``package()``, for all packages."""
    context = _context("repo()")
    if context.called:
        raise EvalError("'repo' can only be called once in the REPO.bazel file")
    if context.ignored is not None:
        raise EvalError("if repo() is called, it must be called before any other functions")
    context.called = True
    for name in kwargs:
        if name not in ARGUMENTS:
            near = nearest(name, ARGUMENTS)
            raise EvalError(f"unexpected keyword argument: {name}", f"did you mean '{near}'?" if near else None)
    context.defaults.update(kwargs)


@builtin("ignore_directories")
def ignore_directories_function(dirs: object, /) -> None:
    """``ignore_directories(["a", "**/b"])``: folders, or patterns of folders, that do not exist for Bazel."""
    context = _context("ignore_directories()")
    if context.ignored is not None:
        raise EvalError("'ignore_directories()' can only be called once")
    listed = want_iterable(dirs, "ignore_directories", "dirs")
    context.ignored = (
        tuple(each for each in listed if isinstance(each, str)) if isinstance(listed, list | tuple) else ()
    )


def functions(facts: Facts) -> Mapping[str, Callable[..., object]]:
    """Everything REPO.bazel may call, by name."""
    ignoring = (ignore_directories_function,) if facts.ignored_directories else ()
    return {each.name: each for each in (repo_function, *ignoring)}
