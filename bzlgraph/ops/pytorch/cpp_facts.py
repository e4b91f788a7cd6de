"""What one C++ file of PyTorch defines: functions, structured kernels, and kernels registered behind stubs.

``SourceFile`` -> ``FileFacts``. Rules (``aten/src/ATen/TensorMeta.h``, ``aten/src/ATen/native/DispatchStub.h``):

1. ``TORCH_IMPL_FUNC(x)(...) {`` defines ``structured_x::impl``; ``TORCH_META_FUNC(x)`` and
   ``TORCH_META_FUNC2(x, overload)`` define the shape function ``structured_x::meta``.
2. ``REGISTER_DISPATCH(stub, &f)`` and its kin say that a stub calls ``f`` on the devices the file is built for.
3. A function that names a stub in its body does its work through it.
4. Macros of the file itself that hold any of these, or a function's body, are expanded where they are called
   (``CREATE_UNARY_TORCH_IMPL_FUNC(acos_out, acos_stub)``); a place in an expansion is the place of the call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bzlgraph.cpp import Kind, Token, arguments, closing
from bzlgraph.cpp.macro import Macro
from bzlgraph.cpp.outline import Outline, Scope, read_outline
from bzlgraph.cpp.own_macros import Lookup, expand_calls, macros_writing
from bzlgraph.cpp.source_file import SourceFile

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


class FunctionDefinition(NamedTuple):
    """A function: ``name`` as it is qualified there, ``scope`` the namespaces around it; ``offset`` in the text."""

    name: str
    scope: str
    offset: int
    uses: frozenset[str]
    """Names in its body that may be stubs."""
    parameters: tuple[str, ...] = ()
    """Each parameter as written, its name included."""
    through: str = ""
    """The macro that wrote it, "" for none."""


class StubRegistration(NamedTuple):
    """``REGISTER_DISPATCH(stub, function)``."""

    stub: str
    function: str
    device: str
    offset: int


class FileFacts(NamedTuple):
    """What a file defines."""

    defined: tuple[FunctionDefinition, ...]
    registered: tuple[StubRegistration, ...]
    stubs: tuple[str, ...]
    """Stubs that the file itself defines (``DEFINE_DISPATCH``)."""


def read_facts(file: SourceFile, foreign: Lookup | None = None) -> FileFacts:
    """The facts of one file. ``foreign`` finds macros of the headers it includes."""
    written, made_by = _expanded(file, foreign)
    outline = read_outline(_plain_functions(written))
    defined = [found for scope in outline.scopes if (found := _defined(outline, scope, made_by)) is not None]
    registered: list[StubRegistration] = []
    stubs: list[str] = []
    code = outline.tokens
    for index, token in enumerate(code):
        if token.kind != Kind.NAME or index + 1 >= len(code) or code[index + 1].text != "(":
            continue
        if token.text == "DEFINE_DISPATCH":
            stubs += [part[0].text for part in arguments(code, index + 1)[:1] if part]
        elif token.text in REGISTRATIONS:
            made = _registration(code, index, file.path)
            if made is not None:
                registered.append(made)
    return FileFacts(tuple(defined), tuple(registered), tuple(stubs))


def _expanded(file: SourceFile, foreign: Lookup | None) -> tuple[list[Token], Mapping[int, str]]:
    """Rule 4: the tokens with calls of the file's own macros expanded, and which macro made what stands where."""
    tokens = file.tokens
    writing = macros_writing(file, _WRITING)
    if not writing:
        return list(tokens), {}
    own = {name: macro for _, name, macro in file.defines if macro is not None and macro.parameters is not None}

    def defined(name: str) -> Macro | None:
        return own.get(name) or (foreign(name) if foreign is not None else None)

    def lookup_of(name: int, last: int) -> Lookup | None:
        called = tokens[name].text
        if called not in writing and not (called.isupper() and _hands_on(tokens, name, last, writing)):
            return None
        # Only the called macro and those that write are expanded; others may stay as they are.
        return lambda each: defined(each) if each == called or each in writing else None

    return expand_calls(tokens, lookup_of)


def _hands_on(tokens: Sequence[Token], name: int, last: int, writing: Mapping[str, Macro]) -> bool:
    """Whether a macro is given one that writes, to call it for each of a list (``FORALL_TYPES(DEFINE_CAST)``)."""
    return last - name < 40 and any(
        tokens[at].text in writing and tokens[at + 1].text in (",", ")") for at in range(name + 2, last)
    )


_WRITING = frozenset({"{", *STRUCTURED, *REGISTRATIONS})


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


def _defined(outline: Outline[Token], scope: Scope, made_by: Mapping[int, str]) -> FunctionDefinition | None:
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
    named = outline.name_index(scope)
    offset = outline.tokens[named].start
    parameters = tuple(" ".join(each.text for each in part) for part in arguments(outline.tokens, named + 1) if part)
    qualified = "::".join(name for name in reversed(around) if name)
    return FunctionDefinition(scope.name, qualified, offset, uses, parameters, made_by.get(offset, ""))


def _registration(code: Sequence[Token], index: int, path: str) -> StubRegistration | None:
    """``REGISTER_DISPATCH(stub, &f<a, b>)``; None for a stub that gets no function."""
    macro = code[index].text
    parts = arguments(code, index + 1)
    words = [token.text for part in parts[2 if macro == "REGISTER_ARCH_DISPATCH" else 1 :] for token in part]
    named = words[: words.index("<")] if "<" in words else words  # types are no functions
    names = [word for word in named if word.isidentifier()]
    if not parts[0] or not names or names[-1] == "nullptr":
        return None
    return StubRegistration(parts[0][0].text, names[-1], REGISTRATIONS[macro] or device_of(path), code[index].start)


def device_of(path: str) -> str:
    """The dispatch key that a file is compiled for, by its place (rule 2)."""
    if path.endswith((".cu", ".cuh")) or "/cuda/" in path:
        return "CUDA"
    if path.endswith(".mm") or "/mps/" in path:
        return "MPS"
    return "CPU"
