"""The patterns of MLIR that rewrite an op of TensorFlow: text of a ``.td`` or C++ file -> op, line, name of each.

Rules
1. ``.td``: the op that stands first in ``Pat<(TF_XOp ...`` (``Pattern<``); those that a list of a ``foreach`` has, of
   pairs ``[TF_XOp, Y]`` the first; the first argument of a class of patterns, ``def : EqualityPat<TF_EqualOp, ...>``.
2. C++: a class whose head names one op, ``class ConvertX : public OpRewritePattern<TF::XOp>``; one that is constructed
   with ``RewritePattern(XOp::getOperationName()``; and a template of the file that is given the op first,
   ``using ConvertMaxPool2DOp = ConvertMaxPoolOp<TF::MaxPoolOp, 4>``: the pattern is where the template is.
What rewrites any op (by a trait or an interface) is not found.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator
from typing import NamedTuple

from bzlgraph.cpp.tokens import without_comments

_TD_OP = re.compile(r"\bTF_(\w+)Op\b")
_ROOT = re.compile(r"\bPat(?:tern)?<\s*\(\Z")
_ARGUMENT = re.compile(r":\s*\w+<\Z")
_DEFINITION = re.compile(r"^[ \t]*(?:def\b[ \t]*(\w*)|(?:multi)?class\b)", re.MULTILINE)
_FLAT_LIST = re.compile(r"=\s*\[[^\[\]()]*\Z")
_BEFORE = 200
"""Characters before an op's name that say what it is there for; lists of pairs and roots need fewer."""
_NAMESPACE = r"(?:mlir::)?(?:TF::)"
_HEAD = re.compile(r"^[ \t]*(?:class|struct)\s+(\w+)\b([^;{}]*)\{", re.MULTILINE)
_HEAD_OP = re.compile(rf"\bOp\w*Pattern<\s*{_NAMESPACE}?(\w+)Op\s*>|{_NAMESPACE}(\w+)Op\b")
_CONSTRUCTED = re.compile(rf"\bRewritePattern\(\s*{_NAMESPACE}?(\w+)Op::getOperationName\(\)")
_GIVEN = re.compile(rf"\b(\w+)<\s*{_NAMESPACE}?(\w+)Op\b")


class Pattern(NamedTuple):
    """A pattern of an op. ``name``: its class in C++, its definition in a ``.td`` file; "" for one without a name."""

    op: str
    line: int
    name: str


def patterns_in(path: str, text: str) -> Iterator[Pattern]:
    """The patterns of a file, each once."""
    code = without_comments(text)
    found = _in_td(code) if path.endswith(".td") else _in_cpp(code)
    for op, at, name in dict.fromkeys(found):
        yield Pattern(op, code.count("\n", 0, at) + 1, name)


def _in_td(code: str) -> Iterator[tuple[str, int, str]]:
    """(op, where, name) by rule 1."""
    definitions = [(-1, ""), *((each.start(), each[1] or "") for each in _DEFINITION.finditer(code))]
    for each in _TD_OP.finditer(code):
        before = code[max(0, each.start() - _BEFORE) : each.start()].rstrip()
        if before.endswith("[") or _FLAT_LIST.search(before):
            yield each[1], each.start(), ""
        elif _ROOT.search(before) or _ARGUMENT.search(before):
            yield each[1], each.start(), definitions[bisect(definitions, (each.start(), "")) - 1][1]


def _in_cpp(code: str) -> Iterator[tuple[str, int, str]]:
    """(op, where, name) by rule 2."""
    classes = {each[1]: each for each in _HEAD.finditer(code)}
    about = dict[str, set[str]]()
    for name, head in classes.items():
        about[name] = {first or second for first, second in _HEAD_OP.findall(head[2])}
        if len(about[name]) == 1:
            yield from ((op, head.start(1), name) for op in about[name])
    ordered = sorted(classes.values(), key=lambda head: head.start())
    for each in _CONSTRUCTED.finditer(code):
        around = [head for head in ordered if head.start() < each.start()]
        if around:
            yield each[1], around[-1].start(1), around[-1][1]
    for each in _GIVEN.finditer(code):
        if each[1] in classes and not about[each[1]]:
            yield each[2], classes[each[1]].start(1), each[1]
