"""What one C++ file of PyTorch defines: functions, structured kernels, and kernels registered behind stubs
or by hand.

``SourceFile`` -> ``Definition`` and ``StubKernel`` values. Rules (``TensorMeta.h`` and ``native/DispatchStub.h`` of
``aten/src/ATen``):

1. ``TORCH_IMPL_FUNC(x)(...) {`` defines ``structured_x::impl``; ``TORCH_META_FUNC(x)`` and
   ``TORCH_META_FUNC2(x, overload)`` define the shape function ``structured_x::meta``.
2. ``REGISTER_DISPATCH(stub, &f)`` and its kin say that a stub calls ``f`` on the devices the file is built for, where
   the preprocessor has both; one that is registered in each branch of an ``#if`` always. Of several ``f`` of the file
   each is meant that may be compiled without those before it.
3. A function that names a stub in its body does its work through it.
4. Macros of the file itself that hold any of these, or a function's body, are expanded where they are called
   (``CREATE_UNARY_TORCH_IMPL_FUNC(acos_out, acos_stub)``); a place in an expansion is the place of the call.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from bzlgraph.cpp import Kind, Token, arguments, closing, split_arguments
from bzlgraph.cpp.condition import FALSE, Formula, both, condition_text, joined, negated, possible
from bzlgraph.cpp.macro import Macro
from bzlgraph.cpp.outline import Outline, Scope, read_outline
from bzlgraph.cpp.own_macros import Lookup, expand_calls, macros_writing
from bzlgraph.cpp.skipped_bodies import Blanked, without_bodies
from bzlgraph.cpp.source_file import SourceFile
from bzlgraph.cpp.tokens import tokenize
from bzlgraph.ops.pytorch.cpp.body import STUB_ENDINGS
from bzlgraph.ops.pytorch.cpp.by_hand import registered_by_hand
from bzlgraph.ops.pytorch.cpp.defined import Definition, LibraryKernel, Members, StubKernel
from bzlgraph.ops.pytorch.cpp.insides import BOOLEANS, FileReader
from bzlgraph.ops.pytorch.cpp.own_functions import is_own, with_helpers
from bzlgraph.ops.pytorch.cpp.values.function_names import NAMING, TensorNames, names_of_file
from bzlgraph.ops.pytorch.cpp.written import MAX_NAME

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
    "REGISTER_SVE256_DISPATCH": _ANY_CPU,
    "ALSO_REGISTER_AVX512_DISPATCH": _ANY_CPU,
    "ALSO_REGISTER_SVE256_DISPATCH": _ANY_CPU,
    "REGISTER_CUDA_DISPATCH": "CUDA",
    "REGISTER_HIP_DISPATCH": "HIP",
    "REGISTER_MPS_DISPATCH": "MPS",
    "REGISTER_XPU_DISPATCH": "XPU",
    "REGISTER_HPU_DISPATCH": "HPU",
    "REGISTER_MTIA_DISPATCH": "MTIA",
    "REGISTER_PRIVATEUSE1_DISPATCH": "PrivateUse1",
}
"""Rule 2: the device; "" where the file's place decides (``.cu``: CUDA, ``.mm``: MPS, else CPU)."""


Fact = Definition | StubKernel | Members | LibraryKernel
"""What a file says."""

_TEXT = attrgetter("text")
_USING = re.compile(r"^using namespace ([\w:]+);", re.M)


def read_facts(
    file: SourceFile, foreign: Lookup | None = None, giving: TensorNames | None = None, *, with_calls: bool = False
) -> Iterator[Fact]:
    """What one file defines and registers. ``foreign`` finds macros of the headers it includes; ``with_calls`` when
    somebody may ask what bodies call, which they tell when functions are given that return a tensor (``giving``)."""
    blanked, written, made_by = _expanded(file, foreign, with_calls=with_calls)
    outline = read_outline(_plain_functions(written))
    offsets: dict[str, list[int]] = {}
    reader = None
    if giving is not None:
        own = names_of_file(outline, list(blanked.left_out(NAMING)))
        reader = FileReader(file.without_tokens(), blanked, giving, own)
    functions = [each for each in outline.scopes if each.kind == "function" and each.name]
    using = tuple(dict.fromkeys(_USING.findall(file.text.text)))
    made = ((each, replace(_definition(file, outline, each, made_by, blanked), using=using)) for each in functions)
    named = [(each, "" if each.through else _body_text(file, outline, scope)) for scope, each in made]
    for scope, found in zip(functions, with_helpers(named), strict=True):
        offsets.setdefault(found.key, []).append(outline.tokens[outline.name_index(scope)].start)
        body = reader.body(outline, scope, found.parameters) if reader is not None else None
        yield replace(found, body=body) if body is not None else found
    for scope in outline.scopes:
        if scope.kind == "class" and with_calls:
            yield Members(scope.name, tuple(_defaults(outline.tokens[scope.opening : scope.closing])))
    yield from _registered(file, outline, offsets)
    for each in registered_by_hand(file.text.text):
        place = file.path, file.line(each.offset)
        yield LibraryKernel(each.op, each.key, each.function, *place, file.condition(each.offset))


