"""What stands inside of a C++ function of PyTorch, read when somebody asks: of the functions of a whole tree an answer
goes into one of three.

tokens of a function -> ``Body``; ``Body.inside`` -> ``Inside``. Until it is asked the tokens are kept packed, as those
of all files do not fit into memory one by one.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from sys import intern
from typing import NamedTuple

from bzlgraph.cpp import Kind, Token, split_arguments
from bzlgraph.cpp.brackets import Brackets
from bzlgraph.cpp.macro import Macro
from bzlgraph.cpp.outline import Outline, Scope
from bzlgraph.cpp.skipped_bodies import Blanked
from bzlgraph.cpp.source_file import SourceFile
from bzlgraph.ops.pytorch.cpp.body import calls_of
from bzlgraph.ops.pytorch.cpp.call import Call
from bzlgraph.ops.pytorch.cpp.conditions import Compiled, conditions_of, text_of
from bzlgraph.ops.pytorch.cpp.known import EMPTY, REAL, SUGGESTED, WRAPPING
from bzlgraph.ops.pytorch.cpp.questions import Constants
from bzlgraph.ops.pytorch.cpp.refusals import answer_of, borrowed, borrows_where, demands, prepared, refusals
from bzlgraph.ops.pytorch.cpp.values.function_names import FileNames, TensorNames
from bzlgraph.ops.pytorch.cpp.values.places import places_of
from bzlgraph.ops.pytorch.cpp.values.types import TENSOR
from bzlgraph.ops.pytorch.cpp.variables.choices import Choices, choices, chosen, members_set
from bzlgraph.ops.pytorch.cpp.variables.declarations import constant_tensors, other_names
from bzlgraph.ops.pytorch.cpp.variables.made_results import kept_contiguous, made_tensors, shaped_as
from bzlgraph.ops.pytorch.cpp.variables.number_types import Declared, type_variables, types_given
from bzlgraph.ops.pytorch.cpp.variables.set_again import HELD, checked_again, narrowed

BOOLEANS = ("true", "false")
MAX_VALUE = 60
"""Tokens of what a local variable is made with."""
_VALUES = frozenset({"Device", "DeviceType", "IntArrayRef", "bool"})
"""Types of variables that no function changes which is given one."""
NUMELS = "numel", "sym_numel"
"""What gives the number of elements of a tensor."""
DEVICE = "device"
"""What gives the device of a tensor."""
STRIDES = "computeStride"
"""What gives the strides of a view: whether there is one is asked of its variable."""
_ASKED_OF_OPTIONS = dict.fromkeys(("memory_format", "merge_memory_format"), "memory_format_opt")
"""What options are asked for that is not named as what they are made with."""
_CHANGING = frozenset({"=", "+=", "-=", "*=", "/=", "|=", "&=", "++", "--"})


class Inside(NamedTuple):
    """What a function calls, and what of it decides what these run."""

    calls: tuple[Call, ...] = ()
    fixed: tuple[tuple[str, str], ...] = ()
    """(name, default) of each parameter, without a name when the body changes it."""
    template: tuple[str, ...] = ()
    """The parameters of its template."""
    makes: tuple[str, ...] = ()
    """The classes of which it makes objects, each as often as it does, itself or by a macro of the file; with a ``?``
    behind it for one that is a variable, which other functions may change."""
    sets: tuple[tuple[str, str], ...] = ()
    """(``check_same``, ``false``) of each ``.check_same(false)``."""
    options: tuple[tuple[str, str], ...] = ()
    """(``options.device()``, ``device``) of ``TensorOptions options = TensorOptions().device(device);``."""
    locals: tuple[tuple[str, str], ...] = ()
    """The local variables that stay what they are made with, and that as written; ``{}`` for a tensor that is none."""
    made: tuple[tuple[str, Constants], ...] = ()
    """The tensors that stay what they are made as (``at::empty_like(a)``, ``at::zeros(sizes)``), and what is known of
    each; those that are declared so (``const Tensor& a``)."""
    wrapped: tuple[str, ...] = ()
    """Parameters that become the dimension that they count from the end: ``dim = maybe_wrap_dim(dim, n);``."""
    refused: tuple[str, ...] = ()
    """Of a function that gives ``bool`` the conditions under which it gives ``false``, whatever else."""
    answer: str = ""
    """What one gives that does nothing but ask; where one that borrows a tensor gives that."""
    demands: tuple[str, ...] = ()
    """What it makes sure of whenever it is called."""
    returned: tuple[str, ...] = ()
    """The variables that it returns."""
    shaped: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The variables that have as many dimensions and elements as some tensors wherever they are set, and these."""
    narrowed: tuple[tuple[str, str], ...] = ()
    """Conditions that hold only where what they are first did, and that as written."""
    checked: tuple[tuple[str, str, str], ...] = ()
    """Variables that are set again, but checked then: what each is made with, and what is checked."""
    borrowed: tuple[tuple[str, str], ...] = ()
    """Questions whether a variable is the tensor that it was made of, and how it was."""
    prepared: tuple[tuple[str, str], ...] = ()
    """The members that a constructor sets to what functions give, and the calls."""
    choices: Choices = ()
    """The values of an enumeration that it gives, and what holds where it gives each."""
    chosen: tuple[tuple[str, str], ...] = ()
    """The variables that stay what a function gives which may choose, and the call."""
    members: tuple[tuple[str, str], ...] = ()
    """(``params.up``, ``up``) of each ``params.up = up;``."""
    types: tuple[Declared, ...] = ()
    """The variables that stay a type of numbers, or are tensors made with options, by lines."""
    contiguous: tuple[str, ...] = ()
    """The variables that are contiguous wherever they are set."""
    gives_types: Choices = ()
    """The types of numbers that it gives, or options, and what holds where it gives each."""


