"""What options of Bazel make of resolved modules: a direct dependency in another version, a module for another Bazel,
an isolated usage without its flag, canonical names with ``+``.

``--check_direct_dependencies``, ``--check_bazel_compatibility``, ``--experimental_isolated_extension_usages``,
``--incompatible_use_plus_in_repo_names`` of https://bazel.build/reference/command-line-reference; the messages are
Bazel's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.bzlmod.resolution import ResolvedModules
from bzlgraph.facts.modules import ModuleFacts
from bzlgraph.facts.versioned import holds
from bzlgraph.workspace.options import RepositoryOptions


def named(facts: ModuleFacts, options: RepositoryOptions) -> ModuleFacts:
    """How repositories are called: as the Bazel at hand does or, where it is told so, as Bazel 8 does."""
    if not options.use_plus_in_repo_names or facts.separator == "+":
        return facts
    return replace(facts, separator="+", root="", version_prefix="")


def checked(resolved: ResolvedModules, options: RepositoryOptions, version: str, *, tolerant: bool) -> ResolvedModules:
    """The modules with what the options make a problem of; ``tolerant``: no certain Bazel is asked for, which would
    refuse what needs a flag or another version."""
    told = [(each, options.check_direct_dependencies) for each in resolved.warnings]
    if not tolerant:
        told += ((each, options.check_bazel_compatibility) for each in _incompatible(resolved, version))
    warnings = tuple(each for each, how in told if how == "warning")
    problems = [replace(each, severity="error") for each, how in told if how == "error"]
    if not tolerant and not options.isolated_extension_usages:
        problems += _isolated(resolved)
    return replace(resolved, warnings=warnings, problems=(*resolved.problems, *problems))


def _incompatible(resolved: ResolvedModules, version: str) -> Iterator[Diagnostic]:
    """The modules that say that they do not work with this Bazel."""
    for key, module in resolved.modules.items():
        wanted = module.file.bazel_compatibility if module.file is not None else ()
        conditions = (f"!={each[1:]}" if each.startswith("-") else each for each in wanted)
        if not all(holds(each, version) for each in conditions):
            message = (
                f'Bazel version {version} is not compatible with module "{key}" (bazel_compatibility: '
                f"[{', '.join(wanted)}])"
            )
            place = module.file.location if module.file is not None else None
            yield Diagnostic(message, place, severity="warning")


def _isolated(resolved: ResolvedModules) -> Iterator[Diagnostic]:
    """The isolated usages."""
    for module in resolved.modules.values():
        for usage in module.file.usages if module.file is not None else ():
            if usage.isolated:
                message = (
                    "in call to use_extension(), parameter 'isolate' is experimental and thus unavailable with the "
                    "current flags. It may be enabled by setting --experimental_isolated_extension_usages"
                )
                yield Diagnostic(message, usage.location)