def _registered(
    file: SourceFile, outline: Outline[Token], offsets: Mapping[str, Sequence[int]]
) -> Iterator[StubKernel]:
    """Rule 2. ``offsets`` are the places of the file's functions by what they are looked up by."""
    code = outline.tokens
    registering = not REGISTRATIONS.keys().isdisjoint(map(_TEXT, code))
    conditions: dict[tuple[str, str, str, int], Formula] = {}
    for index, token in enumerate(code[:-1] if registering else ()):
        if token.text in REGISTRATIONS and code[index + 1].text == "(":
            function = _registered_function(token.text, outline.brackets.arguments(index + 1))
            if function is not None:
                device = REGISTRATIONS[token.text] or device_of(file.path)
                for offset, condition in _compiled(file, token.start, offsets.get(function[1], ())):
                    key = *function, device, file.line(offset)
                    conditions[key] = joined("or", (conditions.get(key, FALSE), condition))
    for (stub, name, device, line), condition in conditions.items():
        yield StubKernel(stub, name, device, file.path, line, condition_text(condition))


def _compiled(file: SourceFile, registration: int, offsets: Sequence[int]) -> Iterator[tuple[int, Formula]]:
    """The functions of its file that a registration means, each with when both are compiled; the registration itself
    where the file has none."""
    registered = file.directives.condition(registration)
    left = registered  # when none of those before is compiled
    firsts: dict[Formula, int] = {}
    for offset in offsets:
        firsts.setdefault(file.directives.condition(offset), offset)
    for condition, offset in firsts.items():
        if possible(both(left, condition)):
            left = both(left, negated(condition))
            yield offset, both(registered, condition)
    if left == registered:
        yield registration, registered


def _expanded(
    file: SourceFile, foreign: Lookup | None, *, with_calls: bool
) -> tuple[Blanked, list[Token], Mapping[int, str]]:
    """Rule 4: the text with bodies of functions only where they may hold what is told of them, its tokens with calls of
    the file's own macros expanded, and which macro made what stands where. What macros are given is all there when
    calls are told of."""
    writing = macros_writing(file, _WRITING)
    text = file.text.text
    blanked = Blanked(text, text, {}) if with_calls and writing else without_bodies(text, _telling(writing))
    tokens = tokenize(blanked.text)
    if not writing:
        return blanked, tokens, {}
    own = {name: macro for _, name, macro in file.defines if macro is not None and macro.parameters is not None}

    def defined(name: str) -> Macro | None:
        return own.get(name) or (foreign(name) if foreign is not None else None)

    def lookup_of(name: int, last: int) -> Lookup | None:
        called = tokens[name].text
        if called not in writing and not (called.isupper() and _hands_on(tokens, name, last, writing)):
            return None
        # Only the called macro and those that write are expanded; others may stay as they are.
        return lambda each: defined(each) if each == called or each in writing else None

    return blanked, *expand_calls(tokens, lookup_of)


def _telling(writing: Collection[str]) -> re.Pattern[str]:
    """What stands in a body that is told of it: stubs, registrations and macros that write one."""
    return re.compile("|".join((rf"(?:{'|'.join((*STUB_ENDINGS, '_DISPATCH'))})\b", *map(re.escape, writing))))


def _hands_on(tokens: Sequence[Token], name: int, last: int, writing: Mapping[str, Macro]) -> bool:
    """Whether a macro is given one that writes, to call it for each of a list (``FORALL_TYPES(DEFINE_CAST)``)."""
    return last - name < 40 and any(
        tokens[at].text in writing and tokens[at + 1].text in (",", ")") for at in range(name + 2, last)
    )


_WRITING = frozenset({"{", *STRUCTURED, *REGISTRATIONS})


def _plain_functions(tokens: Sequence[Token]) -> list[Token]:
    """Rule 1: the macro and its brackets as the name that it makes."""
    if STRUCTURED.keys().isdisjoint(map(_TEXT, tokens)):
        return list(tokens)
    plain: list[Token] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        end = index
        if token.text in STRUCTURED and index + 1 < len(tokens) and tokens[index + 1].text == "(":
            end = closing(tokens, index + 1, 40)
            parts = ["".join(each.text for each in part) for part in split_arguments(tokens[index + 2 : end])]
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


