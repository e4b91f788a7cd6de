"""The part of a method's body that runs where some tests have a known answer: tokens -> tokens.

Looked at are names, calls without arguments and ``std::is_same<A, B>::value``, ``not`` or not, and several of them with
``&&``; and variables that are set once, to such (``bool on_gpu = std::is_same<Device, GPUDevice>::value && n > 2;``).
The branch that does not run is left out with its test.

>>> from bzlgraph.cpp.tokens import tokenize
>>> body = "if (!IsReal()) { a(); } else if (Forward) b(); else { c(); } if (n) d();"
>>> run = running(tokenize(body), lambda name, called: {"IsReal": True, "Forward": False}.get(name))
>>> " ".join(token.text for token in run)
'{ c ( ) ; } if ( n ) d ( ) ;'
>>> body = "bool gpu = std::is_same<D, G>::value && n > 2; if (gpu) a(); if (n && !gpu) b(); if (!gpu) c();"
>>> run = running(tokenize(body), lambda name, called: None, lambda one, other: one == other)
>>> " ".join(token.text for token in run).partition(" ; ")[2]
'if ( n && ! gpu ) b ( ) ; c ( ) ;'
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bzlgraph.cpp.tokens import Kind, Lexeme

Truth = Callable[[str, bool], bool | None]
"""(name, whether it is called) -> whether it is true; None for nobody knows."""
Same = Callable[[str, str], bool | None]
"""(type, type) -> whether they are one; None for nobody knows."""
_SETTING = frozenset(["=", "&=", "|="])
_SAME = {"is_same": ["::", "value"], "is_same_v": []}
"""What stands behind the types."""
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")
_WITH_TEST = frozenset(["for", "while", "switch"])


def running(tokens: Sequence[Lexeme], truth: Truth, same: Same = lambda _one, _other: None) -> list[Lexeme]:
    """The tokens that run; all of them where tests are nested too deeply to be told apart."""
    flags = dict(_flags(tokens, _Tests(truth, same)))

    def told(name: str, called: bool) -> bool | None:
        return flags[name] if name in flags and not called else truth(name, called)

    try:
        return list(_running(tokens, 0, len(tokens), _Tests(told, same)))
    except RecursionError:
        return list(tokens)


def _running(tokens: Sequence[Lexeme], at: int, end: int, tests: _Tests) -> Iterator[Lexeme]:
    while at < end:
        first = _behind_if(tokens, at)
        behind = _behind_brackets(tokens, first)
        answer = tests.answer(tokens[first + 1 : behind - 1]) if first > at and behind <= end else None
        if answer is None:
            yield tokens[at]
            at += 1
            continue
        then = _behind_statement(tokens, behind)
        other = then + 1 if _text(tokens, then) == "else" else then
        last = _behind_statement(tokens, other) if other > then else then
        yield from (
            _running(tokens, behind, min(then, end), tests)
            if answer
            else _running(tokens, other, min(last, end), tests)
        )
        at = last


def _text(tokens: Sequence[Lexeme], at: int) -> str:
    return tokens[at].text if at < len(tokens) else ""


def _behind_if(tokens: Sequence[Lexeme], at: int) -> int:
    """Where the test of an ``if`` begins, the same place where there is none."""
    if tokens[at].text != "if":
        return at
    return at + 2 if _text(tokens, at + 1) == "constexpr" else at + 1


def _behind_brackets(tokens: Sequence[Lexeme], at: int) -> int:
    """Behind the bracket that closes the one there."""
    depth = 0
    while at < len(tokens):
        depth += (tokens[at].text in _OPEN) - (tokens[at].text in _CLOSE)
        at += 1
        if depth <= 0:
            break
    return at


def _behind_statement(tokens: Sequence[Lexeme], at: int) -> int:
    """Behind the statement that begins there, an ``else`` that belongs to it included."""
    if _text(tokens, at) == "{":
        return _behind_brackets(tokens, at)
    if _text(tokens, at) == "if":
        then = _behind_statement(tokens, _behind_brackets(tokens, _behind_if(tokens, at)))
        return _behind_statement(tokens, then + 1) if _text(tokens, then) == "else" else then
    if _text(tokens, at) in _WITH_TEST:
        return _behind_statement(tokens, _behind_brackets(tokens, at + 1))
    while at < len(tokens) and tokens[at].text != ";":
        at = _behind_brackets(tokens, at) if tokens[at].text in _OPEN else at + 1
    return min(at + 1, len(tokens))


@dataclass(frozen=True, slots=True)
class _Tests:
    """What is known of tests."""

    truth: Truth
    same: Same

    def answer(self, test: Sequence[Lexeme]) -> bool | None:
        """What is known of a test."""
        parts = [self._of_one(each) for each in _joined(test)]
        if False in parts:
            return False
        return None if None in parts or not parts else True

    def _of_one(self, part: Sequence[Lexeme]) -> bool | None:
        fails = bool(part) and part[0].text == "!"
        part = part[1:] if fails else part
        called = [each.text for each in part[1:]] == ["(", ")"]
        answer = None
        if part and part[0].kind == Kind.NAME and len(part) == (3 if called else 1):
            answer = self.truth(part[0].text, called)
        elif types := _compared(part):
            answer = self.same(*types)
        return None if answer is None else answer is not fails


def _joined(test: Sequence[Lexeme]) -> list[Sequence[Lexeme]]:
    """The parts that ``&&`` joins; a test with another operator between them as one part."""
    depth, cuts = 0, [-1]
    for at, each in enumerate(test):
        depth += (each.text in _OPEN) - (each.text in _CLOSE)
        if not depth and each.text in ("||", "?"):
            return [test]
        if not depth and each.text == "&&":
            cuts.append(at)
    return [test[one + 1 : other] for one, other in pairwise([*cuts, len(test)])]


def _compared(part: Sequence[Lexeme]) -> list[str]:
    """The two types that ``std::is_same<A, B>::value`` compares; none of anything else."""
    texts = [each.text for each in part]
    texts = texts[2:] if texts[:2] == ["std", "::"] else texts
    if len(texts) < 6 or texts[1] != "<" or ">" not in texts:
        return []
    end = texts.index(">")
    types = "".join(texts[2:end]).split(",")
    return types if _SAME.get(texts[0]) == texts[end + 1 :] and len(types) == 2 else []


def _flags(tokens: Sequence[Lexeme], tests: _Tests) -> Iterator[tuple[str, bool]]:
    """The variables that are set once, to what is known."""
    texts = [each.text for each in tokens]
    for at, text in enumerate(texts):
        if text == "bool" and texts[at + 2 : at + 3] == ["="]:
            name = texts[at + 1]
            set_again = sum(one == name and other in _SETTING for one, other in pairwise(texts)) > 1
            answer = tests.answer(tokens[at + 3 : _behind_statement(tokens, at) - 1])
            if answer is not None and not set_again and ("&", name) not in pairwise(texts):
                yield name, answer
