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
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from bzlgraph.cpp.outline import Outline, Scope
from bzlgraph.cpp.tokens import Token
from bzlgraph.ops.pytorch.cpp.defined import Definition

_CALLED = "operator()"
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
    return [replace(each, helpers=_used(each, text, leading)) for each, text in texts]


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
