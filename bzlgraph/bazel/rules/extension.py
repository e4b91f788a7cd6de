"""Module extensions: ``module_extension`` and ``tag_class`` of .bzl files. They are kept, not run.

Rules: https://bazel.build/external/extension
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from bzlgraph.bazel.rules.aspect import schema
from bzlgraph.bazel.rules.attr import AttrValue
from bzlgraph.bazel.rules.exported import ExportedFunction
from bzlgraph.starlark.builtin import builtin
from bzlgraph.starlark.value import Value


class TagClass(Value):
    """``tag_class(attrs)``: the schema of a tag."""

    __slots__ = ("attrs",)
    type_name: ClassVar[str] = "tag_class"

    def __init__(self, attrs: Mapping[str, AttrValue]) -> None:
        self.attrs = attrs


class ModuleExtension(ExportedFunction):
    """A module extension, named by the first global it is bound to."""

    __slots__ = ("tag_classes",)
    type_name: ClassVar[str] = "module_extension"

    def __init__(self, implementation: Any, tag_classes: Mapping[str, object]) -> None:
        super().__init__(implementation)
        self.tag_classes = tag_classes


@builtin("tag_class")
def tag_class_function(attrs: object = None, *, doc: object = None) -> TagClass:
    """``tag_class(attrs, doc)``"""
    return TagClass(schema(attrs, "tag_class"))


@builtin("module_extension")
def module_extension_function(
    implementation: object,
    *,
    tag_classes: object = None,
    doc: object = None,
    environ: object = (),
    os_dependent: bool = False,
    arch_dependent: bool = False,
) -> ModuleExtension:
    """``module_extension(implementation, tag_classes, ...)``"""
    return ModuleExtension(implementation, dict(tag_classes.items()) if isinstance(tag_classes, dict) else {})
