"""The words of pybind11, nanobind and torch/library.h that give names to Python."""

from __future__ import annotations

from bzlgraph.ops.bindings.pybind.module_macros import MODULES
from bzlgraph.ops.bindings.pybind.units import DERIVED

MAKERS = {
    **dict.fromkeys(("class_", "classh", "bind_vector", "bind_map"), "class"),
    **dict.fromkeys(("enum_", "native_enum"), "enum"),
    **dict.fromkeys(("exception", "register_exception"), "exception"),
}
"""Rule 3: templates whose values are made of (where, name, ...), and what they are."""
METHODS = {
    "def": "function",
    "def_static": "static",
    **dict.fromkeys(("def_property", "def_property_readonly", "def_prop_rw", "def_prop_ro"), "property"),
    **dict.fromkeys(("def_property_static", "def_property_readonly_static"), "property"),
    **dict.fromkeys(("def_prop_ro_static", "def_prop_rw_static"), "property"),
    **dict.fromkeys(("def_readonly", "def_readwrite", "def_ro", "def_rw"), "field"),
    **dict.fromkeys(("def_readonly_static", "def_readwrite_static", "def_ro_static", "def_rw_static"), "field"),
    "value": "value",
    "attr": "value",
    "def_submodule": "submodule",
    "impl": "kernel",
}
EXPORT = "export_values"
"""The call by which an ``enum_`` gives its values to what it is in, too."""
CLASS_NAME = "pyClassName"
"""Rule 8."""
NAMELESS = frozenset({"self", "pickle"})
"""What binds no name that anybody calls: ``.def(py::self == py::self)``, ``.def(py::pickle(...))``."""
MODULE_TYPES = frozenset({"module", "module_"})
WORDS = frozenset({*MODULES, *MAKERS, *METHODS, DERIVED} - {"value", "attr", "exception", "impl"})
"""What a macro may write that binds something."""