def _definition(
    file: SourceFile, outline: Outline[Token], scope: Scope, made_by: Mapping[int, str], blanked: Blanked
) -> Definition:
    """A function, with the namespaces and classes around it."""
    around = list(_around(outline, scope))
    body = outline.tokens[scope.opening : scope.closing]
    named = outline.name_index(scope)
    offset = outline.tokens[named].start
    opening = named + (3 if scope.name.endswith("operator()") else 1)
    head = outline.tokens[opening : scope.opening]
    valued = any(each.text == "{" for each in head)  # `f(Sizes n = {1, 2})`
    listed = arguments(blanked.restored(head), 0) if valued else arguments(outline.tokens, opening)
    parameters = tuple(" ".join(each.text for each in part) for part in listed if part)
    inline = [each for each in around if outline.tokens[each.start].text == "inline"]  # its names are those around it
    qualified = "::".join(each.name for each in reversed(around) if each.name and each not in inline)
    place = (file.path, file.line(offset))
    through, condition = made_by.get(offset, ""), file.condition(offset)
    given = {word for each in parameters for word in each.partition("=")[0].split()[-1:]}
    stubs = tuple(each for each in _stubs(body) if each[0] not in given)  # `void run(Tensor t, Stub& fill_stub)`
    own = is_own(outline, scope, around)
    return Definition(scope.name, qualified, *place, parameters, stubs, through, condition, own)


def _around(outline: Outline[Token], scope: Scope) -> Iterator[Scope]:
    """The scopes around one, the nearest first."""
    while scope.parent >= 0:
        scope = outline.scopes[scope.parent]
        yield scope


def _body_text(file: SourceFile, outline: Outline[Token], scope: Scope) -> str:
    """The whole text of a body, also where it has blanks."""
    return file.text.text[outline.tokens[scope.opening].start : outline.tokens[scope.closing].start]


def _stubs(body: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """Rule 3: the stubs of a body, by name, and who chooses among several (``f(out, reduce_stub, stub)``)."""
    uses = {at: text for at, (kind, text, _) in enumerate(body) if kind == Kind.NAME and text.endswith(STUB_ENDINGS)}
    if not uses:
        return iter(())
    handed = {at for at in uses if body[min(at + 1, len(body) - 1)].text in (",", ")")}
    choosers = dict.fromkeys(uses.values(), "")
    if len(handed) > 1:
        calls = dict(_calls_around(body, handed))
        together = Counter(calls.values())
        called = {name for at, name in uses.items() if together[calls.get(at, -1)] < 2}
        choosers |= {uses[at]: _named_before(body, call) for at, call in calls.items() if uses[at] not in called}
    return iter(sorted(choosers.items()))


def _calls_around(body: Sequence[Token], wanted: Collection[int]) -> Iterator[tuple[int, int]]:
    """Tokens that are arguments of calls, and the bracket that opens each call."""
    around: list[int] = []
    for at, token in enumerate(body):
        if token.text in ("(", "{", "["):
            around.append(at)
        elif token.text in (")", "}", "]") and around:
            around.pop()
        elif at in wanted and around and _named_before(body, around[-1]):
            yield at, around[-1]


def _named_before(body: Sequence[Token], opening: int) -> str:
    """The name of what a round bracket calls, without the arguments of a template; "" for nothing."""
    before = "".join(each.text for each in body[max(opening - MAX_NAME, 0) : opening])
    found = re.search(r"(\w+)(?:<[^<>()]*>)?$", before) if body[opening].text == "(" else None
    return found.group(1) if found is not None else ""


def _defaults(body: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """``bool name_ = true;`` in a class."""
    for at, token in enumerate(body[:-4]):
        if token.text == "bool" and body[at + 1].text.endswith("_"):
            texts = [each.text for each in body[at + 2 : at + 5]]
            if texts[::2] == ["=", ";"] and texts[1] in BOOLEANS:
                yield body[at + 1].text, texts[1]


def _registered_function(macro: str, parts: Sequence[Sequence[Token]]) -> tuple[str, str] | None:
    """(stub, function) of ``REGISTER_DISPATCH(stub, &f<a, b>)``; None for a stub that gets no function."""
    words = [token.text for part in parts[2 if macro == "REGISTER_ARCH_DISPATCH" else 1 :] for token in part]
    named = words[: words.index("<")] if "<" in words else words  # types are no functions
    names = [word for word in named if word.isidentifier()]
    if not parts or not parts[0] or not names or names[-1] == "nullptr":
        return None
    return parts[0][0].text, names[-1]


def device_of(path: str) -> str:
    """The dispatch key that a file is compiled for, by its place (rule 2)."""
    if path.endswith((".cu", ".cuh")) or "/cuda/" in path:
        return "CUDA"
    if path.endswith(".mm") or "/mps/" in path:
        return "MPS"
    return "CPU"
