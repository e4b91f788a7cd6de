"""The functions of WORKSPACE: ``workspace()``, ``bind()``, native repository rules, ``register_toolchains()``.

Nothing is run: repositories are recorded in the ``WorkspaceContext``, later calls for a name replace earlier ones. A
native rule may do so above the first load() only: 0.19.1 to 7.7.1 evaluate WORKSPACE in parts that begin with loads,
and refuse it from the second part on (those of .bzl files may always).
Native repository rules of every version are known (``maven_jar``, the old native ``http_archive`` ...). Those for
Android bind ``//external:android/sdk`` and other names to what they make.
Doc: https://bazel.build/reference/be/workspace, https://bazel.build/rules/lib/globals/workspace
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from bzlgraph.base.label import LabelError, parse
from bzlgraph.bazel.context.contexts import Bind, RepositoryCall, WorkspaceContext
from bzlgraph.bazel.context.scope import want_context
from bzlgraph.bazel.parts import Uncertain
from bzlgraph.bazel.rules.repository_rule import outermost_location, record
from bzlgraph.bazel.values.label_value import LabelValue
from bzlgraph.bazel.values.select import text_of
from bzlgraph.facts import Facts
from bzlgraph.facts.built_in import default_workspace
from bzlgraph.facts.native import WORKSPACE_RULES
from bzlgraph.starlark.builtin import Builtin, builtin
from bzlgraph.starlark.checks import wrong_type
from bzlgraph.starlark.value import EvalError
from bzlgraph.starlark.values import type_name

DEFAULT_NAMES = {"android_sdk_repository": "androidsdk", "android_ndk_repository": "androidndk"}
"""What people call these repositories when they forget to."""


WORKSPACE_FILES = ("WORKSPACE.bazel", "WORKSPACE")
_ON_DISK = ("local_repository", "new_local_repository")
"""Native rules that need a path."""


def workspace_functions() -> dict[str, Builtin]:
    """Every function of WORKSPACE, by name."""
    made = {name: _repository_function(name) for name in WORKSPACE_RULES if name != "bind"}
    others = (
        workspace_function,
        bind_function,
        register_toolchains_function,
        register_execution_platforms_function,
        dont_symlink_function,
    )
    return made | {each.name: each for each in others}


def unread_hint(facts: Facts, is_file: Callable[[str], bool]) -> str | None:
    """What Bazel asks about a repository that nobody defines, where it reads no WORKSPACE by itself; ``is_file`` says
    which files the checkout has."""
    if facts.workspace_file == "counts" or not any(map(is_file, WORKSPACE_FILES)):
        return None
    off = "is read only with --enable_workspace" if facts.workspace_file == "when asked for" else "is never read"
    return f"was the repository introduced in WORKSPACE? With Bazel {facts.version} that file {off}"


def redefined(name: str) -> str:
    """What Bazel says of a repository that is defined twice, the second time behind a load()."""
    return f"Cannot redefine repository after any load statement in the WORKSPACE file (for repository '{name}')"


def _context(what: str) -> WorkspaceContext:
    return want_context(WorkspaceContext, f"{what} can only be used in a WORKSPACE file or in macros that it calls")


def _repository_function(rule: str) -> Builtin:
    def declare(*args: object, **kwargs: object) -> None:
        context = _context(f"{rule}()")
        if args:
            raise EvalError("unexpected positional arguments", f"name each argument: {rule}(name = ...)")
        name = text_of(kwargs.get("name", DEFAULT_NAMES.get(rule)))
        if not isinstance(name, str):
            raise EvalError(
                f"{rule} rule has no 'name' attribute" if name is None else f"{rule} 'name' attribute must be a string"
            )
        if not re.fullmatch(context.facts.legal_workspace_name, name, re.ASCII):
            raise EvalError(f"{rule} rule //external:{name}'s name field must be a legal workspace name")
        if context.loads and (name in context.repositories or name in context.binds or name == "bazel_tools"):
            raise EvalError(redefined(name), "remove one of the two, or define both above the first load()")
        if rule in _ON_DISK and kwargs.get("path") is None:
            raise EvalError(f"//external:{name}: missing value for mandatory attribute 'path' in '{rule}' rule")
        record(context, name, rule, None, kwargs)
        for bound, actual in default_workspace(context.facts.version).brought.get(rule, {}).items():
            context.binds[bound] = Bind(parse(actual, name, ""), outermost_location())

    return builtin(rule)(declare)


@builtin("workspace")
def workspace_function(*, name: object, managed_directories: object = None) -> None:
    """``workspace(name = ...)``: the name of the main repository."""
    context = _context("workspace()")
    if not isinstance(name, str):
        raise wrong_type(name, "workspace", "name", "string")
    if not re.fullmatch(context.facts.legal_workspace_name, name, re.ASCII):
        raise EvalError(
            f"{name} is not a legal workspace name", "use letters, digits and underscores, and begin with a letter"
        )
    if context.loads:
        raise EvalError("workspace() function should be used only at the top of the WORKSPACE file")
    context.workspace_name = name
    if not context.facts.bzlmod or context.facts.tolerant:
        context.own = RepositoryCall(name, "local_repository", None, {"path": "."}, outermost_location())


@builtin("bind")
def bind_function(*, name: object, actual: object = None) -> None:
    """``bind(name, actual)``: ``//external:name`` stands for ``actual``."""
    context = _context("bind()")
    if not isinstance(name, str):
        raise EvalError("bind 'name' attribute must be a string")
    label = None
    if isinstance(actual, LabelValue):
        raise wrong_type(actual, "bind", "actual", "string or NoneType")
    if isinstance(actual, str):
        if not (context.facts.bind_maps_names or actual.startswith(("//", "@"))):
            raise EvalError(f"invalid label: {actual}")
        try:
            label = context.label(actual) if context.facts.bind_maps_names else parse(actual, "", "")
        except LabelError as error:
            raise EvalError(f"in attribute 'actual' in 'bind' rule: {error}") from None
    context.binds[name] = Bind(label, outermost_location())


@builtin("register_toolchains")
def register_toolchains_function(*toolchain_labels: object, **_others: object) -> None:
    """``register_toolchains("//x:all", ...)``"""
    _context("register_toolchains()").toolchains.extend(_patterns("toolchain_labels", toolchain_labels))


@builtin("register_execution_platforms")
def register_execution_platforms_function(*platform_labels: object, **_others: object) -> None:
    """``register_execution_platforms("//x:all", ...)``"""
    _context("register_execution_platforms()").platforms.extend(_patterns("platform_labels", platform_labels))


def _patterns(parameter: str, labels: Iterable[object]) -> Iterator[str]:
    """EvalError for what is no string."""
    for label in labels:
        if not isinstance(label, str | Uncertain):
            raise EvalError(
                f"expected type 'string' for '{parameter}' element but got type '{type_name(label)}' instead"
            )
        yield str(label)


@builtin("dont_symlink_directories_in_execroot")
def dont_symlink_function(*_args: object, **_kwargs: object) -> None:
    """Has no meaning for the graph."""
    _context("dont_symlink_directories_in_execroot()")
