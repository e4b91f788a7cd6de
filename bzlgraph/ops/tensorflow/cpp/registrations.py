"""Every registration of a TensorFlow tree: ops, kernels and C++ gradients, with the macros that made each.

``FORMS`` is the table of what registers; a form says what its arguments mean. The C API registers with plain calls.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bzlgraph.base.span import Location
from bzlgraph.cpp import closing, split_arguments
from bzlgraph.cpp.condition import condition_text
from bzlgraph.cpp.expand import Piece
from bzlgraph.cpp.invocations import Invocation
from bzlgraph.cpp.source_file import SourceFile
from bzlgraph.ops.model import NO_GRADIENT, GradientRegistration, KernelRegistration, OpRegistration
from bzlgraph.ops.tensorflow.cpp import kernel_builder
from bzlgraph.ops.tensorflow.cpp.kernel_builder import Texts
from bzlgraph.ops.tensorflow.cpp.shim import OP_NAME

STATEFUL = "SetIsStateful"
Registration = OpRegistration | KernelRegistration | GradientRegistration


@dataclass(frozen=True, slots=True)
class Use:
    """One use of a registering name, and the file and constants it is read with."""

    found: Invocation
    file: SourceFile
    texts: Texts

    @property
    def location(self) -> Location:
        """The line of the invocation."""
        return self.file.location(self.found.start)

    @property
    def through(self) -> tuple[str, ...]:
        """The macros on the way, outer first."""
        return tuple(macro.name for macro in self.found.through)

    @property
    def condition(self) -> str:
        """What the preprocessor asks for."""
        return condition_text(self.found.condition)

    def arguments(self) -> list[list[Piece]]:
        """What stands between the commas."""
        return split_arguments(self.found.arguments)

    def text(self, given: Sequence[Piece]) -> str | None:
        """The text of literals or of a constant."""
        return kernel_builder.constant_text(given, self.texts)


def _op(use: Use) -> Iterator[Registration]:
    """``REGISTER_OP("Op").Input(...).SetShapeFn(f);``"""
    given = use.arguments()
    name = use.text(given[0]) if given else None
    if name:
        set_by = next(_calls(use.found.following, "SetShapeFn"), None)
        shape = _location_of(use.found.following[set_by], use) if set_by is not None else None
        types = tuple(_type_attributes(use.found.following))
        without, stateless = (next(_calls(use.found.following, each), None) is None for each in ("Input", STATEFUL))
        about = use.condition, (), types, without, not stateless
        yield OpRegistration(name, use.location, use.through, shape, *about)


def _op_of_shim(use: Use) -> Iterator[Registration]:
    """``REGISTER_TF_OP_SHIM(Kernel);``, ``REGISTER_TF_OP_SHIM("Op", Kernel);`` of earlier versions."""
    given = use.arguments()
    if len(given) == 1:
        name = use.texts(f"{kernel_builder.class_before(given[0])}{OP_NAME}")
    else:
        name = use.text(given[0]) if given else None
    if name:
        yield OpRegistration(name, use.location, use.through, condition=use.condition)


def _location_of(piece: Piece, use: Use) -> Location:
    """Where a piece is written: in the body of a macro, or in the file."""
    origin = piece.origin
    if origin is None:
        return use.file.location(piece.start)
    return Location(origin.path, origin.source.line(piece.start), 0)


def _calls(following: Sequence[Piece], method: str) -> Iterator[int]:
    """Where a method of the chain behind a registration is called."""
    for index, piece in enumerate(following[:-2]):
        if piece.text == method and following[index + 1].text == "(":
            yield index


_TYPE_ATTRIBUTE = re.compile(
    r"\s*\w+\s*:\s*(?:list\s*\(\s*)?(?:type\b|(?:real)?num(?:ber|eric)type|quantizedtype|\{\s*[a-z])"
)
"""``T: type``, ``T: numbertype``, ``T: {half, float}``, ``T: list(type)``; those of ``{'SAME', 'VALID'}`` are texts."""


def _type_attributes(following: Sequence[Piece]) -> Iterator[str]:
    """The texts of ``.Attr("T: {half, float}")`` that are about types."""
    for index in _calls(following, "Attr"):
        text = kernel_builder.literal_text(following[index + 2 : closing(following, index + 1)])
        if text is not None and _TYPE_ATTRIBUTE.match(text):
            yield text


def _kernel(for_xla: bool) -> Callable[[Use], Iterator[Registration]]:
    """``REGISTER_KERNEL_BUILDER(Name("Op").Device(DEVICE_CPU), Class<A, B>);``"""

    def read(use: Use) -> Iterator[Registration]:
        given = use.arguments()
        if len(given) < 2:
            return
        builder = kernel_builder.read_builder(given[0], use.texts)
        if builder.op is None:
            return
        rest = use.found.arguments[len(given[0]) + 1 :]
        device = builder.device or ("XLA" if for_xla else "")
        types = tuple(f"{attribute}: {' | '.join(types)}" for attribute, types in builder.constraints)
        kernel_class = kernel_builder.spelled(kernel_builder.unwrapped(rest))
        yield KernelRegistration(
            builder.op, device, kernel_class, use.location, use.through, types, builder.label,
            use.condition, allows=tuple(builder.allows), for_xla=for_xla,
        )  # fmt: skip

    return read


def _c_kernel(use: Use) -> Iterator[Registration]:
    """``TF_NewKernelBuilder("Op", device, create, compute, delete)``"""
    given = use.arguments()
    op = use.text(given[0]) if len(given) == 5 else None
    if op:
        device = kernel_builder.device_name(given[1], use.texts)
        function = kernel_builder.spelled(piece for piece in given[3] if piece.text != "&")
        name = _registered_name(use) or function
        place = _function_named(function.partition("<")[0].rpartition("::")[2], use.file)
        yield KernelRegistration(op, device, name, use.location, use.through, condition=use.condition, compute=place)


def _function_named(name: str, file: SourceFile) -> Location | None:
    """Where a file defines a function."""
    for scope in file.outline.scopes:
        if scope.kind == "function" and scope.name.rpartition("::")[2] == name:
            return file.location(file.outline.tokens[file.outline.name_index(scope)].start)
    return None


_REGISTERED = re.compile(r'\bTF_RegisterKernelBuilder\s*\(\s*"(\w+)"')


def _registered_name(use: Use) -> str:
    """The name that ``TF_RegisterKernelBuilder("Name", builder, status)`` gives what was built before it."""
    found = _REGISTERED.search(use.file.text.text, use.found.start)
    return found.group(1) if found is not None else ""


_ADDED = re.compile(r"\bTF_OpDefinitionBuilderAddAttr\s*\(\s*\w+\s*,([^;]*)\)\s*;")
_QUOTED = re.compile(r'"([^"]*)"')


def _c_op(use: Use) -> Iterator[Registration]:
    """``TF_NewOpDefinitionBuilder("Op")``"""
    given = use.arguments()
    op = use.text(given[0]) if len(given) == 1 else None
    if op:
        text = use.file.text.text
        following = text[use.found.start : text.find("TF_RegisterOpDefinition", use.found.start)]
        added = ("".join(_QUOTED.findall(each)) for each in _ADDED.findall(following))
        types = tuple(each for each in added if _TYPE_ATTRIBUTE.match(each))
        about = use.condition, (), types, False, STATEFUL in following
        yield OpRegistration(op, use.location, use.through, None, *about)


def _gradient(use: Use) -> Iterator[Registration]:
    """``REGISTER_GRADIENT_OP("Op", function)``, ``REGISTER_OP_GRADIENT``, ``REGISTER_NO_GRADIENT_OP("Op")``."""
    given = use.arguments()
    op = use.text(given[0]) if given else None
    if op:
        function = kernel_builder.spelled(given[1]) if len(given) > 1 else ""
        yield GradientRegistration(op, function or NO_GRADIENT, use.location)


FORMS: Mapping[str, Callable[[Use], Iterator[Registration]]] = {
    "REGISTER_OP": _op,
    "REGISTER_SYSTEM_OP": _op,
    "REGISTER_TF_OP_SHIM": _op_of_shim,
    "REGISTER_KERNEL_BUILDER": _kernel(for_xla=False),
    "REGISTER_SYSTEM_KERNEL_BUILDER": _kernel(for_xla=False),
    "REGISTER_XLA_OP": _kernel(for_xla=True),
    "TF_NewKernelBuilder": _c_kernel,
    "TF_NewOpDefinitionBuilder": _c_op,
    "REGISTER_GRADIENT_OP": _gradient,
    "REGISTER_NO_GRADIENT_OP": _gradient,
    "REGISTER_OP_GRADIENT": _gradient,
    "REGISTER_OP_NO_GRADIENT": _gradient,
}

KNOWN = dict.fromkeys(
    (
        "IS_MOBILE_PLATFORM", "__ANDROID__", "ANDROID", "__ANDROID_TYPES_FULL__", "__ANDROID_TYPES_SLIM__",
        "SUPPORT_SELECTIVE_REGISTRATION", "TARGET_OS_IPHONE", "ANDROID_TEGRA", "_MSC_VER",
    ),
    False,
)  # fmt: skip
"""What is never defined in the builds that are asked about: those for a desktop or server, all ops in."""