NOTHING_INSIDE = Inside()


class Body:
    """The inside of one function."""

    def __init__(self, read: Callable[[], Inside]) -> None:
        self._read: Callable[[], Inside] | None = read
        self._inside = NOTHING_INSIDE

    @property
    def inside(self) -> Inside:
        """What it holds."""
        if self._read is not None:
            read, self._read = self._read, None
            self._inside = read()
        return self._inside


class FileReader:
    """What the bodies of one file have in common: its names, the macros and conditions of its preprocessor."""

    def __init__(self, file: SourceFile, blanked: Blanked, giving: TensorNames, own: FileNames) -> None:
        """``blanked`` is what the tokens were cut from that bodies are told by."""
        self._file = file
        self._blanked = blanked
        self._giving = giving
        self._own = own

    def body(self, outline: Outline[Token], scope: Scope, parameters: Sequence[str]) -> Body:
        """The body of a function, with what stands before it: a token before its declaration, and one behind it."""
        before = min(scope.start, 1)
        first = scope.start - before
        kinds, words, starts = zip(*outline.tokens[first : scope.closing + 2], strict=True)
        packed = bytes(kinds), tuple(map(intern, words)), array("L", starts)
        here = replace(
            scope, start=before, opening=scope.opening - first, closing=scope.closing - first, parent=-1, bases=()
        )
        around = outline.scopes[scope.parent] if scope.parent >= 0 else None
        inside = around.name if around is not None and around.kind == "class" else ""
        owner = scope.name.rpartition("::")[0].rpartition("::")[2] or inside
        return Body(lambda: self._read(packed, here, parameters, owner))

    def _read(
        self, packed: tuple[bytes, tuple[str, ...], array[int]], scope: Scope, parameters: Sequence[str], owner: str
    ) -> Inside:
        told = list(map(Token._make, zip(*packed, strict=True)))
        head, inner = map(self._blanked.restored, (told[: scope.opening], told[scope.opening : scope.closing]))
        tokens = [*head, *inner, *told[scope.closing :]]
        scope = replace(scope, opening=len(head), closing=len(head) + len(inner))
        outline = Outline(tokens, (scope,), Brackets(tokens))
        called = calls_of(outline, scope, self._giving, self._own, self._file.condition, owner)
        names = other_names(outline, scope)
        calls = tuple(map(self._placed, (_renamed(each, names) for each in called) if names else called))
        body = tokens[scope.opening : scope.closing]
        made, sets = self._settings(body)
        options = tuple(_options([each.text for each in body]))
        fixed, template = tuple(_fixed(tokens, scope, parameters)), tuple(_template(tokens, scope))
        beside = self._inside_of(tokens[scope.opening].start)
        kept, refused = tuple(_locals(outline, scope)), tuple(refusals(outline, scope, beside))
        wrapped = tuple(tokens[at].text for at in range(scope.opening, scope.closing) if wraps_itself(tokens, at))
        tensors = *made_tensors(outline, scope), *((name, ()) for name in constant_tensors(outline, scope))
        sure = tuple(demands(outline, scope, beside))
        asking = refused, answer_of(outline, scope, beside) or borrows_where(outline, scope, beside), sure
        texts = (each.text for at, each in enumerate(body) if body[at - 1].text == "return" and _ends(body, at + 1))
        given = tuple(dict.fromkeys(text for text in texts if text.isidentifier() and text not in BOOLEANS))
        settings = tuple(made), tuple(sets), options
        less = tuple((name, text_of(told)) for name, told in narrowed(outline, scope))
        again = tuple((name, text_of(made), text_of(asked)) for name, made, asked in checked_again(outline, scope))
        shaped = tuple(shaped_as(outline, scope))
        inside = Inside(calls, fixed, template, *settings, kept, tensors, wrapped, *asking, given, shaped, less, again)
        ranges = partial(conditions_of, outline, scope.opening + 1, scope.closing, self._file.condition)
        kept_choices = tuple((name, text_of(call)) for name, call in chosen(outline, scope))
        chose = choices(outline, scope, ranges)
        inside = inside._replace(choices=chose, chosen=kept_choices, members=tuple(members_set(outline, scope)))
        prepares = tuple(prepared(outline, scope, owner)) if owner else ()
        line, variables = self._file.line, type_variables(outline, scope, text_of)
        types = (each._replace(first=line(each.first), last=line(each.last)) for each in variables)
        inside = inside._replace(types=tuple(types), gives_types=tuple(types_given(outline, scope, ranges, text_of)))
        inside = inside._replace(contiguous=tuple(kept_contiguous(outline, scope)))
        return inside._replace(borrowed=tuple(borrowed(outline, scope)), prepared=prepares)

    def _inside_of(self, opening: int) -> Compiled:
        """What the preprocessor must have for places in a function beside what it must have for that."""
        own = self._file.condition(opening)

        def beside(offset: int) -> str:
            here = self._file.condition(offset)
            return here if here != own else ""

        return beside

    def _placed(self, call: Call) -> Call:
        """A call with the condition of the preprocessor, and its line for its offset."""
        condition = self._file.condition(call.line)
        conditions = (*([condition] if condition else []), *call.conditions)
        return call._replace(line=self._file.line(call.line), conditions=conditions)

    def _settings(self, body: Sequence[Token]) -> tuple[list[str], list[tuple[str, str]]]:
        """What a body makes and sets (``Inside.makes``, ``sets``)."""
        macros = self._macros()
        made: list[str] = []
        sets: list[tuple[str, str]] = []
        for tokens in (body, *(macros[each.text].tokens for each in body if each.text in macros)):
            for at, token in enumerate(tokens[:-1]):
                text, after = token.text, tokens[at + 1]
                if text == ".":
                    if [each.text for each in tokens[at + 2 : at + 5 : 2]] == ["(", ")"]:
                        sets += [(after.text, each.text) for each in tokens[at + 3 : at + 4] if each.text in BOOLEANS]
                elif text[:1].isupper() and token.kind == Kind.NAME and (after.text == "(" or after.kind == Kind.NAME):
                    alone = after.text == "(" or _is_set_once(tokens, at + 1)
                    made.append(text if alone else f"{text}?")
        return made, sets

    def _macros(self) -> dict[str, Macro]:
        return {name: macro for _, name, macro in self._file.defines if macro is not None}


