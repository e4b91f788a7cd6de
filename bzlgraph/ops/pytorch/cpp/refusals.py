"""What C++ functions of PyTorch ask that are asked in conditions: behind ``if (a == b) return false;`` at the top of
such a function it is asked for ``a != b``, too; one that does nothing but ask is all that it asks.

tokens of a function -> the conditions under which it gives ``false``, what it gives; a condition -> with what it
demands besides, or with what is asked in the place of functions.

>>> from bzlgraph.cpp.outline import read_outline
>>> from bzlgraph.cpp.tokens import tokenize
>>> text = "bool ok(It& i, int n) { D a = i.at(0); D b = i.at(1); if (a == b) { log(); return false; } return n; }"
>>> outline = read_outline(tokenize(text))
>>> list(refusals(outline, outline.scopes[0]))
['i.at(0) == i.at(1)']
>>> demanded("ok(iter, 2)", ["It & i", "int n"], ["i.at(0) == i.at(1)", "n > m", "i.up() == false"])
['iter.at(0) != iter.at(1)', 'iter.up() != false']
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from bzlgraph.cpp.outline import Outline, Scope
from bzlgraph.cpp.tokens import Kind, Token
from bzlgraph.ops.pytorch.cpp.conditions import CHECKS, Compiled, always, conditions_of, is_checking, text_of
from bzlgraph.ops.pytorch.cpp.truth import all_of, opposite

MAX_VALUE = 20
"""Tokens of what a local variable is made with."""
MAX_ANSWER = 2400
"""Characters of what a function gives that only asks."""
_ASKED = re.compile(r"(?:\w+::)*(\w+)(?:<\w+>)?\(([\w, ]*)\)")
_WORD = re.compile(r"(?<![\w.:<>])[A-Za-z_]\w*(?![\w:(<])")
_NO = ["return", "false", ";"]
_BORROWING = "MaybeOwned"
_ASKS = ["is_same", "(", "*"]


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


def demands(outline: Outline[Token], scope: Scope, compiled: Compiled = always) -> Iterator[str]:
    """What a function makes sure of whenever it is called, before it may return: by itself, or by functions that check.

    >>> from bzlgraph.cpp.outline import read_outline
    >>> from bzlgraph.cpp.tokens import tokenize
    >>> text = "void f(A a) { TORCH_CHECK(a.ok()); if (n) { TORCH_CHECK(m); } check_it(a); if (n) { return; } h(); "
    >>> outline = read_outline(tokenize(text + "TORCH_CHECK(k); }"))
    >>> list(demands(outline, outline.scopes[0]))
    ['a.ok()', 'check_it(a)']
    """
    tokens, ends = outline.tokens, outline.brackets.ends
    at = scope.opening + 1
    while at < scope.closing:
        text, closed = tokens[at].text, ends[at]
        if "return" in (each.text for each in tokens[at : closed + 1]):
            return
        if not compiled(tokens[at].start) and tokens[at - 1].text in ("{", "}", ";"):
            if text in CHECKS and tokens[at + 1].text == "(":
                yield text_of(outline.brackets.arguments(at + 1)[0])
            elif is_checking(tokens, ends, at):
                yield text_of(tokens[at : ends[at + 1] + 1])
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


def answer_of(outline: Outline[Token], scope: Scope, compiled: Compiled = always) -> str:
    """What a function gives that asks, and does nothing else: "" for any other.

    >>> from bzlgraph.cpp.outline import read_outline
    >>> from bzlgraph.cpp.tokens import tokenize
    >>> text = "bool ok(A a, int n) { const int m = 3;; if (!a.has()) { return true; } return a.b() == n && n < m; }"
    >>> outline = read_outline(tokenize(text + "bool no(A a) { log(); return a.b(); }"))
    >>> [answer_of(outline, each) for each in outline.scopes]
    ['!a.has() || (a.b() == n && n < 3)', '']
    """
    tokens, ends = outline.tokens, outline.brackets.ends
    head = [each.text for each in tokens[scope.start : scope.opening]]
    if "bool" not in head[: head.index("(")] if "(" in head else True:
        return ""
    asked: list[tuple[str, bool]] = []
    at = scope.opening + 1
    while at < scope.closing and not compiled(tokens[at].start):
        end = next((each for each in range(at, scope.closing) if tokens[each].text == ";"), scope.closing)
        if tokens[at].text == "return":
            text = text_of(tokens[at + 1 : end], MAX_ANSWER)
            for condition, holds in reversed(asked if text else ()):
                text = f"{condition} || ({text})" if holds else f"!({condition}) && ({text})"
            return _renamed(text, _made(tokens, scope)) if "..." not in text else ""
        if tokens[at].text == "if" and tokens[at + 1].text == "(":
            blocked = tokens[ends[at + 1] + 1].text == "{"
            block = ends[ends[at + 1] + 1] if blocked else end
            if "return" not in [each.text for each in tokens[at:block]] and tokens[block + 1].text != "else":
                at = block + 1  # it only sets variables
                continue
            given = [each.text for each in tokens[end - 2 : end]]
            if given[0] != "return" or given[1] not in ("true", "false") or end > ends[at + 1] + 3 + blocked:
                return ""
            asked.append((text_of(tokens[at + 2 : ends[at + 1]]), given[1] == "true"))
            end += blocked
        elif _is_more([each.text for each in tokens[at:end]]):
            return ""
        at = end + 1
    return ""


def _is_more(statement: Sequence[str]) -> bool:
    """Whether a statement does more than to make a variable or to name a namespace: what it begins may hold others. An
    empty one does nothing."""
    if not statement:
        return False
    made = "=" in (*statement[:5], *statement[-2:-1]) or statement[0] == "using"
    made = made or (statement[0] == "const" and statement[-1] == "}")
    return not made or ("{" in statement and statement[-1] != "}")


def _renamed(text: str, names: Mapping[str, str]) -> str:
    return _WORD.sub(lambda word: names.get(word.group(), word.group()), text)


def borrows_where(outline: Outline[Token], scope: Scope, compiled: Compiled = always) -> str:
    """A condition under which a function gives the tensor that it is given first, which may make another one else
    (``MaybeOwned``), the first of several; "" for any other. A function that does so in its turn is asked, too.

    >>> from bzlgraph.cpp.outline import read_outline
    >>> from bzlgraph.cpp.tokens import tokenize
    >>> text = "MaybeOwned<T> g(A a) { if (a.b()) { return MaybeOwned<T>::borrowed(a); } return owned(h(a)); }"
    >>> text += "MaybeOwned<T> h(A a, B b) { if (a.c()) { return g(a, b); } return owned(a); } void f(A a) { g(a); }"
    >>> outline = read_outline(tokenize(text))
    >>> [borrows_where(outline, each) for each in outline.scopes]
    ['a.b()', 'a.c() && g(a, b)', '']
    """
    tokens, ends = outline.tokens, outline.brackets.ends
    head = [each.text for each in tokens[scope.start : scope.opening]]
    if _BORROWING not in head or "(" not in head:
        return ""
    opening = scope.start + head.index("(")
    first = [tokens[opening + 1], *outline.brackets.arguments(opening)[0]][-1].text
    for at in (each for each in range(scope.opening, scope.closing) if tokens[each].text == "return"):
        end = next((each for each in range(at, scope.closing) if tokens[each].text == ";"), at)
        words = [each.text for each in tokens[at + 1 : end]]
        lent = words[-4:] == ["borrowed", "(", first, ")"]
        handed = words[1:3] == ["(", first] and ends[at + 2] == end - 1
        if lent or handed:
            ranges = conditions_of(outline, scope.opening + 1, scope.closing, compiled)
            held = [each.text for each in ranges if each.start <= at < each.end and not each.checked]
            return all_of([*held, *([text_of(tokens[at + 1 : end])] if handed else [])]) or "true"
    return ""


def prepared(outline: Outline[Token], scope: Scope, owner: str) -> Iterator[tuple[str, str]]:
    """The members that the constructor of a class sets to what a function gives, and the call.

    >>> from bzlgraph.cpp.outline import read_outline
    >>> from bzlgraph.cpp.tokens import tokenize
    >>> outline = read_outline(tokenize("struct A { A(T t, bool b) { int n = h(t); made = g(t, b); } };"))
    >>> list(prepared(outline, outline.scopes[1], "A"))
    [('made', 'g(t, b)')]
    """
    tokens, ends = outline.tokens, outline.brackets.ends
    for at in range(scope.opening + 1, scope.closing - 3) if scope.name.rpartition("::")[2] == owner else ():
        begins = tokens[at - 1].text in ("{", "}", ";") and tokens[at + 1].text == "=" and tokens[at + 3].text == "("
        if begins and tokens[ends[at + 3] + 1].text == ";":
            yield tokens[at].text, text_of(tokens[at + 2 : ends[at + 3] + 1])


def borrowed(outline: Outline[Token], scope: Scope) -> Iterator[tuple[str, str]]:
    """The questions whether a variable is what it was made of, and how that is written.

    >>> from bzlgraph.cpp.outline import read_outline
    >>> from bzlgraph.cpp.tokens import tokenize
    >>> text = "void f(A a) { auto b = g(a); if (!a.is_same(*b)) { a.copy_(*b); } auto c = g(a); }"
    >>> text += "void g(A a) { Args args(a, 2); if (!a.is_same(*args.made)) { a.copy_(*args.made); } }"
    >>> outline = read_outline(tokenize(text))
    >>> [each for scope in outline.scopes for each in borrowed(outline, scope)]
    [('a.is_same(*b)', 'g(a)'), ('a.is_same(*args.made)', 'Args__made(a,2)')]
    """
    words = [each.text for each in outline.tokens[scope.opening : scope.closing]]
    for at in (each for each in range(len(words) - 5) if words[each : each + 3] == _ASKS):
        name, tensor = words[at + 3], words[at - 2]
        if words[at + 4] == "." and words[at + 6] == ")":
            yield from _of_member(words, name, words[at + 5], f"{tensor}.is_same(*{name}.{words[at + 5]})")
            continue
        made = [each for each in range(len(words) - 6) if words[each : each + 2] == [name, "="]]
        if len(made) == 1 and words[made[0] + 3 : made[0] + 7] == ["(", tensor, ")", ";"]:
            yield f"{tensor}.is_same(*{name})", f"{words[made[0] + 2]}({tensor})"


def _of_member(words: Sequence[str], name: str, member: str, question: str) -> Iterator[tuple[str, str]]:
    """A question about a member of an object, and how it was made: ``Args__made(a)`` for that of ``Args args(a);``."""
    made = [at for at in range(1, len(words) - 2) if words[at] == name and words[at + 1] == "("]
    if len(made) == 1 and words[made[0] - 1].isidentifier() and ";" in words[made[0] :]:
        given = "".join(words[made[0] + 1 : words.index(";", made[0])])
        yield question, f"{words[made[0] - 1]}{MEMBER}{member}{given}"


MEMBER = "__"
"""What stands between a class and its member where one is told as a function of what the class is made with."""


def with_answers(text: str, answers: _Answers, depth: int = 2, pattern: re.Pattern[str] | None = None) -> str:
    """A condition with what functions give in their place: by name and number of arguments (parameters, what it gives).
    Methods, where these are the ``pattern``, have members, which are told by their names alone.

    >>> told = {"ok": (["A a", "int n"], "!a.has() || a == n")}
    >>> with_answers("!ok(x, y.b()) && m", lambda name, _: told.get(name, ((), "")))
    '!(!x.has() || x == y.b()) && m'
    >>> with_answers("p.ok(x, n)", lambda name, _: told.get(name, ((), "")), pattern=METHOD)
    '(!x.has() || x == n)'
    """
    for found in (pattern or _CALLED).finditer(text):
        end = closing(text, found.end() - 1)
        given = _arguments(text[found.end() : end])
        parameters, answer = answers(found.group(1), len(given))
        if answer:
            names = dict(zip((each.partition("=")[0].split()[-1] for each in parameters), given, strict=False))
            inside = _renamed(answer, names)
            inside = with_answers(inside, answers, depth - 1, pattern) if depth else inside
            return f"{text[: found.start()]}({inside}){with_answers(text[end + 1 :], answers, depth, pattern)}"
    return text


_Answers = Callable[[str, int], tuple[Sequence[str], str]]
_CALLED = re.compile(r"(?<![\w.:>])((?:\w+::)*\w+)\(")
METHOD = re.compile(r"(?<![\w.:>])\w+\.(\w+)\(")
"""The name of a method that is called on a variable, as that of a function is found."""


def closing(text: str, opening: int) -> int:
    """Where the bracket is that closes another one; the length of a text that has none."""
    depth = 0
    for at in range(opening, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if not depth:
            return at
    return len(text)


def _arguments(text: str) -> list[str]:
    """What stands between the commas that no bracket holds."""
    parts, depth = [""], 0
    for each in text:
        depth += (each in "({[") - (each in ")}]")
        if each == "," and not depth:
            parts.append("")
        else:
            parts[-1] += each
    return [each.strip() for each in parts]


def made_sure(call: str, parameters: Sequence[str], demanded: Sequence[str]) -> list[str]:
    """What a function makes sure of that is called, in the words of who calls.

    >>> made_sure('check_1d(v, "v")', ["const A & a", "char * n"], ["a.dim() == 1", "a.size() == m"])
    ['v.dim() == 1']
    """
    given = given_arguments(call)
    names = dict(zip((each.partition("=")[0].split()[-1] for each in parameters), given, strict=False))
    return [_renamed(each, names) for each in demanded if {*_WORD.findall(each)} <= names.keys()]


def given_arguments(call: str) -> list[str]:
    """What a call is given, as written."""
    return _arguments(call[call.index("(") + 1 : -1])


def called_name(text: str) -> str:
    """The name of a function that is called to check something, "" for any other condition.

    >>> called_name('check_1d(v, "v")'), called_name("v.dim() == 1"), called_name("check(v) == 1")
    ('check_1d', '', '')
    """
    found = _CALLED.match(text)
    return found.group(1) if found is not None and closing(text, found.end() - 1) == len(text) - 1 else ""


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
        opposite(_renamed(each, names))
        for each in refused
        if {*_WORD.findall(each)} <= {*names, "true", "false", "nullptr"} and _WORD.search(each) is not None
    ]
