"""``Name("Op").Device(DEVICE_CPU).TypeConstraint<float>("T")``: what a kernel's builder says, as texts.

pieces -> ``Builder``. Methods: https://github.com/tensorflow/tensorflow/blob/master/tensorflow/core/framework/kernel_def_builder.h
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from bzlgraph.cpp import Kind, closing, joined_string, split_arguments
from bzlgraph.cpp.expand import Piece
from bzlgraph.cpp.outline import angle_start
from bzlgraph.ops.tensorflow.cpp.shim import OP_NAME

Texts = Callable[[str], str | None]
"""The text that a constant of the tree holds."""


_OWN_NAMES = frozenset({"DEVICE_CPU", "DEVICE_GPU", "DEVICE_DEFAULT"})
"""Constants of the framework whose texts are what their names say; those of other devices are looked up."""

ALLOWING = {"AllowResourceTypes": "resource", "AllowVariantTypes": "variant", "AllowStringType": "string"}
"""Of XlaOpRegistrationBuilder: the types that a call allows for every attribute."""


@dataclass(slots=True)
class Builder:
    """``op`` None: the name is not known before the program runs."""

    op: str | None = None
    device: str = ""
    label: str = ""
    constraints: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    allows: list[str] = field(default_factory=list)


def read_builder(given: Sequence[Piece], texts: Texts) -> Builder:
    """What the calls of a builder's chain say."""
    builder = Builder()
    index = 0
    while index < len(given):
        if given[index].text != "(":
            index += 1
            continue
        end = closing(given, index)
        name, template = _called(given, index)
        inner = given[index + 1 : end]
        if name == "Name" or name.endswith("KernelDefBuilder"):
            builder.op = constant_text(inner, texts) if builder.op is None else builder.op
        elif name == "Device":
            builder.device = device_name(inner, texts)
        elif name == "Label":
            builder.label = constant_text(inner, texts) or ""
        elif name in ALLOWING:
            builder.allows.append(ALLOWING[name])
        elif name == "TypeConstraint":
            _constrain(builder, inner, template, texts)
        elif not name:
            index += 1
            continue
        index = end + 1
    return builder


def device_name(given: Sequence[Piece], texts: Texts) -> str:
    """``DEVICE_CPU``, ``tensorflow::DEVICE_GPU`` and texts as the runtime names devices."""
    text = literal_text(given)
    if text is not None:
        return text
    names = [piece.text for piece in given if piece.kind == Kind.NAME]
    last = names[-1] if names else ""
    if last in _OWN_NAMES:
        return last.removeprefix("DEVICE_")
    return texts(last) or last.removeprefix("DEVICE_")


def _called(given: Sequence[Piece], opening: int) -> tuple[str, list[Piece]]:
    """(the name before a bracket, its template argument) of ``Name(`` and ``TypeConstraint<float>(``."""
    before = opening - 1
    if before >= 0 and given[before].text in (">", ">>"):
        start = angle_start([piece.text for piece in given], before)
        return (given[start - 1].text if start > 0 else ""), list(given[start + 1 : before])
    return (given[before].text if before >= 0 and given[before].kind == Kind.NAME else ""), []


def _constrain(builder: Builder, inner: Sequence[Piece], template: list[Piece], texts: Texts) -> None:
    parts = split_arguments(inner)
    if not parts:
        return
    attribute = constant_text(parts[0], texts)
    if attribute is None:
        return
    types = (spelled(template),) if template else tuple(_type_names(parts[1:]))
    builder.constraints.append((attribute, types))


def _type_names(parts: Sequence[Sequence[Piece]]) -> list[str]:
    """The types of ``DT_FLOAT``, ``{DT_FLOAT, DT_HALF}``."""
    names: list[str] = []
    for part in parts:
        kept = [piece for piece in part if piece.text not in ("{", "}")]
        names += [spelled(each) for each in split_arguments(kept) if each]
    return names


def constant_text(given: Sequence[Piece], texts: Texts) -> str | None:
    """The text of literals or of a constant, None for anything else: ``A::name()`` gives what A says, ``A::OpName()``
    the name of an op that is not TensorFlow's alone (``shim``)."""
    text = literal_text(given)
    if text is None and [each.text for each in given[-4:]] == ["::", "OpName", "(", ")"]:
        return texts(f"{class_before(given[:-4])}{OP_NAME}")
    if text is None:
        last = next(iter(unwrapped(given)[-1:]), None)
        text = texts(last.text) if last is not None and last.kind == Kind.NAME and len(given) <= 7 else None
    return text


def class_before(given: Sequence[Piece]) -> str:
    """The last name of ``a::Class``, ``a::Class<T>``."""
    end = len(given)
    if end and given[-1].text == ">":
        end = angle_start([each.text for each in given], end - 1)
    return given[end - 1].text if end else ""


def literal_text(given: Sequence[Piece]) -> str | None:
    """The text of adjacent literals, brackets around them or not; None for anything else."""
    return joined_string(unwrapped(given))


def spelled(given: Iterable[Piece]) -> str:
    """Code as people write it: ``A < B , C >`` gives ``A<B, C>``."""
    text = ""
    for piece in given:
        if piece.text == ",":
            text += ", "
        elif text[-1:].isalnum() and (piece.text[:1].isalnum() or piece.text[:1] == "_"):
            text += " " + piece.text
        else:
            text += piece.text
    return text.strip()


def unwrapped(given: Sequence[Piece]) -> Sequence[Piece]:
    """Code without brackets around all of it."""
    while len(given) > 2 and given[0].text == "(" and given[-1].text == ")" and closing(given, 0) == len(given) - 1:
        given = given[1:-1]
    return given