def _renamed(call: Call, names: Mapping[str, str]) -> Call:
    """A call with one name for each variable."""

    def told(texts: Sequence[str]) -> tuple[str, ...]:
        return tuple(_WORD.sub(lambda word: names.get(word.group(), word.group()), each) for each in texts)

    return call._replace(given=told(call.given), written=told(call.written), conditions=told(call.conditions))


_WORD = re.compile(r"(?<![\w.:>])[A-Za-z_]\w*")


def _ends(body: Sequence[Token], at: int) -> bool:
    return at < len(body) and body[at].text == ";"


def _fixed(tokens: Sequence[Token], scope: Scope, parameters: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(name, default) of the parameters of a function, without a name where it may not stay what it was given. What
    is added to a tensor makes none of what is none."""
    body = range(scope.opening, scope.closing)
    changed = {tokens[at].text for at in body if tokens[at + 1].text in _CHANGING - {"="}}
    given = {tokens[at].text for at in body if tokens[at + 1].text == "=" and not wraps_itself(tokens, at)}
    given |= {tokens[at + 1].text for at in body if tokens[at].text in _TAKING and _is_taken(tokens, at)}
    for parameter in parameters:
        declared, _, default = parameter.partition("=")
        words = declared.split()
        name = words[-1] if words else ""
        yield (
            "" if name in given or (name in changed and TENSOR not in words) or not name.isidentifier() else name,
            default.replace(" ", ""),
        )


def wraps_itself(tokens: Sequence[Token], at: int) -> bool:
    """Whether a variable becomes there the dimension that it is, counted from the end where it is negative."""
    called = [each.text for each in tokens[at + 1 : at + 9]]
    name = called.index(WRAPPING) if called[:1] == ["="] and WRAPPING in called else 0
    return name > 0 and called[name + 1 : name + 4] == ["(", tokens[at].text, ","]


_TAKING = frozenset({"++", "--", "&"})


def _is_taken(tokens: Sequence[Token], at: int) -> bool:
    """Whether a variable may change where these stand before it: not where its address is only compared
    (``&a != &b``), nor where a lambda captures it (``[&a, &b]``), whose body tells what it does with it."""
    around = tokens[at - 1].text, tokens[at + 2].text
    if tokens[at].text != "&":
        return True
    first = at
    while tokens[first - 1].text == "," and tokens[first - 3].text in ("&", "[", ","):
        first -= 3 if tokens[first - 3].text == "&" else 2
    captured = tokens[first - 1].text == "[" and around[1] in (",", "]")
    return not captured and {"==", "!="}.isdisjoint(around)


def _locals(outline: Outline[Token], scope: Scope) -> Iterator[tuple[str, str]]:
    """``const bool up = n > 1;``, ``Scalar beta(0.0);``, and ``Tensor result, unused;`` that is only handed
    on, once, or twice in the same call: nothing is returned in it."""
    tokens, ends = outline.tokens, outline.brackets.ends
    words = [each.text for each in tokens]
    body = range(scope.opening + 1, scope.closing - 1)
    changed = Counter(words[at] for at in body if words[at + 1] in _CHANGING)
    taken = (at for at in body if words[at] in _TAKING and tokens[at + 1].kind == Kind.NAME)
    changed.update(words[at + 1] for at in taken if _is_taken(tokens, at))
    used = Counter(words[scope.opening : scope.closing])
    given_twice = {words[at] for at in body if words[at + 1] == "," and words[at] == words[at + 2]}
    for at in body:
        name, before, after = words[at], words[at - 1], words[at + 1]
        if tokens[at].kind != Kind.NAME or after not in ("=", "(", ";") or name == before:
            continue
        if after == "=" and changed[name] == 1:
            end = next((each for each in range(at, min(at + MAX_VALUE, scope.closing)) if words[each] == ";"), at)
            called = words[outline.brackets.openings.get(end - 1, 0) - 1]
            converted = words[at + 3] == "." and words[at + 4].startswith("to")  # `beta.to<double>()`
            converted = converted or words[end - 3 : end - 1] == ["MemoryFormat", "::"]
            held = called in (HELD, WRAPPING, STRIDES, SUGGESTED, DEVICE, *NUMELS) or converted or REAL in words[at:end]
            if end > at + 1 and (held or "const" in words[at - 3 : at] or before in _VALUES):
                yield name, text_of(tokens[at + 2 : end])
        elif after == "(" and before == "Scalar" and not changed[name] and words[ends[at + 1] + 1] == ";":
            yield name, text_of(tokens[at + 2 : ends[at + 1]])
        elif after == ";" and not changed[name] and (used[name] == 2 or name in given_twice):
            listed = at
            while words[listed - 1] == ",":
                listed -= 2
            if words[listed - 1] == TENSOR:
                yield name, EMPTY


def _is_set_once(tokens: Sequence[Token], at: int) -> bool:
    """Whether a variable that is declared there is used by its own methods only, all called in the block that declares
    it: no other function changes it, and no branch."""
    depth, name = 0, tokens[at].text
    for index in range(at + 1, len(tokens) - 1):
        text = tokens[index].text
        depth += (text == "{") - (text == "}")
        if depth < 0:
            break
        if text == name and (tokens[index + 1].text != "." or tokens[index - 1].text in _HANDING_ON):
            return False
        if text == name and (depth or tokens[index - 1].text in (")", "else")) and _sets(tokens, index + 1):
            return False
    return True


_HANDING_ON = frozenset({"&", "*", ".", "->", "::"})


def _sets(tokens: Sequence[Token], at: int) -> bool:
    """Whether the chain of calls that begins there sets anything to a boolean."""
    end = next((each for each in range(at, len(tokens)) if tokens[each].text == ";"), len(tokens))
    return any(tokens[each].text in BOOLEANS and tokens[each - 1].text == "(" for each in range(at + 1, end))


def _options(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What options are asked for, and the parameters that they are made with."""
    for at in places_of(words, "TensorOptions"):
        end = words.index(";", at) if words[at + 2 : at + 3] == ["="] and ";" in words[at:] else at
        for each in range(at + 3, end - 4):
            if words[each] == "." and words[each + 2 : each + 5 : 2] == ["(", ")"] and words[each + 3].isidentifier():
                asked = _ASKED_OF_OPTIONS.get(words[each + 1], words[each + 1])
                yield f"{words[at + 1]}.{asked}()", words[each + 3]


def _template(tokens: Sequence[Token], scope: Scope) -> Iterator[str]:
    """The names of the parameters of a function's template."""
    if tokens[scope.start].text == "template" and tokens[scope.start + 1].text == "<":
        end = next((at for at in range(scope.start, scope.opening) if tokens[at].text == ">"), scope.start)
        for part in split_arguments(tokens[scope.start + 2 : end]):
            words = [each.text for each in part]
            named = words[: words.index("=")] if "=" in words else words
            yield named[-1] if named else ""
