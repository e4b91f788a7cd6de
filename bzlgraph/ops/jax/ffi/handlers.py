"""Custom calls as C++ registers them: names, handlers and where each is defined.

Rules (``xla/ffi/api/ffi.h``, ``xla/service/custom_call_target_registry.h``, jaxlib's ``registrations()``):

1. ``dict["name"] = EncapsulateFunction(F)`` or ``EncapsulateFfiHandler(H)`` hand a function to Python under a name.
2. ``XLA_REGISTER_CUSTOM_CALL_TARGET_WITH_SYM("name", F, platform)``, ``XLA_REGISTER_CUSTOM_CALL_TARGET(F, platform)``
   and ``XLA_FFI_REGISTER_HANDLER(api, "name", platform, H)`` register it in C++.
3. ``XLA_FFI_DEFINE_HANDLER(H, F, ...)`` and ``..._SYMBOL`` make handler H of function F (which H: ``defined.py``).
4. Literals that stand side by side are one text; a macro among them (``JAX_GPU_PREFIX "solver_getrf"``) stands for each
   of its definitions.
5. A file's own macros that write any of these are expanded; a place in an expansion is the place of the call.
6. Extensions give Python capsules: ``m.def("name", [] { return Capsule(H); })``, ``dict["name"] = Capsule(H)``, of
   functions that are no handlers with ``EncapsulateFunction(F)``, or ``capsule(reinterpret_cast<void*>(&F), TARGET)``
   with the name that XLA asks of a capsule. The dict is that of ``m.def("dict", ...)`` of
   ``NB_MODULE(module, m)`` when it is filled inside, or by a function that the ``def`` names.
7. What ``cpu`` folders register, or C++ for "HOST", runs on CPUs; names that begin with ``cu`` on CUDA, with ``hip`` on
   ROCm, with ``oneapi`` on that, others in ``gpu`` folders on each of these; a condition on ``JAX_GPU_CUDA`` or its
   like leaves one of them.
8. ``bundle["execute"] = Encapsulate...(H); dict["name"] = bundle`` registers a handler in stages: it runs in this one.
   So does ``dict["name"] = py::dict(arg("prepare") = Capsule(G), arg("execute") = Capsule(H))``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property, partial
from itertools import pairwise
from typing import NamedTuple

from bzlgraph.cpp import Kind, Token, closing, joined_string
from bzlgraph.cpp.brackets import Brackets
from bzlgraph.cpp.include_tree import IncludeTree
from bzlgraph.cpp.literals import string_value
from bzlgraph.cpp.own_macros import expand_calls, macros_writing
from bzlgraph.cpp.source_file import SourceFile
from bzlgraph.cpp.text import cpp_files, is_test_file
from bzlgraph.ops.jax.ffi.defined import Made, defined
from bzlgraph.ops.jax.ffi.model import NOWHERE, Capsules, CustomCalls, Entry, FileLine, Giver, Handler
from bzlgraph.ops.jax.ffi.names import (
    PLATFORMS,
    bundles,
    handler_of,
    holds,
    names_in,
    of_stage,
    plain_name,
    platform_of,
    spelled,
    stage_run,
)
from bzlgraph.starlark.evaluation.watchdog import reading
from bzlgraph.workspace.sources.source import Source

FOLDERS = ("jaxlib", "xla")
ENCAPSULATING = frozenset({"EncapsulateFunction", "EncapsulateFfiHandler"})
TARGET = '"xla._CUSTOM_CALL_TARGET"'
"""The name of a capsule that holds the address of a function."""
NAMED = {"XLA_REGISTER_CUSTOM_CALL_TARGET_WITH_SYM": (0, 1), "XLA_FFI_REGISTER_HANDLER": (1, 3)}
"""Rule 2: which arguments are the name and the handler."""
SELF_NAMED = "XLA_REGISTER_CUSTOM_CALL_TARGET"
HANDLER_MACROS = frozenset({"XLA_FFI_DEFINE_HANDLER", "XLA_FFI_DEFINE_HANDLER_SYMBOL", "XLA_FFI_DEFINE_HANDLER_AUTO"})
_WRITING = frozenset({*NAMED, SELF_NAMED, *HANDLER_MACROS})
_REGISTERING = ("Encapsulate", "XLA_REGISTER_CUSTOM_CALL_TARGET", "XLA_FFI_REGISTER_HANDLER")

DEFINE = "def"
"""Rule 6: the method by which pybind11 and nanobind give a function its name."""

MODULE_MACROS = frozenset({"NB_MODULE", "PYBIND11_MODULE"})


class Handlers:
    """All custom calls that the ``folders`` of a tree register."""

    def __init__(self, files: Source, folders: Sequence[str] = FOLDERS) -> None:
        self._files = files
        self._folders = folders
        self._tree = IncludeTree((), files.read, guard=reading)

    def paths(self) -> list[str]:
        """The C++ files of a tree, tests left out."""
        listed = [path for folder in self._folders for path in cpp_files(self._files.entries, folder)]
        return [path for path in listed if not is_test_file(path)]

    def all(self) -> CustomCalls:
        """The custom calls of all files."""
        known = self._known
        found = [
            defined(each, known.functions, known.made_of, source.file.includes)
            for source in known.sources
            for each in self._tree.within(source.file.path, partial(_registered, source, known.prefixes)) or ()
        ]
        listed = sorted(found, key=lambda each: not each.from_python)
        return CustomCalls(listed, self.broken)

    def capsules(self) -> Capsules:
        """Rule 6, in the order of files and lines."""
        known = self._known
        found = [
            (entry, defined(each, known.functions, known.made_of, source.file.includes))
            for source in known.sources
            for entry, each in self._tree.within(source.file.path, partial(_given, source, known.made_of)) or ()
        ]
        givers = [giver for source in known.sources for giver, _ in source.givers]
        own = [
            Handler(name, name, *place, function, *NOWHERE, "", True)
            for name, made in known.made_of.items()
            for function, place in made
        ]
        named = [each for entry, each in found if entry is None]
        named += [defined(each, known.functions, known.made_of) for each in own]
        return Capsules(named, [Entry(each, *entry) for entry, each in found if entry is not None], givers)

    @property
    def broken(self) -> list[tuple[str, str]]:
        """(path, why) of the files that could not be read so far."""
        return list(self._tree.broken.items())

    @cached_property
    def _known(self) -> _Known:
        known = _Known([], {}, {}, {})
        for path in self.paths():
            file = self._tree.file(path)
            source = self._tree.within(path, partial(_read, file)) if file is not None else None
            if source is not None:
                known.sources.append(source)
                for name, made in source.made_of:
                    known.made_of.setdefault(name, []).append(made)
                for name, place in source.functions:
                    known.functions.setdefault(name, []).append(place)
                for name, text in source.literals:
                    known.prefixes.setdefault(name, []).append(text)
        return known


class _Known(NamedTuple):
    """All files, and what they say for each other: macros of literals, functions, handlers."""

    sources: list[_Source]
    prefixes: dict[str, list[str]]
    functions: dict[str, list[FileLine]]
    made_of: dict[str, list[Made]]


class _Source(NamedTuple):
    """One file: its tokens with its own macros expanded, and what other files may ask of it."""

    file: SourceFile
    tokens: list[Token]
    functions: list[tuple[str, FileLine]]
    made_of: list[tuple[str, Made]]
    literals: list[tuple[str, str]]
    givers: list[tuple[Giver, tuple[int, int]]]
    """Rule 6, with the places in the text where each begins and ends."""
    modules: tuple[str, ...]


def _read(file: SourceFile) -> _Source:
    tokens = _expanded(file)
    return _Source(
        file,
        tokens,
        list(_functions(file)),
        list(_made_of(file, tokens)),
        list(_literal_macros(file)),
        list(_givers(file)),
        tuple(_modules(file)),
    )


def _registration(file: SourceFile, token: Token, name: str, handler: str, from_python: bool = False) -> Handler:
    """A registration by itself: nothing is known of where its function is defined."""
    place = (file.path, file.line(token.start))
    return Handler(
        name, handler, *place, handler, *NOWHERE, platform_of(file.path, name), from_python, file.condition(token.start)
    )


def _literal_macros(file: SourceFile) -> Iterator[tuple[str, str]]:
    """Macros that stand for one literal, and their texts (rule 4)."""
    for _, name, macro in file.defines:
        if macro is not None and macro.parameters is None and len(macro.tokens) == 1:
            token = macro.tokens[0]
            if token.kind == Kind.STRING:
                yield name, string_value(token.text)


def _expanded(file: SourceFile) -> list[Token]:
    """Rule 5."""
    own = macros_writing(file, _WRITING)
    return expand_calls(file.tokens, lambda name, _last: own.get if file.tokens[name].text in own else None)[0]


def _functions(file: SourceFile) -> Iterator[tuple[str, FileLine]]:
    """The functions that a file defines."""
    for scope in file.outline.scopes:
        if scope.kind == "function" and scope.name:
            start = file.outline.tokens[file.outline.name_index(scope)].start
            yield plain_name(scope.name), (file.path, file.line(start))


def _made_of(file: SourceFile, tokens: list[Token]) -> Iterator[tuple[str, Made]]:
    """Handlers by name: the function behind each, and where that is said (rule 3)."""
    brackets = Brackets(tokens)
    for index, token in enumerate(tokens[:-1]):
        if token.text in HANDLER_MACROS and tokens[index + 1].text == "(":
            parts = brackets.arguments(index + 1)
            if len(parts) >= 2 and parts[0]:
                yield parts[0][0].text, (handler_of(parts[1:]), (file.path, file.line(token.start)))


def _registered(source: _Source, macros: dict[str, list[str]]) -> list[Handler]:
    """The registrations of a file."""
    return list(_registrations(source.file, source.tokens, macros))


def _registrations(file: SourceFile, tokens: list[Token], macros: dict[str, list[str]]) -> Iterator[Handler]:
    if not any(needle in file.text.text for needle in _REGISTERING):
        return
    brackets = Brackets(tokens)
    held = bundles(tokens)
    for index, token in enumerate(tokens[:-1]):
        after = tokens[index + 1].text
        if token.kind != Kind.NAME or after not in ("[", "("):
            continue
        if after == "[":
            end = closing(tokens, index + 1, 12)
            if tokens[end].text == "]" and _encapsulates(tokens, end):
                function = spelled(brackets.arguments(end + 3))
                for name in of_stage(token.text, names_in(tokens[index + 2 : end], macros), held):
                    if holds(name, file.condition(token.start)):
                        yield _registration(file, token, name, function, from_python=True)
        elif after == "(" and token.text in NAMED:
            parts = brackets.arguments(index + 1)
            at, handler = NAMED[token.text]
            if len(parts) > handler:
                said = (joined_string(parts[2]) or "") if len(parts) > 2 else ""
                for name in names_in(parts[at], macros):
                    made = _registration(file, token, name, handler_of(parts[handler:]))
                    yield made._replace(platform=PLATFORMS.get(said.lower(), made.platform))
        elif after == "(" and token.text == SELF_NAMED:
            function = spelled(brackets.arguments(index + 1)[:1])
            yield _registration(file, token, function, function)


def _modules(file: SourceFile) -> Iterator[str]:
    """The names of the modules that a file makes."""
    for index, token in enumerate(file.tokens[:-2]):
        if token.text in MODULE_MACROS and file.tokens[index + 1].text == "(":
            yield file.tokens[index + 2].text


def _givers(file: SourceFile) -> Iterator[tuple[Giver, tuple[int, int]]]:
    """The functions that a file gives modules of Python, in the order of the text."""
    if DEFINE not in file.text.text:
        return
    brackets = Brackets(file.tokens)
    module = ""
    for index, (token, opening) in enumerate(pairwise(file.tokens)):
        if opening.text != "(" or token.text not in (DEFINE, *MODULE_MACROS):
            continue
        parts = brackets.arguments(index + 1)
        if token.text in MODULE_MACROS:
            module = parts[0][0].text if parts and len(parts[0]) == 1 else ""
        elif parts and (name := joined_string(parts[0])):
            words = [each for part in parts[1:] for each in part]
            end = max((each.start for each in words), default=token.start)
            yield Giver(module, name, frozenset(each.text for each in words), file.path), (token.start, end)


_Dict = tuple[str, tuple[Giver, ...], tuple[str, ...]]
"""What is told of the dict that an ``Entry`` is in."""


def _given(source: _Source, made_of: Collection[str]) -> list[tuple[_Dict | None, Handler]]:
    """Rule 6 in one file: (of which dict, None for none; the handler)."""
    tokens = source.tokens
    if not any(token.text in made_of or token.text in ENCAPSULATING or token.text == TARGET for token in tokens):
        return []
    brackets = Brackets(tokens)
    found: list[tuple[_Dict | None, Handler]] = []
    for index, token in enumerate(tokens[:-4]):
        opening, text, *after = tokens[index + 1 : index + 5]
        if text.kind != Kind.STRING:
            continue
        is_entry = token.kind == Kind.NAME and [opening.text, *(each.text for each in after)] == ["[", "]", "="]
        if is_entry:
            end = next((at for at in range(index, len(tokens)) if tokens[at].text == ";"), len(tokens))
            words = stage_run([each.text for each in tokens[index + 5 : end]])
        elif token.text == DEFINE and opening.text == "(":
            words = [each.text for part in brackets.arguments(index + 1)[1:] for each in part]
        else:
            continue
        handlers = dict.fromkeys(word for word in words if word in made_of) or dict.fromkeys(_encapsulated(words))
        if len(handlers) == 1:
            (handler,) = handlers
            name = joined_string([text]) or ""
            entry = _filled_by(source, token) if is_entry else None
            found.append((entry, _registration(source.file, token, name, handler, from_python=True)))
    return found


def _encapsulated(words: Sequence[str]) -> Iterator[str]:
    """``f<float>`` of ``EncapsulateFunction(f<float>)``, and of a capsule with its address.

    >>> list(_encapsulated("[ ] { return EncapsulateFunction ( f < float > ) ; }".split()))
    ['f<float>']
    >>> list(_encapsulated(f"nb :: capsule ( reinterpret_cast < void * > ( & ns :: f ) , {TARGET} )".split()))
    ['ns::f']
    >>> list(_encapsulated(f"PyCapsule_New ( ( void * ) f < float > , {TARGET} , nullptr )".split()))
    ['f<float>']
    """
    for at in (place for place, word in enumerate(words) if word == TARGET and words[max(place - 1, 0)] == ","):
        end = next((place for place in range(at - 2, -1, -1) if words[place] != ")"), 0)
        begin = next((place for place in range(end, -1, -1) if words[place] in {"(", "&", ")", ","}), -1)
        yield "".join(words[begin + 1 : end + 1])
    for at, word in enumerate(words[:-1]):
        if word in ENCAPSULATING and words[at + 1] == "(" and ")" in words[at:]:
            yield "".join(words[at + 2 : words.index(")", at)])


def _filled_by(source: _Source, token: Token) -> _Dict:
    """The function around a place, the functions of modules around it, and the modules of its file."""
    outline = source.file.outline
    scope = outline.function_at(bisect_left(outline.tokens, token.start, key=lambda each: each.start))
    around = tuple(giver for giver, (start, end) in source.givers if start <= token.start <= end)
    return plain_name(scope.name) if scope is not None and not around else "", around, source.modules


def _encapsulates(tokens: Sequence[Token], bracket: int) -> bool:
    """Whether ``= Encapsulate...(`` follows a ``]``."""
    words = [token.text for token in tokens[bracket + 1 : bracket + 4]]
    return len(words) == 3 and words[0] == "=" and words[1] in ENCAPSULATING and words[2] == "("
