"""Packages that do not exist: (workspace, package) -> ``Diagnostic`` for a name that somebody typed, ``Gap`` for one
that an edge leads to in a repository that is not on disk.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import PurePosixPath

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.label import (
    UNKNOWN_REPOSITORY,
    unknown_repository,
    unknown_repository_words,
    written_repository,
)
from bzlgraph.base.spell import nearest
from bzlgraph.base.words import override_option
from bzlgraph.bazel.files.workspace_functions import unread_hint
from bzlgraph.loading.external import unknown_macros
from bzlgraph.workspace.repositories.table import Repository
from bzlgraph.workspace.tree import BOUNDARY_FILES
from bzlgraph.workspace.workspace import Workspace


@dataclass
class MissingPackages:
    """``packages_below`` names all packages at or below a folder of a repository."""

    workspace: Workspace
    packages_below: Callable[[str, str], list[str]]

    def why(self, repo: str, name: str) -> Diagnostic:
        """Why there is no such package, and what may have been meant."""
        repository = self.workspace.repository(repo)
        no_such = f"no such package '{_spelled(repo, name)}'"
        if repo and not repository.present:
            fetch = self.workspace.repositories.fetch_of_submodule(repository)
            give = f"give its folder with {override_option(repository.canonical)}" if not fetch else _unfetched(fetch)
            if not repo.strip("."):
                give = "no pattern stands for all repositories; filter('^@', EXPR) chooses what is in other ones"
            return Diagnostic(no_such + self._absence(repo, repository), hint=give)
        if repo.startswith(UNKNOWN_REPOSITORY):
            is_file = self.workspace.repositories.main.tree.source.is_file
            hint = self._seen_as(repo) or unread_hint(self.workspace.facts, is_file)
            return Diagnostic(f"{no_such}: {unknown_repository_words(repo)}", hint=hint)
        if repository.problems:
            problem = repository.problems[0]
            return replace(problem, message=f"{no_such}: {problem.message}")
        from bzlgraph.workspace.no_package import why_no_package  # most trees have every package that is named

        reason = why_no_package(repository.tree, name)
        return Diagnostic(f"{no_such}: {reason.what}", hint=reason.hint or self._meant_instead(repo, name))

    def gap(self, repo: str, name: str) -> Gap:
        """What is not known where a package is asked for whose repository is not on disk."""
        repository = self.workspace.repository(repo)
        hides = "its targets and their dependencies are unknown"
        kind, pinned = GapKind.REPOSITORY, [gap for gap in repository.gaps if gap.kind == GapKind.LOCK.value]
        if pinned:
            packages = list(repository.tree.packages_below(""))
            near = nearest(name, packages)
            hides += f" ({pinned[0].what}{f'; the nearest is {_spelled(repo, near)}' if near else ''})"
            kind = GapKind.LOCK if len(pinned) == 1 and packages else kind
        elif repository.refused:
            hides += f" ({repository.refused}; {override_option(repository.canonical)})"
        elif fetch := self.workspace.repositories.fetch_of_submodule(repository):
            hides += f" ({_unfetched(fetch)})"
        return Gap(kind.value, _spelled(repo, name), hides, repository=repo)

    def _absence(self, repo: str, repository: Repository) -> str:
        """What is known of a repository that is not on disk, after the name of a package in it."""
        if repository.refused:
            return f": {repository.refused}"
        if repository.lacks:
            return f" in what is known of '@{repo}': {repository.lacks}"
        absent = f": the repository '@{repo}' is not on disk"
        if repository.call is not None:
            return absent
        maker = next(unknown_macros(self.workspace.names.context), None)
        if maker is not None:
            where = f" ({maker.location})" if maker.location is not None else ""
            return f"{absent}; an unknown macro may define it: {maker.what}{where}"
        return f"{absent}, and no WORKSPACE or MODULE.bazel of this checkout defines it"

    def _seen_as(self, repo: str) -> str | None:
        """The names of a module that the main repository sees by another name than the one it was asked for by."""
        name = written_repository(repo)
        by_root = repo.partition(" (")[0].removesuffix("]") == unknown_repository(name, "").removesuffix("]")
        seen = self.workspace.names.seen_as(name) if by_root else ()
        return f"did you mean {' or '.join(f'@{each}' for each in seen)}? (module {name})" if seen else None

    def _meant_instead(self, repo: str, name: str) -> str | None:
        """What may have been meant by the name of a package that does not exist."""
        nested = self._workspace_inside(name) if not repo else None
        if nested is not None:
            return f"{nested}/ is a separate workspace that has //{name}: use -C {nested}"
        parent = name.rpartition("/")[0]
        near = nearest(name, self.packages_below(repo, parent) or self.packages_below(repo, ""))
        return f"did you mean {_spelled(repo, near)}?" if near else None

    def _workspace_inside(self, name: str) -> str | None:
        """The folder that is a workspace of its own and has a package of this name."""
        tree = self.workspace.repositories.main.tree
        return next((each for each in self._inner_workspaces if tree.build_file(f"{each}/{name}") is not None), None)

    @cached_property
    def _inner_workspaces(self) -> list[str]:
        """The folders of the checkout that are workspaces of their own."""
        source = self.workspace.repositories.main.tree.source
        packages = map(PurePosixPath, self.packages_below("", ""))
        folders = dict.fromkeys(str(each) for package in packages for each in (package, *package.parents))
        return [
            each for each in folders if each != "." and any(source.is_file(f"{each}/{mark}") for mark in BOUNDARY_FILES)
        ]


def _spelled(repo: str, package: str) -> str:
    return f"@{repo}//{package}" if repo else f"//{package}"


def _unfetched(fetch: str) -> str:
    return f"its submodule is not checked out: {fetch}"
