"""What MODULE.bazel may call: each call becomes a record of ``bzlmod.module`` in the ``ModuleFileContext``.

Nothing is resolved here, and of a dependency marked ``dev_dependency`` it is only noted that it is.
Rules: https://bazel.build/rules/lib/globals/module; ``ModuleFileGlobals.java`` of Bazel's package ``bazel.bzlmod``,
whose messages these are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from bzlgraph.base.label import LabelError, parse
from bzlgraph.base.span import Location
from bzlgraph.base.spell import did_you_mean
from bzlgraph.bazel.context.scope import facts, want_context
from bzlgraph.bazel.files.module_arguments import (
    label_fault,
    module_name_of,
    normal_label,
    repo_name_of,
    version_of,
    want_strings,
)
from bzlgraph.bazel.files.module_context import ModuleFileContext, UsageBuilder
from bzlgraph.bazel.rules.repository_rule import plain_value
from bzlgraph.bzlmod.module import (
    Dependency,
    FlagAlias,
    ModuleFile,
    MultipleVersionOverride,
    Override,
    Registration,
    RepoOverride,
    RepoRuleUsage,
    RepositoryOverride,
    SingleVersionOverride,
    Tag,
    UseExtension,
)
from bzlgraph.starlark.builtin import Builtin, builtin
from bzlgraph.starlark.checks import want_bool, want_int, want_string, wrong_type
from bzlgraph.starlark.evaluation.thread import current_thread
from bzlgraph.starlark.value import EvalError, Value

_COMPATIBILITY = re.compile(r"(>|<|-|<=|>=)(\d+\.){2}\d+")
_INNATE = "_repo_rules"


def _context(what: str, *, first: bool = False) -> ModuleFileContext:
    """The file being evaluated; every call but ``module()`` closes the door to ``module()``."""
    context = want_context(ModuleFileContext, f"{what} can only be called from MODULE.bazel and its imports")
    context.other_called |= not first
    return context


def _here() -> Location:
    return current_thread().innermost_location()


_OF_BAZEL_5 = ("toolchains_to_register", "execution_platforms_to_register")
"""Arguments that only Bazel 5 has (testRootModule in its ModuleFileFunctionTest.java)."""


@builtin("module")
def module(
    *,
    name: object = "",
    version: object = "",
    compatibility_level: object = 0,
    repo_name: object = "",
    bazel_compatibility: object = (),
    **others: object,
) -> None:
    """``module(name, version, ...)``: what the module is called, and how it sees itself."""
    context = _context("module()", first=True)
    for each in others:
        if each not in _OF_BAZEL_5 or not (facts().tolerant or facts().version.startswith("5.")):
            raise EvalError(f"module() got unexpected keyword argument '{each}'")
    if context.module_called:
        raise EvalError("the module() directive can only be called once")
    if context.other_called:
        raise EvalError("if module() is called, it must be called before any other functions")
    context.module_called = True
    own = module_name_of(name, "module", "name") if name != "" else ""
    seen = repo_name_of(repo_name, "module", "repo_name") if repo_name != "" else own
    how = "as the current module name" if repo_name == "" else "as the module's own repo name"
    context.take_name(seen, how, _here())
    for each in want_strings(bazel_compatibility, "bazel_compatibility"):
        if not _COMPATIBILITY.fullmatch(each):
            raise EvalError(
                f"invalid version argument '{each}': valid argument must 1) start with (<,<=,>,>=,-); 2) contain a "
                "version number in form of X.X.X where X is a number"
            )
    context.module = ModuleFile(
        own,
        version_of(version, "module"),
        seen,
        want_int(compatibility_level, "module", "compatibility_level"),
        want_strings(bazel_compatibility, "bazel_compatibility"),
        _here(),
    )


@builtin("bazel_dep")
def bazel_dep(
    *,
    name: object,
    version: object = "",
    max_compatibility_level: object = -1,
    repo_name: object = "",
    dev_dependency: object = False,
) -> None:
    """``bazel_dep(name, version, repo_name)``: a module, seen as repository ``repo_name`` (None: not seen)."""
    context = _context("bazel_dep()")
    asked = module_name_of(name, "bazel_dep", "name")
    seen = None if repo_name is None else repo_name_of(repo_name or asked, "bazel_dep", "repo_name")
    dependency = Dependency(
        asked,
        version_of(version, "bazel_dep"),
        seen,
        want_int(max_compatibility_level, "bazel_dep", "max_compatibility_level"),
        want_bool(dev_dependency, "bazel_dep", "dev_dependency"),
        _here(),
    )
    if seen is not None:
        context.take_name(seen, "by a bazel_dep", _here())
    context.dependencies.append(dependency)


def _add_override(override: Override) -> None:
    context = _context(f"{override.module}()")
    if override.module in context.overrides:
        raise EvalError(f"multiple overrides for dep {override.module} found")
    context.overrides[override.module] = override


@builtin("single_version_override")
def single_version_override(
    *,
    module_name: object,
    version: object = "",
    registry: object = "",
    patches: object = (),
    patch_cmds: object = (),
    patch_strip: object = 0,
) -> None:
    """``single_version_override(module_name, version, registry, patches)``"""
    function = "single_version_override"
    own = _context(f"{function}()").module.repo_name
    files = want_strings(patches, "patches")
    for each in files:
        try:
            repo = parse(each, "", "").repo
        except LabelError as error:
            raise EvalError(f"invalid label \"{each}\" in 'patches': {label_fault(error)}") from None
        if not each.startswith("@@") and repo not in ("", own):
            message = "invalid label in 'patches': only patches in the main repository can be applied, not from"
            raise EvalError(f"{message} '@{repo}'")
    _add_override(
        SingleVersionOverride(
            module_name_of(module_name, function, "module_name"),
            version_of(version, function),
            want_string(registry, function, "registry"),
            files,
            want_strings(patch_cmds, "patch_cmds"),
            want_int(patch_strip, function, "patch_strip"),
            _here(),
        )
    )


@builtin("multiple_version_override")
def multiple_version_override(*, module_name: object, versions: object, registry: object = "") -> None:
    """``multiple_version_override(module_name, versions, registry)``"""
    function = "multiple_version_override"
    _context(f"{function}()")
    allowed = tuple(version_of(each, function, "versions") for each in want_strings(versions, "versions"))
    if len(allowed) < 2:
        raise EvalError("multiple_version_override() must specify at least 2 versions")
    name = module_name_of(module_name, function, "module_name")
    _add_override(MultipleVersionOverride(name, allowed, want_string(registry, function, "registry"), _here()))


_PATCHED = ("patches", "patch_cmds", "patch_strip", "strip_prefix")
_ATTRIBUTES = {
    "archive_override": ("urls", ("integrity", *_PATCHED)),
    "git_override": ("remote", ("commit", "init_submodules", *_PATCHED)),
    "local_path_override": ("path", ()),
}
"""What must be said and what may be; from Bazel 8 on an archive or a checkout takes what its repository rule takes."""


def _repository_override(rule: str) -> Builtin:
    def override(*, module_name: object, **attributes: object) -> None:
        _context(f"{rule}()")
        needed, others = _ATTRIBUTES[rule]
        if not others or not facts().overrides_take_any_attribute:
            for name in attributes:
                if name not in (needed, *others):
                    raise EvalError(f"{rule}() got unexpected keyword argument '{name}'{did_you_mean(name, others)}")
            if needed not in attributes:
                raise EvalError(f"{rule}() missing 1 required named argument: {needed}")
        plain = {key: plain_value(value) for key, value in attributes.items()}
        _add_override(RepositoryOverride(module_name_of(module_name, rule, "module_name"), rule, plain, _here()))

    return builtin(rule)(override)


@dataclass(slots=True, eq=False)
class ExtensionProxy(Value):
    """What ``use_extension`` gives: every attribute is a tag class, and a call of it a tag."""

    type_name: ClassVar[str] = "module_extension_proxy"
    usage: UsageBuilder
    call: int
    """Which of the usage's calls of ``use_extension`` it comes from."""

    @property
    def dev(self) -> bool:
        """Whether the extension is used for development only."""
        return self.usage.calls[self.call].dev

    def get_attr(self, name: str) -> object:
        @builtin(name)
        def tag(**attributes: object) -> None:
            plain = {key: plain_value(value) for key, value in attributes.items()}
            self.usage.tags.append(Tag(name, plain, self.dev, _here()))

        return tag

    def export(self, _path: str, name: str) -> None:
        """The first global it is bound to tells isolated usages apart."""
        use = self.usage.calls[self.call]
        if not use.variable:
            self.usage.calls[self.call] = replace(use, variable=name)


