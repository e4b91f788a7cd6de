"""What Bazel refuses once a MODULE.bazel has run: names of its own modules used for others, repositories that are both
overridden and put in place of another one, injected ones that are imported.

``taken(file, built_in)`` and ``entangled(usages)`` -> problems. Rules: ``buildModule`` and ``buildUsage`` of
``ModuleThreadContext.java`` in Bazel's package ``bazel.bzlmod``, whose words these are; 7.7.1 was asked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.span import Location
from bzlgraph.bzlmod.module import ExtensionUsage, ModuleFile, RepoOverride, UseRepo


def taken(file: ModuleFile, built_in: Collection[str]) -> Iterator[Diagnostic]:
    """The uses of a name by which every module sees a module of Bazel's own."""
    for name, how, place in _uses(file):
        if name in built_in and name != file.name:
            message = (
                f"The repo name '{name}' is already being used {how} at {place}, '{name}' is a built-in dependency and "
                "cannot be used by any 'bazel_dep' or 'use_repo' directive"
            )
            yield Diagnostic(message, place)


def _uses(file: ModuleFile) -> Iterator[tuple[str | None, str, Location | None]]:
    yield from ((each.repo_name, "by a bazel_dep", each.location) for each in file.dependencies)
    for usage in file.usages:
        yield from ((each.apparent, "by a use_repo() call", each.location) for each in usage.imports)
    yield from ((each.name, "by a repo rule", each.location) for each in file.repo_rules)


def entangled(usages: Iterable[ExtensionUsage]) -> Iterator[Diagnostic]:
    """What ``override_repo`` and ``inject_repo`` of the root may not say together with its ``use_repo``."""
    overridden: dict[str, RepoOverride] = {}
    overriding: list[tuple[str, RepoOverride]] = []
    for usage in usages:
        imported = {each.repository: each for each in usage.imports}
        for override in usage.overrides:
            overriding.append((usage.name, override))
            use = imported.get(override.repository)
            if use is not None and not override.must_exist:
                yield _injected(usage.name, override, use)
            elif use is not None:
                overridden[use.apparent] = override
    for extension, override in overriding:
        again = overridden.get(override.overriding)
        if again is not None:
            message = (
                f"The repo '{override.overriding}' used as an override for '{override.repository}' in module extension "
                f"'{extension}' is itself overridden with '{again.overriding}' at {again.location}, which is not "
                "supported."
            )
            yield Diagnostic(message, override.location)


def _injected(extension: str, override: RepoOverride, use: UseRepo) -> Diagnostic:
    message = (
        f"Cannot import repo '{override.repository}' that has been injected into module extension '{extension}' at "
        f"{override.location}. Please refer to @{override.overriding} directly."
    )
    return Diagnostic(message, use.location)
