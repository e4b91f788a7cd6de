"""Values of attributes as Starlark code gets them before a rule exists: what macros and initializers are passed.

``typed_value(AttrType.LABEL_LIST, [":a"], context)`` -> a list of Labels of the package under evaluation.
"""

from __future__ import annotations

from bzlgraph.bazel.files.context import PackageContext
from bzlgraph.bazel.files.scope import resolve
from bzlgraph.bazel.model import AttrType
from bzlgraph.bazel.values.label_value import LabelValue
from bzlgraph.starlark.values import Dict, List


def typed_value(kind: AttrType, value: object, context: PackageContext) -> object:
    """A plain value of an attribute of this type: label strings become Labels, lists and dicts are copied."""
    if kind is AttrType.LABEL:
        return label_value(value, context)
    if isinstance(value, list | tuple):
        return List(label_value(item, context) if kind is AttrType.LABEL_LIST else item for item in value)
    if isinstance(value, dict):
        keys = kind is AttrType.LABEL_KEYED_STRING_DICT
        items = kind in (AttrType.STRING_KEYED_LABEL_DICT, AttrType.LABEL_DICT_UNARY)
        return Dict(
            {
                (label_value(key, context) if keys else key): (label_value(item, context) if items else item)
                for key, item in value.items()
            }
        )
    return value


def label_value(value: object, context: PackageContext) -> object:
    """A label string as a Label; anything else as it is."""
    return LabelValue(resolve(value, context)) if isinstance(value, str) else value