@builtin("use_extension")
def use_extension(
    extension_bzl_file: object,
    extension_name: object,
    *,
    dev_dependency: object = False,
    isolate: object = False,
) -> ExtensionProxy:
    """``use_extension("//:ext.bzl", "name")``: all usages of an extension are one, but isolated ones."""
    context = _context("use_extension()")
    name = want_string(extension_name, "use_extension", "extension_name")
    if name == _INNATE:
        raise EvalError("innate extensions cannot be directly used; try `use_repo_rule` instead")
    bzl = normal_label(context, want_string(extension_bzl_file, "use_extension", "extension_bzl_file"))
    usage = context.usage(bzl, name, isolated=want_bool(isolate, "use_extension", "isolate"))
    usage.calls.append(UseExtension("", want_bool(dev_dependency, "use_extension", "dev_dependency"), _here()))
    return ExtensionProxy(usage, len(usage.calls) - 1)


def _proxy(value: object, function: str) -> ExtensionProxy:
    if not isinstance(value, ExtensionProxy):
        raise wrong_type(value, function, "extension_proxy", "module_extension_proxy")
    return value


def _pairs(names: Iterable[object], renamed: Mapping[str, object], function: str) -> Iterable[tuple[str, str]]:
    for name in want_strings(tuple(names), "args"):
        yield name, name
    for key, value in renamed.items():
        yield key, want_string(value, function, key)


