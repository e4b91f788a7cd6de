"""The C++ of kernels that are written while PyTorch is built: copies of views (``GenCompositeViewCopyKernel`` of
``torchgen/gen_functionalization_type.py``), and what structured operators do to an ``out`` that they resize
(``resize_out`` of ``torchgen/dest/register_dispatch_key.py``).

an entry with the tag ``view_copy`` -> the function that is written for it; its place is the entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bzlgraph.base.span import Location
from bzlgraph.cpp.outline import read_outline
from bzlgraph.cpp.tokens import tokenize
from bzlgraph.ops.pytorch.cpp.body import calls_of
from bzlgraph.ops.pytorch.cpp.defined import Definition
from bzlgraph.ops.pytorch.cpp.insides import Body, Inside
from bzlgraph.ops.pytorch.cpp.known import EMPTY
from bzlgraph.ops.pytorch.cpp.values.function_names import TensorNames
from bzlgraph.ops.pytorch.entries import ENTRIES, NativeFunction
from bzlgraph.ops.pytorch.overloads import argument_names
from bzlgraph.ops.pytorch.running.steps import Step

RESTRIDING = "as_strided_"
_TELLING = ("set_output_strided", "set_output_raw_strided")
"""How shape functions tell the shape of a result, and its strides."""
VIEW_COPY, _COPY = "view_copy", "_copy"
_BEFORE = {
    "view_copy": "if (!at::detail::computeStride(sizes, strides, shape).has_value()) { return self.reshape(size); }"
}
"""What is written before all else for one operator: views of what has other strides are copied by ``reshape``."""


def view_copy_kernel(
    entry: NativeFunction, entries: Mapping[str, NativeFunction], giving: TensorNames
) -> Definition | None:
    """The function that takes the view and copies what it gives; None for what copies no view of the entries."""
    view = entries.get(entry.full_name.replace(_COPY, "", 1))
    if VIEW_COPY not in entry.tags or entry.writes_out or view is None:
        return None
    names = ", ".join(argument_names(view.schema))
    taken = f"auto output = at::_ops::{view.full_name.replace('.', '_')}::call({names});"
    each = "output[i]" if view.gives_list else "output"
    copied = f"return {each}.clone(at::MemoryFormat::Contiguous);"
    text = f"Tensor copy(const Tensor& self) {{ {_BEFORE.get(entry.full_name, '')} {taken} {copied} }}"
    return Definition(entry.name, "at::native", ENTRIES, entry.line, body=Body(lambda: _inside(text, entry, giving)))


def _inside(text: str, entry: NativeFunction, giving: TensorNames) -> Inside:
    outline = read_outline(tokenize(text))
    calls = [call for scope in outline.scopes for call in calls_of(outline, scope, giving)]
    return Inside(tuple(each._replace(line=entry.line) for each in calls))


def restrided(shape: Definition) -> Iterator[Step]:
    """The operator that gives an ``out`` which was resized the strides that a shape function tells."""
    for call in shape.inside.calls:
        if call.name in _TELLING and len(call.written) > 2 and call.written[2] != EMPTY:
            yield Step(RESTRIDING, Location(shape.path, call.line, 1), ("resize_out",), ("resize_output(out, sizes)",))
