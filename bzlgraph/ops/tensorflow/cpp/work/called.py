"""What the body of a method calls: its tokens -> ``Call``, and the types that its variables are declared with.

Nothing is resolved here, and no type is known: a call is how it is written.

>>> from bzlgraph.cpp.tokens import tokenize
>>> list(calls_in(tokenize("functor::Fill<Device, T>()(d, x); MakeDataset(ctx); a->b(); launch_(1); R<T>::Run(c);")))
[Call(name='functor::Fill', arguments='<Device,T>', method=''), Call(name='MakeDataset', arguments='', method=''), \
Call(name='launch_', arguments='', method=''), Call(name='R', arguments='<T>', method='Run')]
>>> [each.name for each in calls_in(tokenize("{ return ::a::f(x); }"))]
['a::f']
>>> list(calls_in(tokenize("Fill<T>().Left(d); Fill<T>()(d).x();")))
[Call(name='Fill', arguments='<T>', method='Left'), Call(name='Fill', arguments='<T>', method='')]
>>> list(calls_in(tokenize("static_cast<C*>(this)->template Do<2>(x); Run<T> run(a);")))
[Call(name='Do', arguments='<2>', method='')]
>>> declared_types(tokenize("Launch<Device, T> launch_; int x = 1; return x;"))
{'launch_': ('Launch', '<Device,T>'), 'x': ('int', '')}
>>> list(methods_in(tokenize("launcher.launch(c); a.b->f(); this->g(); x->h();")))
[Call(name='launcher', arguments='', method='launch'), Call(name='x', arguments='', method='h')]
>>> new_in(tokenize("if (f) { o = new Zip(c); } else { o = new data::Cache(c); } o = new Zip(d);"))
('Zip', 'Cache')
>>> sorted(left_open(tokenize("virtual void Do(F<int(*)()> f) const = 0; virtual int Go() { return 0; } int n = 0;")))
['Do']
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bzlgraph.cpp.tokens import Kind, Lexeme
from bzlgraph.ops.tensorflow.cpp.work.arguments import listed

MAKES_HANDLE = "MakeResourceHandle"
MAX_ARGUMENTS = 80
"""Tokens between the angles of one name: what looks longer is a comparison."""
_WORDS = frozenset(
    "if for while switch return sizeof catch static_cast reinterpret_cast const_cast dynamic_cast decltype alignof"
    " typeid throw new delete else case goto const auto typename class struct using namespace".split()
)
_BEHIND = frozenset(["const", "override", "noexcept"])
"""Words that may stand behind the parameters of a method."""
_ENDS = {">": 1, ">>": 2, "<": -1, "<<": -2}


class Call(NamedTuple):
    """``name<arguments>(...)``; with a method ``name<arguments>::method(...)``, ``name<arguments>().method(...)``. The
    arguments are without spaces."""

    name: str
    arguments: str
    method: str


def calls_in(tokens: Sequence[Lexeme]) -> Iterator[Call]:
    """The calls of some tokens in their order; those of methods of values (``a.f()``) are left out."""
    for index in range(1, len(tokens)):
        if tokens[index].text != "(":
            continue
        written = _template(tokens, index) or _name(tokens, index)
        if written is None:
            continue
        first, name, arguments = written
        if first and tokens[first - 1].text == "template":
            first -= 1
        before = tokens[first - 1].text if first else ""
        if before in (".", "->") and not (before == "->" and _is_this(tokens, first - 2)):
            continue
        if before == "::" and not arguments and (owner := _template(tokens, first - 1)) is not None:
            yield Call(owner[1], owner[2], name)
        elif not _is_type(tokens, first):
            yield Call(name, arguments, _method_of_made(tokens, index) if arguments else "")


def _method_of_made(tokens: Sequence[Lexeme], opening: int) -> str:
    """The method that is called of what was just made, ``Fill<T>().Left(...)``; "" for anything else."""
    behind = tokens[opening + 1 : opening + 5]
    is_called = [behind[at].text for at in (0, 1, 3)] == [")", ".", "("] if len(behind) == 4 else False
    return behind[2].text if is_called and behind[2].kind == Kind.NAME else ""


def methods_in(tokens: Sequence[Lexeme]) -> Iterator[Call]:
    """The calls of methods of variables, ``a.f()``: the variable as the name."""
    for index in range(3, len(tokens)):
        if tokens[index].text == "(" and tokens[index - 2].text in (".", "->"):
            before = tokens[index - 4].text if index > 3 else ""
            owner, method = tokens[index - 3], tokens[index - 1]
            if {owner.kind, method.kind} == {Kind.NAME} and owner.text != "this" and before not in (".", "->", "::"):
                yield Call(owner.text, "", method.text)


def _is_this(tokens: Sequence[Lexeme], at: int) -> bool:
    """Whether ``this`` ends there, or ``static_cast<T*>(this)``."""
    return at >= 0 and (
        tokens[at].text == "this" or (at > 0 and tokens[at].text == ")" and tokens[at - 1].text == "this")
    )


def _is_type(tokens: Sequence[Lexeme], end: int) -> bool:
    """Whether a type stands before ``end``: then a variable is declared there, not called."""
    return _template(tokens, end) is not None or _name(tokens, end) is not None


def new_in(tokens: Sequence[Lexeme]) -> tuple[str, ...]:
    """The last names of the classes that some tokens make with ``new``, each once, in their order."""
    made: dict[str, None] = {}
    for index in range(len(tokens) - 1):
        if tokens[index].text == "new":
            at = index + 1
            while at + 2 < len(tokens) and tokens[at + 1].text == "::":
                at += 2
            made[tokens[at].text] = None
    return tuple(made)


def named_in(tokens: Sequence[Lexeme]) -> frozenset[str]:
    """The names of what some tokens make, call, or declare variables of; of ``T::Do()`` that of ``T``.

    >>> from bzlgraph.cpp.tokens import tokenize
    >>> sorted(named_in(tokenize("o = new Zip(c); T::Do(c); Make<R>(c); Box box(c);")))
    ['Box', 'Make', 'T', 'Zip']
    """
    called = (call.name.partition("::")[0] for call in calls_in(tokens))
    return frozenset((*new_in(tokens), *called, *(name for name, _ in declared_types(tokens).values())))


def handles_in(tokens: Sequence[Lexeme]) -> frozenset[str]:
    """The classes of resources that some tokens make handles of.

    >>> from bzlgraph.cpp.tokens import tokenize
    >>> sorted(handles_in(tokenize("h() = MakeResourceHandle<T>(c, n); Make<R>(c);")))
    ['T']
    """
    made = (call.arguments for call in calls_in(tokens) if call.name.rpartition("::")[2] == MAKES_HANDLE)
    return frozenset(name for arguments in made for name in listed(arguments))


def declared_types(tokens: Sequence[Lexeme]) -> dict[str, tuple[str, str]]:
    """Variable -> (name, template arguments) of the type that some tokens declare it with first."""
    found: dict[str, tuple[str, str]] = {}
    for index in range(1, len(tokens) - 1):
        token = tokens[index]
        if token.kind != Kind.NAME or token.text in found or tokens[index + 1].text not in (";", "{", "=", "("):
            continue
        typed = _template(tokens, index) or _name(tokens, index)
        if typed is not None:
            found[token.text] = typed[1], typed[2]
    return found


def left_open(tokens: Sequence[Lexeme]) -> frozenset[str]:
    """The methods that the body of a class leaves to the classes below: ``virtual void Do(...) = 0;``."""
    found = set()
    for index in range(2, len(tokens) - 2):
        if [each.text for each in tokens[index : index + 3]] != ["=", "0", ";"]:
            continue
        at, depth = index - 1, 0
        while at > 0 and tokens[at].text in _BEHIND:
            at -= 1
        while at > 0 and (depth or tokens[at].text == ")"):
            depth += {")": 1, "(": -1}.get(tokens[at].text, 0)
            at -= 1
            if not depth:
                found.add(tokens[at].text)
                break
    return frozenset(found)


def _template(tokens: Sequence[Lexeme], end: int) -> tuple[int, str, str] | None:
    """(index, name, arguments) of the template-id that ends before ``end``."""
    depth, at = 0, end - 1
    if at < 0 or tokens[at].text not in (">", ">>"):
        return None
    while at > max(0, end - MAX_ARGUMENTS):
        text = tokens[at].text
        if text in (";", "{", "}", "&&", "||"):
            return None
        depth += _ENDS.get(text, 0)
        if depth <= 0:
            break
        at -= 1
    named = _name(tokens, at) if depth == 0 else None
    if named is None:
        return None
    return named[0], named[1], "".join(token.text for token in tokens[at:end])


def _name(tokens: Sequence[Lexeme], end: int) -> tuple[int, str, str] | None:
    """(index, name, "") of the qualified name that ends before ``end``."""
    first = end - 1
    if first < 0 or tokens[first].kind != Kind.NAME or tokens[first].text in _WORDS:
        return None
    while first > 1 and tokens[first - 1].text == "::" and tokens[first - 2].kind == Kind.NAME:
        if tokens[first - 2].text in _WORDS:  # return ::f();
            break
        first -= 2
    return first, "".join(token.text for token in tokens[first:end]), ""
