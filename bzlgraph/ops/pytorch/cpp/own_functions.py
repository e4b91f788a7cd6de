"""Which functions of a C++ file only it can call, and which others of the file reach stubs through them.

definitions of one file, each with the text of its body -> definitions with ``helpers``. What a stub does for
``static void run(Tensor& t) { run_stub(t); }`` it does for all of the file that name ``run``; so it is with a class
that is called (``struct Stub { void operator()(...) { run_stub(...); } };``) or handed on (``of_each<Stub>(t)``).

>>> from bzlgraph.ops.pytorch.cpp.defined import Definition
>>> def made(name, body, stubs=(), own=True, scope="at"):
...     return Definition(name, scope, "a.cpp", 1, stubs=stubs, own=own), body
>>> found = with_helpers([made("run", "run_stub(t);", (("run_stub", ""),)), made("both", "run(t); // none()"),
...     made("operator()", "f_stub(t);", (("f_stub", ""),), scope="at::F"), made("op", "each<F>(t);", own=False),
...     made("other", "both(t); t.run();", own=False), made("none", "x.both(t); F.n();", own=False)])
>>> {each.name: each.helpers for each in found if each.helpers}
{'both': ('run',), 'op': ('F::operator()',), 'other': ('both',)}

A stub that a helper calls for some constants only (``if (name == "add") { add_stub(t); }``) is none of a function that
gives it another one (``run(t, "div")``).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from bzlgraph.cpp import arguments
from bzlgraph.cpp.outline import Outline, Scope
from bzlgraph.cpp.tokens import Token, tokenize
from bzlgraph.ops.pytorch.cpp.defined import Definition

_CALLED = "operator()"
_GIVEN = re.compile(r'"[^"\\]*"|\w+(?:::\w+)+')
"""A text, or a value of an enumeration."""
_WHERE = rf"if\s*\(\s*(\w+)\s*==\s*({_GIVEN.pattern})\s*\)\s*\{{?\s*(?:return\s+)?"
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def is_own(outline: Outline[Token], scope: Scope, around: Sequence[Scope]) -> bool:
    """Whether no other file can call a function by its name alone: it is ``static``, a template's, a class's, or in a
    namespace without a name. ``around`` are the scopes around it."""
    if any(each.kind == "class" or not (each.name or _is_extern(outline, each)) for each in around):
        return True
    head = outline.tokens[scope.start : outline.name_index(scope)]
    return any(each.text in ("static", "template") for each in head)


def _is_extern(outline: Outline[Token], scope: Scope) -> bool:
    return outline.tokens[scope.start].text == "extern"


def with_helpers(found: Sequence[tuple[Definition, str]]) -> list[Definition]:
    """The definitions of a file, each with those of its own functions that it names and that lead to stubs."""
    own = {each.name for each, _ in found if each.own}
    found = [(_without(each, own), text) for each, text in found]
    leading = {name for each, _ in found if each.own and each.stubs for name in _names(each)}
    if not leading:
        return [each for each, _ in found]
    texts = [(each, _COMMENT.sub("", text)) for each, text in found]
    known = 0
    while known < len(leading):
        known = len(leading)
        named = _naming(leading)
        leading |= {name for each, text in texts if each.own and named.search(text) for name in _names(each)}
    asking = [tuple(_asks(each, text)) for each, text in texts]
    return [
        replace(each, helpers=helpers, asks=asks, gives=tuple(_gives(text, helpers)) if any(asking) else ())
        for (each, text), asks in zip(texts, asking, strict=True)
        for helpers in [_used(each, text, leading)]
    ]


def _without(definition: Definition, own: Collection[str]) -> Definition:
    """A definition without the stubs whose names are those of the file's own functions."""
    kept = tuple(each for each in definition.stubs if each[0] not in own)
    return definition if len(kept) == len(definition.stubs) else replace(definition, stubs=kept)


def _names(definition: Definition) -> tuple[str, ...]:
    """What others name to call one of the file's own functions."""
    last = definition.name.rpartition("::")[2]
    if last == _CALLED:
        return (f"{definition.namespace.rpartition('::')[2]}::{_CALLED}",)
    return (last,)


def _used(definition: Definition, text: str, leading: Collection[str]) -> tuple[str, ...]:
    words = {each.group(1) for each in _naming(leading).finditer(text)}
    return tuple(
        sorted(each for each in leading if each.partition("::")[0] in words and each not in _names(definition))
    )


def _asks(definition: Definition, text: str) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """``Definition.asks`` of a function: each use of the stub stands behind a comparison of its own.

    >>> stubs, parameters = (("a_stub", ""), ("b_stub", "")), ("Tensor t", "const string & name")
    >>> made = Definition("f", "at", "a.cpp", 1, parameters, stubs, own=True)
    >>> list(_asks(made, 'if (name == "a") { a_stub(t); } else if (name == Op::B) a_stub(t); else b_stub(t);'))
    [('a_stub', 1, ('"a"', 'Op::B'))]
    """
    names = [each.partition("=")[0].split()[-1] for each in definition.parameters]
    for stub, _ in definition.stubs if definition.own else ():
        uses = len(re.findall(rf"\b{stub}\b", text))
        asked = re.findall(_WHERE + rf"{stub}\b", text)
        compared = {name for name, _ in asked}
        if asked and len(asked) == uses and len(compared) == 1 and compared <= {*names}:
            yield stub, names.index(asked[0][0]), tuple(value for _, value in asked)


def _gives(text: str, helpers: Collection[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """``Definition.gives`` of a function, of helpers that it only calls.

    >>> list(_gives('return run<T>(t, "div", Op::A, n);', ["run"]))
    [('run', ('', '"div"', 'Op::A', ''))]
    """
    for helper in helpers:
        calls = [*re.finditer(rf"(?<![\w.>:]){re.escape(helper)}\s*(?:<[^<>;(){{}}]*>)?\s*(?=\()", text)]
        for call in calls if len(calls) == len(re.findall(rf"\b{re.escape(helper)}\b", text)) else ():
            parts = ("".join(token.text for token in part) for part in arguments(tokenize(text, call.end()), 0))
            yield helper, tuple(part if _GIVEN.fullmatch(part) else "" for part in parts)


def is_left_out(stub: str, definition: Definition, calls: Sequence[Sequence[str]]) -> bool:
    """Whether a function never calls a stub for what all calls give it."""
    for asked, position, values in definition.asks:
        given = [call[position] if position < len(call) else "" for call in calls]
        if asked == stub and given and all(given):
            return {each.rpartition("::")[2] for each in given}.isdisjoint(each.rpartition("::")[2] for each in values)
    return False


def _naming(names: Collection[str]) -> re.Pattern[str]:
    words = sorted({re.escape(each.partition("::")[0]) for each in names})
    return re.compile(rf"(?<![\w.>:])({'|'.join(words)})\s*[(<,>{{]")


def behind_helper(helper: str, caller: Definition, named: Sequence[Definition]) -> list[Definition]:
    """Of definitions with the last part of a helper's name those that a function of its file means; none where there
    are several that lead to other stubs, unless they are those of a class, which its arguments tell apart."""
    owner, _, _ = helper.rpartition("::")
    meant = [
        each
        for each in named
        if each.path == caller.path and each.own and (not owner or each.namespace.rpartition("::")[2] == owner)
    ]
    return meant if owner or len({(each.stubs, each.helpers) for each in meant}) == 1 else []