@builtin("use_repo")
def use_repo(extension_proxy: object, /, *args: object, **kwargs: object) -> None:
    """``use_repo(ext, "a", b = "c")``: repositories of an extension, under the names they are seen by."""
    context = _context("use_repo()")
    proxy = _proxy(extension_proxy, "use_repo")
    for apparent, repository in _pairs(args, kwargs, "use_repo"):
        for name in (apparent, repository):
            repo_name_of(name, "use_repo", "args")
        context.take_name(apparent, "by a use_repo() call", _here())
        proxy.usage.add_import(proxy.call, apparent, repository, _here())


def _overrides_repo(function: str, *, must_exist: bool) -> Builtin:
    def override(extension_proxy: object, /, *args: object, **kwargs: object) -> None:
        _context(f"{function}()")
        proxy = _proxy(extension_proxy, function)
        for repository, overriding in _pairs(args, kwargs, function):
            proxy.usage.add_override(RepoOverride(repository, overriding, must_exist, _here()))

    return builtin(function)(override)


@builtin("use_repo_rule")
def use_repo_rule(repo_rule_bzl_file: object, repo_rule_name: object) -> Builtin:
    """``use_repo_rule("//:r.bzl", "rule")``: a repository rule to call right here."""
    context = _context("use_repo_rule()")
    bzl = normal_label(context, want_string(repo_rule_bzl_file, "use_repo_rule", "repo_rule_bzl_file"))
    rule = want_string(repo_rule_name, "use_repo_rule", "repo_rule_name")

    def declare(*, name: object, dev_dependency: object = False, **attributes: object) -> None:
        inside = _context(f"{rule}()")
        own = repo_name_of(name, rule, "name")
        inside.take_name(own, "by a repo rule", _here())
        plain = {key: plain_value(value) for key, value in attributes.items()}
        dev = want_bool(dev_dependency, rule, "dev_dependency")
        inside.repo_rules.append(RepoRuleUsage(bzl, rule, own, plain, dev, _here()))

    return builtin(rule)(declare)


@builtin("include")
def include(label: object, /) -> None:
    """``include("//:x.MODULE.bazel")``: another file at this place."""
    context = _context("include()")
    context.include(want_string(label, "include", "label"), _here())


def _registers(name: str, registered: Callable[[ModuleFileContext], list[Registration]]) -> Builtin:
    def register(*labels: object, dev_dependency: object = False) -> None:
        context = _context(f"{name}()")
        dev = want_bool(dev_dependency, name, "dev_dependency")
        for each in want_strings(labels, name):
            if not each.startswith(("//", "@")):
                raise EvalError(
                    f"Expected absolute target patterns (must begin with '//' or '@') for '{name}' argument, but got "
                    f"'{each}' as an argument"
                )
            registered(context).append(Registration(each, dev, _here()))

    return builtin(name)(register)


@builtin("flag_alias")
def flag_alias(*, name: object, starlark_flag: object) -> None:
    """``flag_alias(name, starlark_flag)``: a short name of a flag on the command line."""
    flag = want_string(starlark_flag, "flag_alias", "starlark_flag")
    alias = FlagAlias(want_string(name, "flag_alias", "name"), flag, _here())
    _context("flag_alias()").flag_aliases.append(alias)


def functions() -> dict[str, Callable[..., object]]:
    """Everything MODULE.bazel may call, by name."""
    plain = (
        *(module, bazel_dep, use_extension, use_repo, use_repo_rule, include, flag_alias),
        *(single_version_override, multiple_version_override),
        *(_repository_override(rule) for rule in ("archive_override", "git_override", "local_path_override")),
        _overrides_repo("override_repo", must_exist=True),
        _overrides_repo("inject_repo", must_exist=False),
        _registers("register_toolchains", lambda context: context.toolchains),
        _registers("register_execution_platforms", lambda context: context.platforms),
    )
    return {function.name: function for function in plain}
