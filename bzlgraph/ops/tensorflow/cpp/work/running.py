"""The part of a method's body that runs where some tests have a known answer: tokens -> tokens.

Only tests of one name, or of one call without arguments, are looked at, ``not`` or not; the branch that does not run is
left out with its test.

>>> from bzlgraph.cpp.tokens import tokenize
>>> body = "if (!IsReal()) { a(); } else if (Forward) b(); else { c(); } if (n) d();"
>>> run = running(tokenize(body), lambda name, called: {"IsReal": True, "Forward": False}.get(name))
>>> " ".join(token.text for token in run)
'{ c ( ) ; } if ( n ) d ( ) ;'
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from bzlgraph.cpp.tokens import Kind, Lexeme

Truth = Callable[[str, bool], bool | None]
"""(name, whether it is called) -> whether it is true; None for nobody knows."""
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")
_WITH_TEST = frozenset(["for", "while", "switch"])


def running(tokens: Sequence[Lexeme], truth: Truth) -> list[Lexeme]:
    """The tokens that run; all of them where tests are nested too deeply to be told apart."""
    try:
        return list(_running(tokens, 0, len(tokens), truth))
    except RecursionError:
        return list(tokens)


def _running(tokens: Sequence[Lexeme], at: int, end: int, truth: Truth) -> Iterator[Lexeme]:
    while at < end:
        first = _behind_if(tokens, at)
        behind = _behind_brackets(tokens, first)
        answer = _answer(tokens, first, behind, truth) if first > at and behind <= end else None
        if answer is None:
            yield tokens[at]
            at += 1
            continue
        then = _behind_statement(tokens, behind)
        other = then + 1 if _text(tokens, then) == "else" else then
        last = _behind_statement(tokens, other) if other > then else then
        yield from (
            _running(tokens, behind, min(then, end), truth)
            if answer
            else _running(tokens, other, min(last, end), truth)
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


def _answer(tokens: Sequence[Lexeme], first: int, behind: int, truth: Truth) -> bool | None:
    """What is known of the test between two brackets."""
    inner = list(tokens[first + 1 : behind - 1])
    fails = bool(inner) and inner[0].text == "!"
    inner = inner[1:] if fails else inner
    called = [each.text for each in inner[1:]] == ["(", ")"]
    if not inner or inner[0].kind != Kind.NAME or len(inner) != (3 if called else 1):
        return None
    answer = truth(inner[0].text, called)
    return None if answer is None else answer is not fails
