"""Module extensions: ``module_extension`` and ``tag_class`` of .bzl files. They are kept, not run.

Rules: https://bazel.build/external/extension
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from bzlgraph.bazel.rules.aspect import schema
from bzlgraph.bazel.rules.attr import AttrValue
from bzlgraph.bazel.rules.exported import ExportedValue
from bzlgraph.starlark.builtin import builtin
from bzlgraph.starlark.value import Value


@dataclass(slots=True, eq=False)
class TagClass(Value):
    """``tag_class(attrs)``: the schema of a tag."""

    type_name: ClassVar[str] = "tag_class"
    attrs: Mapping[str, AttrValue]


@dataclass(slots=True, eq=False)
class ModuleExtension(ExportedValue):
    """A module extension, named by the first global it is bound to."""

    type_name: ClassVar[str] = "module_extension"


@builtin("tag_class")
def tag_class_function(attrs: object = None, *, doc: object = None) -> TagClass:
    """``tag_class(attrs, doc)``"""
    return TagClass(schema(attrs, "tag_class"))


@builtin("module_extension")
def module_extension_function(
    implementation: Any,
    *,
    tag_classes: object = None,
    doc: object = None,
    environ: object = (),
    os_dependent: bool = False,
    arch_dependent: bool = False,
) -> ModuleExtension:
    """``module_extension(implementation, tag_classes, ...)``"""
    return ModuleExtension(implementation)
