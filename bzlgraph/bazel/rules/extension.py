"""Module extensions: ``module_extension`` and ``tag_class`` of .bzl files. They are kept, and run when a repository of
theirs is asked for (workspace/running/run_extension.py).

Rules: https://bazel.build/external/extension
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from bzlgraph.base.span import Location
from bzlgraph.bazel.context.scope import bzl_context
from bzlgraph.bazel.rules.aspect import has_unknown
from bzlgraph.bazel.rules.attr import AttrValue, schema
from bzlgraph.bazel.values.arguments import want_function
from bzlgraph.bazel.values.exported import ExportedValue
from bzlgraph.bazel.values.versioned import versioned_builtin
from bzlgraph.starlark.evaluation.thread import current_thread
from bzlgraph.starlark.value import Value


@dataclass(slots=True, eq=False)
class TagClass(Value):
    """``tag_class(attrs)``: the schema of a tag."""

    type_name: ClassVar[str] = "tag_class"
    attrs: Mapping[str, AttrValue]
    open: bool = False
    """Whether it may have attributes that are not known."""


@dataclass(slots=True, eq=False)
class ModuleExtension(ExportedValue):
    """A module extension, named by the first global it is bound to."""

    type_name: ClassVar[str] = "module_extension"
    tag_classes: Mapping[str, TagClass]
    environ: tuple[str, ...]
    """The environment variables that it says it looks at."""
    location: Location


@versioned_builtin("tag_class")
def tag_class_function(attrs: object = None, *, doc: object = None) -> TagClass:
    """``tag_class(attrs, doc)``"""
    return TagClass(schema(attrs, "tag_class"), has_unknown(attrs))


@versioned_builtin("module_extension")
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
    bzl_context("module_extension()")
    classes = tag_classes if isinstance(tag_classes, dict) else {}
    names = environ if isinstance(environ, list | tuple) else ()
    return ModuleExtension(
        want_function(implementation, "implementation", "module_extension"),
        {name: each for name, each in classes.items() if isinstance(each, TagClass)},
        tuple(each for each in names if isinstance(each, str)),
        current_thread().innermost_location(),
    )
