"""When C++ functions of PyTorch that are asked in conditions say no, whatever else they look at: behind
``if (a == b) return false;`` at the top of such a function it is asked for ``a != b``, too.

tokens of a function -> the conditions under which it gives ``false``; a condition -> with what it demands besides.

>>> from bzlgraph.cpp.outline import read_outline
>>> from bzlgraph.cpp.tokens import tokenize
>>> text = "bool ok(It& i, int n) { D a = i.at(0); D b = i.at(1); if (a == b) { log(); return false; } return n; }"
>>> outline = read_outline(tokenize(text))
>>> list(refusals(outline, outline.scopes[0]))
['i.at(0) == i.at(1)']
>>> demanded("ok(iter, 2)", ["It & i", "int n"], ["i.at(0) == i.at(1)", "n > m"])
['iter.at(0) != iter.at(1)']
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from bzlgraph.cpp.outline import Outline, Scope
from bzlgraph.cpp.tokens import Kind, Token
from bzlgraph.ops.pytorch.cpp.conditions import Compiled, always, text_of
from bzlgraph.ops.pytorch.cpp.truth import opposite

MAX_VALUE = 20
"""Tokens of what a local variable is made with."""
_ASKED = re.compile(r"(?:\w+::)*(\w+)(?:<\w+>)?\(([\w, ]*)\)")
_WORD = re.compile(r"(?<![\w.:<>])[A-Za-z_]\w*(?![\w:(<])")
_NO = ["return", "false", ";"]


def refusals(outline: Outline[Token], scope: Scope, compiled: Compiled = always) -> Iterator[str]:
    """What ``if`` asks in the block of a function that gives ``bool``, where it gives ``false`` then."""
    tokens, ends = outline.tokens, outline.brackets.ends
    head = [each.text for each in tokens[scope.start : scope.opening]]
    if "bool" not in head[: head.index("(")] if "(" in head else True:
        return
    made = _made(tokens, scope)
    at = scope.opening + 1
    while at < scope.closing:
        text, closed = tokens[at].text, ends[at]
        if text == "if" and tokens[at + 1].text == "(" and tokens[at - 1].text in ("{", "}", ";"):
            closed = ends[at + 1]
            blocked = tokens[closed + 1].text == "{"
            end = ends[closed + 1] if blocked else closed + 4
            asked = tokens[at + 2 : closed]
            closed = end if blocked else end - 1
            if [each.text for each in tokens[end - 3 : end]] == _NO and not compiled(tokens[at].start):
                yield _WORD.sub(lambda word: made.get(word.group(), word.group()), text_of(asked))
        at = closed + 1


def _made(tokens: Sequence[Token], scope: Scope) -> dict[str, str]:
    """Local variables that nothing changes and that are handed on to nobody, and what each is made with."""
    body = range(scope.opening + 1, scope.closing)
    words = {at: tokens[at].text for at in range(scope.opening, scope.closing + 1)}
    changed = Counter(words[at] for at in body if words[at + 1] in ("=", "+=", "-=", "|=", "&=", "++", "--"))
    handed = {words[at] for at in body if words[at - 1] in ("(", ",", "&", "++", "--") and words[at + 1] in (",", ")")}
    found: dict[str, str] = {}
    for at in body:
        name = words[at]
        declared = tokens[at].kind == Kind.NAME and tokens[at - 1].kind == Kind.NAME and words[at + 1] == "="
        if declared and changed[name] == 1 and name not in handed:
            end = next((each for each in range(at, min(at + MAX_VALUE, scope.closing)) if words[each] == ";"), at + 2)
            found[name] = text_of(tokens[at + 2 : end])
    return found


def asked_name(condition: str) -> str:
    """The name of the function that a condition asks, "" for any other condition."""
    found = _ASKED.fullmatch(condition)
    return found.group(1) if found is not None else ""


def demanded(condition: str, parameters: Sequence[str], refused: Sequence[str]) -> list[str]:
    """What holds where a condition does that asks a function, in the words of who asks."""
    found = _ASKED.fullmatch(condition)
    given = [each.strip() for each in found.group(2).split(",")] if found is not None else []
    names = dict(zip((each.partition("=")[0].split()[-1] for each in parameters if each.split()), given, strict=False))
    return [
        opposite(_WORD.sub(lambda word: names[word.group()], each))
        for each in refused
        if {*_WORD.findall(each)} <= {*names, "true", "false", "nullptr"} and _WORD.search(each) is not None
    ]
