"""The loader: packages on demand, each evaluated once, and all of them (in parallel) when a question needs them.

It is the ``GraphSource`` that graphs grow from. This class and the graph builder are the only holders of mutable state above the workspace.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import LoadProblem
from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Package, Target
from bzlgraph.loading.evaluate import evaluate_package
from bzlgraph.workspace.workspace import Workspace

PackageId = tuple[str, str]


@dataclass(slots=True)
class Loader:
    """Packages of a workspace."""

    workspace: Workspace
    _packages: dict[PackageId, Package | None] = field(default_factory=dict)

    def package(self, repo: str, name: str) -> Package | None:
        """The package, evaluated on first use; None when its repository is not on disk.

        Raises LoadProblem when the folder is no package.
        """
        package = self.find(repo, name)
        if package is None and self.workspace.repository(repo).present:
            raise LoadProblem(self.missing(repo, name))
        return package

    def find(self, repo: str, name: str) -> Package | None:
        """The package, None when there is no such package for whatever reason."""
        key = (repo, name)
        if key not in self._packages:
            repository = self.workspace.repository(repo)
            exists = repository.tree.build_file(name) is not None
            self._packages[key] = evaluate_package(self.workspace, repository, name) if exists else None
        return self._packages[key]

    def target(self, label: Label) -> Target | None:
        """The target of a label, None when it does not exist."""
        package = self.find(label.repo, label.package)
        return package.targets.get(label.name) if package is not None else None

    def packages_below(self, repo: str, prefix: str) -> list[str]:
        """Names of all packages at or below a folder of a repository, sorted."""
        return list(self.workspace.repository(repo).tree.packages_below(prefix))

    def prefetch(self, keys: Iterable[PackageId]) -> None:
        """Load many packages at once, in parallel where that pays."""
        wanted = [key for key in dict.fromkeys(keys) if key not in self._packages]
        for repo, name in wanted:
            self.find(repo, name)
        self.workspace.modules.programs.flush()

    def loaded(self) -> list[Package]:
        """Every package evaluated so far."""
        return [package for package in self._packages.values() if package is not None]

    def missing(self, repo: str, name: str) -> Diagnostic:
        """Why there is no such package, and what may have been meant."""
        repository = self.workspace.repository(repo)
        where = f"@{repo}//{name}" if repo else f"//{name}"
        if repo and not repository.present:
            defined = "" if repository.call is not None else ", and no WORKSPACE or MODULE.bazel of this checkout defines it"
            return Diagnostic(
                f"no such package '{where}': the repository '@{repo}' is not on disk{defined}",
                hint=f"give its folder with --override_repository={repo}=DIR",
            )
        parent = name.rpartition("/")[0]
        known = self.packages_below(repo, parent) or self.packages_below(repo, "")
        close = get_close_matches(name, known, 1)
        hint = f"did you mean //{close[0]}?" if close else None
        return Diagnostic(f"no such package '{where}': BUILD file not found in '{name or '.'}'", hint=hint)
