"""What options of Bazel make of resolved modules: a direct dependency in another version, a module for another Bazel,
an isolated usage without its flag, canonical names with ``+``, a lock file that is not up to date.

``--lockfile_mode``, ``--check_direct_dependencies``, ``--check_bazel_compatibility``,
``--experimental_isolated_extension_usages``, ``--incompatible_use_plus_in_repo_names`` of
https://bazel.build/reference/command-line-reference; the messages are Bazel's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.bzlmod.lockfile import LOCK_FILE, LockFile
from bzlgraph.bzlmod.module import ROOT, ExtensionUsage
from bzlgraph.bzlmod.registry import module_path
from bzlgraph.bzlmod.resolution import ResolvedModules
from bzlgraph.facts.modules import ModuleFacts
from bzlgraph.facts.versioned import holds
from bzlgraph.workspace.bzlmod.files import MODULE_FILE
from bzlgraph.workspace.options import RepositoryOptions

_SERVERS = ("http://", "https://")
_UPDATE = "Please run `bazel mod deps --lockfile_mode=update` to update your lockfile."


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
    problems += _isolated(resolved, allowed=tolerant or options.isolated_extension_usages)
    return replace(resolved, warnings=warnings, problems=(*resolved.problems, *problems))


def compared(
    resolved: ResolvedModules, lock: LockFile, options: RepositoryOptions, *, tolerant: bool
) -> ResolvedModules:
    """The modules with what the lock file makes of them: a gap where one is known by a lock file that this Bazel does
    not read, and with ``--lockfile_mode=error`` a problem where it would have to be written anew."""
    gaps, problems = resolved.gaps, resolved.problems
    used = (resolved.modules.get(key) for key, _ in lock.selected())
    if any(each is not None and (each.file is None or each.file.path == LOCK_FILE) for each in used):
        gaps = (*gaps, *lock.gaps)
    if options.lockfile_mode == "error" and not (tolerant and lock.mismatch):
        problems = (*problems, *islice(_out_of_date(resolved, lock), 1))
    return replace(resolved, gaps=gaps, problems=problems)


def _out_of_date(resolved: ResolvedModules, lock: LockFile) -> Iterator[Diagnostic]:
    """What the lock file lacks or has otherwise; digests that only Bazel can compute are not compared."""
    if lock.mismatch:
        yield Diagnostic(f"The version of {LOCK_FILE} is not supported by this version of Bazel. {_UPDATE}")
        return
    known = all(each.file is not None for each in resolved.modules.values())
    used = {key for key, each in resolved.modules.items() if key.version and not each.built_in}
    if lock.modules and known and used != {key for key in lock.modules if key.name and key.version}:
        yield Diagnostic(
            f"{LOCK_FILE} is no longer up-to-date because: the root {MODULE_FILE} has been modified. {_UPDATE}"
        )
    for key, module in (*resolved.modules.items(), *resolved.unused.items()):
        url = f"{module.registry.rstrip('/')}/{module_path(key.name, key.version, MODULE_FILE)}"
        if module.registry.startswith(_SERVERS) and not lock.modules and url not in lock.registry_files:
            yield Diagnostic(
                f"Missing checksum for registry file {url} not permitted with --lockfile_mode=error. {_UPDATE}"
            )


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


def _isolated(resolved: ResolvedModules, *, allowed: bool) -> Iterator[Diagnostic]:
    """The isolated usages that may not be, or not so."""
    for key, module in resolved.modules.items():
        for usage in module.file.usages if module.file is not None else ():
            message = _refusal(usage, allowed=allowed, root=key == ROOT) if usage.isolated else ""
            if message:
                yield Diagnostic(message, usage.location)


def _refusal(usage: ExtensionUsage, *, allowed: bool, root: bool) -> str:
    """Bazel's words for an isolated usage, "" where nothing is wrong with it."""
    if not allowed:
        return (
            "in call to use_extension(), parameter 'isolate' is experimental and thus unavailable with the current "
            "flags. It may be enabled by setting --experimental_isolated_extension_usages"
        )
    if not usage.isolation:
        return f"Isolated extension usage at {usage.location} must be assigned to a top-level variable"
    if root and not usage.imports:
        return (
            f"the isolated usage at {usage.location} of extension {usage.name} defined in {usage.bzl} has no effect as "
            "no repositories are imported from it. Either import one or more repositories generated by the extension "
            "with use_repo or remove the usage."
        )
    return ""
