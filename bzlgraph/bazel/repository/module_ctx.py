"""``module_ctx``: what the implementation of a module extension is given.

Rules: https://bazel.build/rules/lib/builtins/module_ctx
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from bzlgraph.base.names import user_repository_fault
from bzlgraph.bazel.parts import Uncertain
from bzlgraph.bazel.repository.base_ctx import BASE_METHODS, BaseContext
from bzlgraph.starlark.builtin import method_table
from bzlgraph.starlark.checks import want_bool
from bzlgraph.starlark.lib.struct import Namespace, Struct
from bzlgraph.starlark.value import EvalError
from bzlgraph.starlark.values import Dict, List, freeze, type_name


class Tag(Struct):
    """One tag: its attributes, typed by its tag class. ``dev``: whether a dev dependency wrote it."""

    __slots__ = ("dev",)
    type_name = "bazel_module_tag"

    def __init__(self, fields: Mapping[str, object], dev: bool = False) -> None:
        super().__init__(fields)
        self.dev = dev


class BazelModule(Namespace):
    """One module that uses the extension: name, version, is_root, and its tags by tag class."""

    __slots__ = ()
    type_name: ClassVar[str] = "bazel_module"

    def __init__(self, name: str, version: str, is_root: bool, tags: Mapping[str, list[Tag]]) -> None:
        lists = {tag_class: List(each) for tag_class, each in tags.items()}
        for each in lists.values():
            freeze(each)
        super().__init__({"name": name, "version": version, "is_root": is_root, "tags": Struct(lists)})


class ExtensionMetadata(Namespace):
    """What ``extension_metadata()`` gives; ``fields`` has its arguments.

    Rules: ``ModuleExtensionMetadata.java`` of Bazel's package ``bazel.bzlmod``; 7.7.1 was asked.
    """

    __slots__ = ()
    type_name: ClassVar[str] = "extension_metadata"

    def refusal(self, kinds: Collection[bool]) -> str:
        """What is wrong with it where the usages of the root are of these kinds (for development or not), or ""."""
        for name, dev in zip(_DIRECT, (False, True), strict=True):
            named = self.fields[name]
            if named and not isinstance(named, Uncertain) and dev not in kinds:
                return f"{name} must be empty if the root module contains no usages with dev_dependency = {dev}"
        return ""


_DIRECT = ("root_module_direct_deps", "root_module_direct_dev_deps")
_BOTH = " and ".join(_DIRECT)


def _check_direct(deps: object, dev_deps: object) -> None:
    """EvalError for repositories that ``extension_metadata()`` may not name so."""
    if isinstance(deps, Uncertain) or isinstance(dev_deps, Uncertain):
        return
    every, none = (deps == "all", dev_deps == "all"), [deps, dev_deps]
    if any(every):
        other = dev_deps if every[0] else deps
        if not isinstance(other, list | tuple) or other:
            raise EvalError(f'if one of {_BOTH} is "all", the other must be an empty list')
        return
    if any(isinstance(each, str) for each in none):
        raise EvalError(f'{_BOTH} must be None, "all", or a list of strings')
    if (deps is None) != (dev_deps is None):
        raise EvalError(f"{_BOTH} must both be specified or both be unspecified")
    seen: dict[str, str] = {}
    for where, names in zip(_DIRECT, none, strict=True):
        for name in names if isinstance(names, list | tuple) else ():
            if isinstance(name, str):
                _check_entry(name, where, seen)


def _check_entry(name: str, where: str, seen: dict[str, str]) -> None:
    """``seen``: the names before it, and where they stand."""
    if fault := user_repository_fault(name):
        raise EvalError(f"in {where}: {fault}")
    if seen.get(name) == where:
        raise EvalError(f"in {where}: duplicate entry '{name}'")
    if name in seen:
        raise EvalError(f"in {where}: entry '{name}' is also in {seen[name]}")
    seen[name] = where


@dataclass(slots=True, eq=False)
class ModuleCtx(BaseContext):
    """The value. ``modules``: those that use the extension, the root first; ``non_dev``: whether the root uses it
    otherwise than as a dev dependency; ``facts``: what an earlier run left in the lock file; ``isolated``: whether it
    is run for one isolated usage."""

    type_name: ClassVar[str] = "module_ctx"
    modules: list[BazelModule] = field(default_factory=list)
    non_dev: bool = True
    isolated: bool | None = None
    """None where a flag is missing."""
    facts: Mapping[str, object] = field(default_factory=dict)

    def get_attr(self, name: str) -> object:
        if name == "modules":
            modules = List(self.modules)
            freeze(modules)
            return modules
        if name == "root_module_has_non_dev_dependency":
            return self.non_dev
        if name == "facts":
            return Dict(self.facts)
        if name == "is_isolated" and self.isolated is not None:
            return self.isolated
        return super(ModuleCtx, self).get_attr(name)

    def attr_names(self) -> Iterable[str]:
        own = ("facts", "modules", "root_module_has_non_dev_dependency", *super(ModuleCtx, self).attr_names())
        return own if self.isolated is None else (*own, "is_isolated")

    def is_dev_dependency(self, tag: object, /) -> bool:
        """``is_dev_dependency(tag)``: whether the tag was written for a dev dependency."""
        if not isinstance(tag, Tag):
            raise EvalError(f"in call to is_dev_dependency(), got {type_name(tag)}, want a tag of a module")
        return tag.dev

    def extension_metadata(
        self,
        *,
        root_module_direct_deps: object = None,
        root_module_direct_dev_deps: object = None,
        reproducible: object = False,
        facts: object = None,
    ) -> ExtensionMetadata:
        """``extension_metadata(...)``: what the extension says of itself."""
        self.run.reproducible = want_bool(reproducible, "extension_metadata", "reproducible")
        _check_direct(root_module_direct_deps, root_module_direct_dev_deps)
        return ExtensionMetadata(
            {
                "root_module_direct_deps": root_module_direct_deps,
                "root_module_direct_dev_deps": root_module_direct_dev_deps,
                "reproducible": reproducible,
                "facts": facts,
            }
        )

    functions: ClassVar[Mapping[str, Callable[..., object]]] = {
        **BASE_METHODS,
        **method_table(is_dev_dependency, extension_metadata),
    }
