"""What stands where in a C++ file: its namespaces, classes and functions, as nested scopes of tokens.

tokens -> ``Outline``: directives taken out, and each ``{`` of a declaration named for what it opens. No types are
resolved and nothing is parsed inside functions: a body is one scope, whatever it holds. Where an ``#if`` and its
``#else`` each open a brace that is closed once, the first branch is the one that is read.

>>> from bzlgraph.cpp.tokens import tokenize
>>> outline = read_outline(tokenize("namespace a { template <class T> class B : public C<T> { void f() {} }; }"))
>>> [(scope.kind, scope.name) for scope in outline.scopes]
[('namespace', 'a'), ('class', 'B'), ('function', 'f')]
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from bzlgraph.cpp.brackets import Brackets
from bzlgraph.cpp.tokens import Kind, Lexeme

T = TypeVar("T", bound=Lexeme)
_CLASS_WORDS = frozenset({"class", "struct", "union"})
_LABELS = frozenset({"public", "private", "protected"})
_DIRECTIVE_WORD = re.compile(r"#\s*(\w+)")
_BRANCHING = frozenset({"if", "ifdef", "ifndef", "else", "elif"})
_Head = tuple[str, str, tuple[str, ...]]
"""(kind, name, bases) of what a ``{`` opens; kind "initializer" for braces around values."""


@dataclass(frozen=True, slots=True)
class Scope:
    """``tokens[opening]`` is its ``{``, ``tokens[closing]`` its ``}``, ``tokens[start]`` its declaration's first."""

    kind: str
    """``namespace``, ``class`` or ``function``."""
    name: str
    """Unqualified for a class; as written for a function (``A<T>::f``); "" for what has none."""
    start: int
    opening: int
    closing: int
    parent: int
    """The index of the scope around it in ``Outline.scopes``, -1 at file level."""
    bases: tuple[str, ...] = ()
    """Of a class: the names of its bases, without template arguments and access words."""


@dataclass(frozen=True, slots=True)
class Outline(Generic[T]):
    """The tokens of a file (or pieces of an expansion) without directives, and its scopes in the order they open."""

    tokens: list[T]
    scopes: tuple[Scope, ...]
    brackets: Brackets[T]

    def name_index(self, scope: Scope) -> int:
        """The token of a function's name: the line people look for, below its templates and return type."""
        return name_index(self.tokens, scope)

    def function_at(self, index: int) -> Scope | None:
        """The function whose declaration or body holds a token."""
        at = bisect_right(self.scopes, index, key=lambda scope: scope.start) - 1
        last = self.scopes[at] if at >= 0 else None  # of those that begin before it; functions hold no scopes
        return last if last is not None and last.kind == "function" and index <= last.closing else None


def name_index(tokens: Sequence[Lexeme], scope: Scope) -> int:
    """The token that is the name of a function's scope, else the first of its declaration."""
    last = scope.name.rpartition("::")[2].lstrip("~")
    if last.startswith("operator") and not last.isidentifier():  # `operator()`: several tokens
        last = "operator"
    named = [at for at in range(scope.start, scope.opening) if tokens[at].text == last]
    return next((at for at in named if tokens[at + 1].text == "("), named[0] if named else scope.start)


def read_outline(tokens: Sequence[T]) -> Outline[T]:
    """Find the scopes of a file."""
    code = balanced(tokens)
    brackets = Brackets(code)
    ends = brackets.ends
    scopes: list[Scope] = []
    open_scopes: list[int] = []
    functions: dict[int, _Head] = {}
    start = index = 0
    while index < len(code):
        text = code[index].text
        if text == "{":
            head = functions.get(start) or _what_opens(code, start, index)
            if _is_member(code, index, ends[index], head):
                functions[start], index = head, ends[index] + 1
            else:
                index = start = _open(head, (start, index, ends[index]), scopes, open_scopes)
            continue
        if text == "}" and open_scopes:
            open_scopes.pop()
            start = index + 1
        elif text == ";" or (text == ":" and code[index - 1].text in _LABELS) or _ends_objective_c(code, index):
            start = index + 1
        elif text == "(":
            index = ends[index]
        index += 1
    return Outline(code, tuple(scopes), brackets)


def _is_member(code: Sequence[Lexeme], opening: int, end: int, head: _Head) -> bool:
    """Whether a ``{`` holds the value of a member, in ``A() : a{1}, b(2) {``: the function's own is still to come."""
    after = code[end + 1].text if end + 1 < len(code) else ""
    return head[0] == "function" and after in (",", "{") and code[opening - 1].text != ")"


def _ends_objective_c(code: Sequence[Lexeme], index: int) -> bool:
    """Whether a token is the last of ``@end``, behind which a declaration of C++ may begin."""
    return code[index].text == "end" and index > 0 and code[index - 1].text == "@"


def _open(head: _Head, place: tuple[int, int, int], scopes: list[Scope], above: list[int]) -> int:
    """Handle one ``{`` at (start of its declaration, place, end): where to go on."""
    (kind, name, bases), (start, opening, end) = head, place
    if kind != "initializer":
        scopes.append(Scope(kind, name, start, opening, end, above[-1] if above else -1, bases))
    if kind in ("namespace", "class"):
        above.append(len(scopes) - 1)
        return opening + 1
    return end + 1


def _what_opens(code: Sequence[Lexeme], start: int, brace: int) -> _Head:
    """What the declaration says that the ``{`` opens."""
    words = [token.text for token in code[start:brace]]
    named = _namespace(words)
    if named is not None:
        return "namespace", named, ()
    if words and words[0] == "extern" and len(words) == 2:
        return "namespace", "", ()
    if not words or words[0] == "enum":
        return "initializer", "", ()
    head = without_template(words)
    keyword = _class_keyword(head)
    if keyword is not None and "(" not in _before_bases(head[keyword:]):
        return "class", *_class_head(head[keyword + 1 :])
    name = _function_name(head)
    return ("function", name, ()) if name else ("initializer", "", ())


def _namespace(words: list[str]) -> str | None:
    """The name of the namespace that a declaration opens, None when it opens none; a macro may stand before it."""
    if "namespace" not in words:
        return None
    at = len(words) - 1 - words[::-1].index("namespace")
    name = words[at + 1 :]
    if (at and words[at - 1] not in ("inline", ")")) or any(word in "(){};=<>," for word in name):
        return None
    return "".join(name)


def without_template(words: list[str]) -> list[str]:
    """A declaration without its leading ``template <...>`` parts."""
    at = 0
    while at < len(words) and words[at] == "template":
        at = _angle_end(words, at + 1) + 1 if words[at + 1 : at + 2] == ["<"] else at + 1
    return words[at:]


def _angle_end(words: list[str], opening: int) -> int:
    """The index of the ``>`` that closes the ``<`` at ``opening``."""
    depth = 0
    for index in range(opening, len(words)):
        word = words[index]
        if word in ("<", "<<"):
            depth += len(word)
        elif word in (">", ">>"):
            depth -= len(word)
            if depth <= 0:
                return index
        elif word in ("{", ";"):
            break
    return len(words) - 1


def _class_keyword(words: list[str]) -> int | None:
    """The first ``class`` and its like that stands outside of every bracket of its declaration."""
    rounds = angles = 0
    for at, word in enumerate(words):
        if word in _CLASS_WORDS and rounds == 0 and angles <= 0:
            return at
        rounds += (word == "(") - (word == ")")
        angles += (word == "<") - (word == ">")
    return None


def _before_bases(words: list[str]) -> list[str]:
    return words[: words.index(":")] if ":" in words else [word for word in words if word != "alignas"]


def _class_head(words: list[str]) -> tuple[str, tuple[str, ...]]:
    """(name, bases) of what follows ``class``: attributes and export macros may stand before the name, ``final`` or a
    macro for it behind."""
    colon = words.index(":") if ":" in words else len(words)
    named = words[: words.index("<")] if "<" in words[:colon] else words[:colon]
    names = [at for at, word in enumerate(named) if word[:1].isalpha() or word[:1] == "_"]
    while len(names) > 1 and _is_behind(named, *names[-2:]):
        names.pop()
    return (named[names[-1]] if names else ""), base_names(words[colon + 1 :])


def _is_behind(words: list[str], before: int, at: int) -> bool:
    """Whether the word at ``at`` stands behind the name of a class, which is no macro then."""
    return words[at] == "final" or (at == before + 1 and words[at].isupper() and not words[before].isupper())


def base_names(words: list[str]) -> tuple[str, ...]:
    """The names in a list of bases: ``public a::B<C, D>, E`` gives ``B, E``."""
    bases: list[str] = []
    name = ""
    index = 0
    while index < len(words):
        word = words[index]
        if word == "<":
            index = _angle_end(words, index)
        elif word == ",":
            bases.append(name)
            name = ""
        elif word[:1].isalpha() or word[:1] == "_":
            name = word
        index += 1
    return tuple(base for base in [*bases, name] if base)


def _function_name(head: list[str]) -> str:
    """The name before the parameter list, with its qualification; "" when this is no function."""
    if "operator" in head:
        return _operator_name(head, head.index("operator"))
    depth = 0
    for index, word in enumerate(head):
        if word == "=" and depth == 0:
            return ""
        if word == "(":
            if depth == 0 and index and _names_function(head, index):
                return _qualified(head, index - 1)
            depth += 1
        elif word == ")":
            depth -= 1
    return ""


def _operator_name(head: list[str], at: int) -> str:
    """The name of an operator function: ``A::operator()``, ``operator+``."""
    if "(" not in head[at + 1 :]:
        return ""
    end = head.index("(", at + 1)
    symbol = "()" if head[at + 1 : at + 3] == ["(", ")"] else "".join(head[at + 1 : end])
    return (_qualified(head, at - 2) + "::" if head[at - 1] == "::" else "") + "operator" + symbol


def _names_function(head: list[str], opening: int) -> bool:
    """Whether the bracket follows a function's name, and not that of a macro before the declaration, or of one behind
    another."""
    before = head[opening - 1]
    if not (before[:1].isalpha() or before[:1] in "_>"):
        return False
    if (opening != 1 and head[opening - 2] != ")") or ")" not in head:
        return True
    behind = head[_round_end(head, opening) + 1 :]
    after = behind[0] if behind else ""
    if not (after[:1].isalpha() or after[:1] == "_") or after in ("const", "noexcept", "override", "final"):
        return True
    return not before.isupper() and not _has_function(behind)


def _round_end(words: list[str], opening: int) -> int:
    """The index of the ``)`` that closes the ``(`` at ``opening``."""
    depth = 0
    for at in range(opening, len(words)):
        depth += {"(": 1, ")": -1}.get(words[at], 0)
        if depth == 0:
            return at
    return len(words)


def _has_function(words: list[str]) -> bool:
    """Whether a declaration has a parameter list behind a name that is none of a macro: what stands before the
    declaration, ``TF_CALL_float(REGISTER)``, is one then."""
    depth = 0
    for at, word in enumerate(words):
        if word == "(" and depth == 0 and at and words[at - 1].isidentifier() and not words[at - 1].isupper():
            return True
        depth += {"(": 1, ")": -1}.get(word, 0)
    return False


def _qualified(head: list[str], at: int) -> str:
    """The name that ends at ``at``, with ``A::``, ``A<T>::`` and ``~`` before it."""
    first = at
    if head[at] == ">":  # a constructor written with its class's own arguments
        first = angle_start(head, at) - 1
    while first > 0:
        if head[first - 1] == "~":
            first -= 1
        elif head[first - 1] == "::":
            first -= 1
            if first and head[first - 1] == ">":
                first = angle_start(head, first - 1)
            first = max(first - 1, 0)
        else:
            break
    return "".join(head[first : at + 1])


def angle_start(words: list[str], at: int) -> int:
    """The index of the ``<`` that the ``>`` at ``at`` closes."""
    depth = 0
    while at > 0:
        depth += {">": 1, ">>": 2, "<": -1, "<<": -2}.get(words[at], 0)
        if depth <= 0:
            return at
        at -= 1
    return 0


def balanced(tokens: Sequence[T]) -> list[T]:
    """The tokens without directives; only the first branch of a conditional whose branches open or close braces."""
    kept: list[T] = []
    # For each open #if: [the braces open where its branch began, 1 when later branches are left out].
    marks: list[list[int]] = []
    skipping = braces = counted = 0
    for token in tokens:
        if token.kind != Kind.DIRECTIVE:
            if not skipping:
                kept.append(token)
            continue
        found = _DIRECTIVE_WORD.match(token.text)
        word = found.group(1) if found else ""
        if word in _BRANCHING:
            texts = [each.text for each in kept[counted:]]
            braces += texts.count("{") - texts.count("}")
            counted = len(kept)
        if word in ("if", "ifdef", "ifndef"):
            marks.append([braces, 0])
            skipping += 1 if skipping else 0
        elif word in ("else", "elif") and marks:
            if skipping == 0 and braces != marks[-1][0]:
                marks[-1][1] = skipping = 1
        elif word == "endif" and marks:
            _start, left_out = marks.pop()
            skipping = 0 if left_out and skipping == 1 else max(skipping - 1, 0)
    return kept
