"""What MODULE.bazel may call: names of modules and of the repositories that extensions make, recorded and not resolved.

``bazel_dep``, ``use_repo`` and repository rules of ``use_repo_rule`` become ``RepositoryCall``s of the
WorkspaceContext, so a checkout that has only a MODULE.bazel loads, with its repositories as gaps.
``local_path_override`` says where one is.
Rules: https://bazel.build/rules/lib/globals/module
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from bzlgraph.bazel.files.context import RepositoryCall, WorkspaceContext
from bzlgraph.bazel.files.scope import add_gap, resolve, want_context
from bzlgraph.bazel.rules.repository_rule import plain_value, record
from bzlgraph.starlark.builtin import Builtin, builtin
from bzlgraph.starlark.evaluation.thread import current_thread
from bzlgraph.starlark.value import EvalError, Value

OVERRIDES = (
    "archive_override",
    "git_override",
    "local_path_override",
    "multiple_version_override",
    "single_version_override",
)


def _context(what: str) -> WorkspaceContext:
    return want_context(WorkspaceContext, f"{what} can only be called from MODULE.bazel")


@builtin("module")
def module(
    name: str = "",
    version: str = "",
    *,
    compatibility_level: int = 0,
    repo_name: str = "",
    bazel_compatibility: object = (),
) -> None:
    """``module(name, version, ...)``: names the main repository."""
    context = _context("module()")
    context.workspace_name = repo_name or name
    context.modules[""] = name, version


@builtin("bazel_dep")
def bazel_dep(
    name: str,
    version: str = "",
    max_compatibility_level: int = -1,
    repo_name: str | None = "",
    dev_dependency: bool = False,
) -> None:
    """``bazel_dep(name, version, repo_name)``: a module, seen as repository ``repo_name`` (None: not seen)."""
    context = _context("bazel_dep()")
    if repo_name is None:
        return
    attributes = {"module": name, "version": version, "dev_dependency": dev_dependency}
    record(context, repo_name or name, "bazel_dep", None, attributes)
    if name in context.overrides:
        _apply(context, context.overrides[name])


def _override(rule: str) -> Builtin:
    def override(module_name: str, **kwargs: object) -> None:
        context = _context(f"{rule}()")
        attributes = {key: plain_value(value) for key, value in kwargs.items()}
        location = current_thread().innermost_location()
        context.overrides[module_name] = RepositoryCall(module_name, rule, None, attributes, location)
        _apply(context, context.overrides[module_name])

    return builtin(rule)(override)


def _apply(context: WorkspaceContext, override: RepositoryCall) -> None:
    """Let the repository of an overridden module be what the override says."""
    for call in context.repositories.values():
        if call.attributes.get("module") == override.name:
            call.rule = override.rule
            call.attributes = {**call.attributes, **override.attributes}


@dataclass(slots=True, eq=False)
class ExtensionProxy(Value):
    """What ``use_extension`` gives: every attribute is a tag, and a call of it, for the extension to see, gives
    nothing."""

    type_name: ClassVar[str] = "module_extension_proxy"
    bzl: str
    name: str

    def get_attr(self, name: str) -> object:
        @builtin(name)
        def tag(**_kwargs: object) -> None:
            return None

        return tag


@builtin("use_extension")
def use_extension(
    extension_bzl_file: str, extension_name: str, *, dev_dependency: bool = False, isolate: bool = False
) -> ExtensionProxy:
    """``use_extension("//:ext.bzl", "name")``"""
    _context("use_extension()")
    return ExtensionProxy(extension_bzl_file, extension_name)


@builtin("use_repo")
def use_repo(extension_proxy: object, /, *args: str, **kwargs: str) -> None:
    """``use_repo(ext, "a", b = "c")``: repositories of an extension, under the names they are seen by."""
    context = _context("use_repo()")
    if not isinstance(extension_proxy, ExtensionProxy):
        raise EvalError("use_repo() takes what use_extension() gave as its first argument")
    for apparent, made in (*((name, name) for name in args), *kwargs.items()):
        attributes = {"extension": f"{extension_proxy.bzl}%{extension_proxy.name}", "repository": made}
        record(context, apparent, "use_repo", None, attributes)


@builtin("use_repo_rule")
def use_repo_rule(repo_rule_bzl_file: str, repo_rule_name: str) -> Builtin:
    """``use_repo_rule("//:r.bzl", "rule")``: a repository rule to call right here."""
    label = resolve(repo_rule_bzl_file)

    def declare(name: str, **kwargs: object) -> None:
        record(_context(repo_rule_name), name, repo_rule_name, label, kwargs)

    return builtin(repo_rule_name)(declare)


@builtin("include")
def include(label: str, /) -> None:
    """``include("//:x.MODULE.bazel")``: not followed yet."""
    add_gap(f"{label} is not read", "the modules and repositories it declares")


def _registers(name: str, field: str) -> Builtin:
    def register(*labels: str, dev_dependency: bool = False) -> None:
        getattr(_context(f"{name}()"), field).extend(labels)

    return builtin(name)(register)


def _ignored(name: str) -> Builtin:
    def ignore(*args: object, **kwargs: object) -> None:
        _context(f"{name}()")

    return builtin(name)(ignore)


def functions() -> dict[str, Callable[..., object]]:
    """Everything MODULE.bazel may call, by name."""
    plain = (module, bazel_dep, use_extension, use_repo, use_repo_rule, include)
    return {
        **{function.name: function for function in plain},
        **{name: _override(name) for name in OVERRIDES},
        "register_toolchains": _registers("register_toolchains", "toolchains"),
        "register_execution_platforms": _registers("register_execution_platforms", "platforms"),
        **{name: _ignored(name) for name in ("inject_repo", "override_repo", "flag_alias")},
    }
