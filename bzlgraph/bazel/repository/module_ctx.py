"""``module_ctx``: what the implementation of a module extension is given.

Rules: https://bazel.build/rules/lib/builtins/module_ctx
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from bzlgraph.bazel.repository.base_ctx import BASE_METHODS, BaseContext
from bzlgraph.starlark.builtin import method_table
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
    """What ``extension_metadata()`` gives; ``fields`` has its arguments."""

    __slots__ = ()
    type_name: ClassVar[str] = "extension_metadata"


@dataclass(slots=True, eq=False)
class ModuleCtx(BaseContext):
    """The value. ``modules``: those that use the extension, the root first; ``non_dev``: whether the root uses it
    otherwise than as a dev dependency; ``facts``: what an earlier run left in the lock file."""

    type_name: ClassVar[str] = "module_ctx"
    modules: list[BazelModule] = field(default_factory=list)
    non_dev: bool = True
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
        return super(ModuleCtx, self).get_attr(name)

    def attr_names(self) -> Iterable[str]:
        return ("facts", "modules", "root_module_has_non_dev_dependency", *super(ModuleCtx, self).attr_names())

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
        self.run.reproducible = reproducible is True
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
