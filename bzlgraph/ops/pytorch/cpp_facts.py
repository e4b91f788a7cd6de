"""What one C++ file of PyTorch defines: functions, structured kernels, and kernels registered behind stubs.

tokens of a file -> ``FileFacts``. Rules (``aten/src/ATen/TensorMeta.h``, ``aten/src/ATen/native/DispatchStub.h``):

1. ``TORCH_IMPL_FUNC(x)(...) {`` defines ``structured_x::impl``; ``TORCH_META_FUNC(x)`` and
   ``TORCH_META_FUNC2(x, overload)`` define the shape function ``structured_x::meta``.
2. ``REGISTER_DISPATCH(stub, &f)`` and its kin say that a stub calls ``f`` on the devices the file is built for.
3. A function that names a stub in its body does its work through it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bzlgraph.cpp import Kind, Token, arguments, closing
from bzlgraph.cpp.outline import Outline, Scope, read_outline

STRUCTURED = {
    "TORCH_IMPL_FUNC": "impl",
    "TORCH_META_FUNC": "meta",
    "TORCH_META_FUNC2": "meta",
    "TORCH_PRECOMPUTE_META_FUNC": "meta",
    "TORCH_PRECOMPUTE_META_FUNC2": "meta",
}
"""Rule 1: what the macro's function is called inside ``structured_x``."""

_ANY_CPU = "CPU"
REGISTRATIONS = {
    "REGISTER_DISPATCH": "",
    "REGISTER_ALL_CPU_DISPATCH": _ANY_CPU,
    "REGISTER_ARCH_DISPATCH": _ANY_CPU,
    "REGISTER_AVX2_DISPATCH": _ANY_CPU,
    "REGISTER_AVX512_DISPATCH": _ANY_CPU,
    "REGISTER_VSX_DISPATCH": _ANY_CPU,
    "REGISTER_ZVECTOR_DISPATCH": _ANY_CPU,
    "REGISTER_CUDA_DISPATCH": "CUDA",
    "REGISTER_HIP_DISPATCH": "HIP",
    "REGISTER_MPS_DISPATCH": "MPS",
}
"""Rule 2: the device; "" where the file's place decides (``.cu``: CUDA, ``.mm``: MPS, else CPU)."""

STUB_ENDINGS = ("_stub", "_kernel", "Stub", "_fn")


class Defined(NamedTuple):
    """A function: ``name`` as it is qualified there, ``scope`` the namespaces around it; ``offset`` in the text."""

    name: str
    scope: str
    offset: int
    uses: frozenset[str]
    """Names in its body that may be stubs."""


class Registered(NamedTuple):
    """``REGISTER_DISPATCH(stub, function)``."""

    stub: str
    function: str
    device: str
    offset: int


class FileFacts(NamedTuple):
    """What a file defines."""

    defined: tuple[Defined, ...]
    registered: tuple[Registered, ...]
    stubs: tuple[str, ...]
    """Stubs that the file itself defines (``DEFINE_DISPATCH``)."""


def read_facts(tokens: Sequence[Token], path: str) -> FileFacts:
    """The facts of one file."""
    outline = read_outline(_plain_functions(tokens))
    defined = [found for scope in outline.scopes if (found := _defined(outline, scope)) is not None]
    registered: list[Registered] = []
    stubs: list[str] = []
    code = outline.tokens
    for index, token in enumerate(code):
        if token.kind != Kind.NAME or index + 1 >= len(code) or code[index + 1].text != "(":
            continue
        if token.text == "DEFINE_DISPATCH":
            stubs += [part[0].text for part in arguments(code, index + 1)[:1] if part]
        elif token.text in REGISTRATIONS:
            made = _registration(code, index, path)
            if made is not None:
                registered.append(made)
    return FileFacts(tuple(defined), tuple(registered), tuple(stubs))


def _plain_functions(tokens: Sequence[Token]) -> list[Token]:
    """Rule 1: the macro and its brackets as the name that it makes."""
    plain: list[Token] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        end = index
        if token.text in STRUCTURED and index + 1 < len(tokens) and tokens[index + 1].text == "(":
            end = closing(tokens, index + 1, 40)
            parts = ["".join(each.text for each in part) for part in arguments(tokens, index + 1)]
            name = "_".join(part for part in parts if part)
            plain += [
                Token(Kind.NAME, "void", token.start),
                Token(Kind.NAME, f"structured_{name}", token.start),
                Token(Kind.PUNCT, "::", token.start),
                Token(Kind.NAME, STRUCTURED[token.text], token.start),
            ]
        else:
            plain.append(token)
        index = end + 1
    return plain


def _defined(outline: Outline, scope: Scope) -> Defined | None:
    """A function scope that stands in namespaces or classes, not in another function."""
    if scope.kind != "function" or not scope.name:
        return None
    around: list[str] = []
    parent = scope.parent
    while parent >= 0:
        above = outline.scopes[parent]
        around.append(above.name)
        parent = above.parent
    body = outline.tokens[scope.opening : scope.closing]
    uses = frozenset(each.text for each in body if each.kind == Kind.NAME and each.text.endswith(STUB_ENDINGS))
    return Defined(scope.name, "::".join(name for name in reversed(around) if name), _offset(outline, scope), uses)


def _offset(outline: Outline, scope: Scope) -> int:
    """Where the function's name stands: the line people look for, below its templates and return type."""
    last = scope.name.rpartition("::")[2].lstrip("~")
    for index in range(scope.start, scope.opening):
        if outline.tokens[index].text == last and outline.tokens[index + 1].text in ("(", "<"):
            return outline.tokens[index].start
    return outline.tokens[scope.start].start


def _registration(code: Sequence[Token], index: int, path: str) -> Registered | None:
    parts = [part for part in arguments(code, index + 1) if part]
    if len(parts) < 2:
        return None
    names = [token.text for token in parts[-1] if token.kind == Kind.NAME]
    if not names or names[-1] == "nullptr":
        return None
    function = next((name for name in names if _has_arguments(parts[-1], name)), names[-1])
    return Registered(parts[0][0].text, function, REGISTRATIONS[code[index].text] or device_of(path), code[index].start)


def _has_arguments(part: Sequence[Token], name: str) -> bool:
    """Whether template arguments follow a name: then it is the function, and the names behind it are types."""
    at = next(index for index, token in enumerate(part) if token.text == name)
    return at + 1 < len(part) and part[at + 1].text == "<"


def device_of(path: str) -> str:
    """The dispatch key that a file is compiled for, by its place (rule 2)."""
    if path.endswith((".cu", ".cuh")) or "/cuda/" in path:
        return "CUDA"
    if path.endswith(".mm") or "/mps/" in path:
        return "MPS"
    return "CPU"
