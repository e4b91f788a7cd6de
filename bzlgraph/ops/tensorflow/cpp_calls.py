"""Where C++ of a test makes nodes of an op: text of a file, ops -> calls.

Rules
1. ``ops::Conv2D(`` is a call; the ApiDef of the op says how its class is called. So is the literal ``"Conv2D"``, but
   where what is around it says that no node is made:
   a. it is compared, or an index;
   b. it is set to a variable or parameter (``/*name=*/``) that is called after no op, node or kernel, or, alone or in a
      list, to a variable that itself is only used in these ways, also as what a loop goes through;
   c. the function that it is given to compares or looks for something (``EXPECT_EQ``, ``FindNode``), takes a name or an
      attribute (``WithOpName``, ``Attr``), names something else (``MakeIterator``, ``NodeKey``), registers
      (``REGISTER_OP``), or tells an error; lists and strings (``string("Add")``) are part of the call around them;
   d. it is set on what describes an op for an estimate of costs (``op_info``, an ``OpInfo``) or for a log;
   e. another literal follows it in a call that makes a node: it is the node's name (``NodeBuilder("MatMul", "Add")``).
   Comments and raw strings do not count.
2. A file that includes none of TensorFlow's headers about graphs and kernels makes no nodes: what TFLite's and XLA's
   own tests call ``"Floor"`` is theirs.

>>> text = '#include "tensorflow/core/graph/node_builder.h"\\nNodeBuilder("Exp", "Abs"); EXPECT_EQ(n->op(), "Exp");'
>>> called_ops(text, ["Abs", "Exp"])
[('Abs', 2, '"Abs"')]
>>> called_ops('#include "tensorflow/cc/ops/array_ops.h"\\nops::Stack(scope, {a});', ["Pack"], {"Stack": "Pack"})
[('Pack', 2, 'ops::Stack(')]
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import islice

from bzlgraph.cpp.tokens import without_comments

_INCLUDE = re.compile(
    r"""^[ \t]*#[ \t]*include[ \t]*["<]tensorflow/(?!lite/|contrib/lite/|compiler/xla/|tsl/|core/(?:lib|platform)/)""",
    re.MULTILINE,
)
_RAW = re.compile(r'R"(\w*)\(.*?\)\1"', re.DOTALL)
_PARAMETER = re.compile(r"/\*\s*(\w+)\s*=\s*\*/")
_TEXT = re.compile(r'"(?:\\.|[^"\\\n])*"')
_NAMED = re.compile(r'"(?P<literal>[\w>]+)"|\bops::(?P<call>\w+)\s*\(')
_COMPARED = re.compile(r"[=!]=\s*$"), re.compile(r"\s*\)?\s*[=!]=")
"""Before and after a literal that is compared."""
_SET_TO = re.compile(r"(\w+)(?:\[\])?\s*=\s*$")
"""Before a literal that is given to a variable, or stands for a parameter."""
_DECLARED = re.compile(r"[\w>*&\]]\s+[*&]?(\w+)(?:\[\])?\s*=\s*$")
"""Before what a variable of its own is made of."""
_LOOP = re.compile(r"\bfor\s*\([^();]*?(\w+)\s*:\s*$")
"""Before what a loop goes through."""
_OF_OPS = re.compile(r"(?:^|_)ops?(?:_|$)|Op|[Nn]ode|[Kk]ernel")
_OTHER = re.compile(
    r"^(?:EXPECT|ASSERT|D?CHECK|REGISTER)_|^(?:[Ff]ind|[Gg]et|[Hh]as|[Ii]s|[Cc]ount|Describe|Contains|contains|[Mm]atch(?:es)?|LookUp|"
    r"[Rr]estore|[Ss]ave|[Rr]ead|[Ww]rite|ElementsAre)(?![a-z])|Attr|Status$|Error$|InvalidArgument$|OpDefBuilder$|"
    r"(?<!^op_)(?<!^op)[Nn]ame$|(?:Iterator|Prefix)$|[Kk]ey(?:_?\d+)?$"
)
"""Functions that make no node of an op that they are given."""
_DESCRIBED = re.compile(r"op_info(?:\(\))?\s*(?:\.|->)\s*set_op\s*\(\s*$|\bset_op_type\s*\(\s*$")
"""Before a literal that describes an op of which no node is made."""
_STRINGS = frozenset({"string", "tstring", "string_view", "StringPiece", "StrCat"})
_NODE = re.compile(r"[Nn]ode|NDef")
_CALLEE = re.compile(r"([A-Za-z_]\w*)\s*(?:<[^()<>;]*>\s*)?$")
_NEXT_TEXT = re.compile(r'\s*,\s*"')
_NEAR = 80
_FAR = 4000
_USES, _USED_WITHIN = 40, 1 << 17
"""Uses of a variable that are looked at, and how far behind it."""
_HOPS = 3
"""Variables that stand between a literal and where it is used."""

Call = tuple[str, int, str]
"""An op, the line, and what stands there."""


def called_ops(source: str, ops: Sequence[str], classes: Mapping[str, str] | None = None) -> list[Call]:
    """The calls of some ops in a file, in its order. ``classes``: class in C++ -> the op that it makes, where known."""
    if not _INCLUDE.search(source):
        return []
    text = _RAW.sub(lambda raw: "\n" * raw[0].count("\n"), _PARAMETER.sub(r" \1 = ", source))
    text = without_comments(text)
    plain = _TEXT.sub(lambda each: f'"{" " * (len(each[0]) - 2)}"', text)
    literals, calls = frozenset(ops), {op: op for op in ops} if classes is None else classes
    return [
        (each["literal"] or calls[each["call"]], text.count("\n", 0, each.start()) + 1, each[0])
        for each in _NAMED.finditer(text)
        if each["call"] in calls or (each["literal"] in literals and _names_a_node(plain, each.start(), each.end()))
    ]


def _names_a_node(text: str, start: int, end: int, hops: int = 0) -> bool:
    """Whether a literal, or a variable that holds it, may name the op of a node (rule 1); the contents of literals are
    blank in ``text``."""
    before, after = text[max(0, start - _NEAR) : start], text[end : end + _NEAR]
    if _DESCRIBED.search(before) or _COMPARED[0].search(before) or _COMPARED[1].match(after):
        return False
    declared, variable = _DECLARED.search(before), _SET_TO.search(before)
    if variable is not None:
        return _OF_OPS.search(variable[1]) is not None and (declared is None or _is_used(text, declared[1], end, hops))
    given_to = _given_to(text, start)
    if given_to is None:
        return True
    function, is_list = given_to
    if function.endswith("="):
        return _is_used(text, function[:-1], end, hops)
    names_the_node = not is_list and _NODE.search(function) and _NEXT_TEXT.match(after)
    return not (function == "[" or _OTHER.search(function) or names_the_node)


def _is_used(text: str, variable: str, start: int, hops: int) -> bool:
    """Whether a variable behind its declaration may give a node its op; one that nobody uses is not understood."""
    if hops == _HOPS:
        return True
    named = re.compile(rf"\b{variable}\b(?!\s*\()")
    uses = list(islice(named.finditer(text, start, start + _USED_WITHIN), _USES + 1))
    some = (_uses_op(text, each.start(), each.end(), hops + 1) for each in uses[:_USES])
    return not 0 < len(uses) <= _USES or any(some)


def _uses_op(text: str, start: int, end: int, hops: int) -> bool:
    loop = _LOOP.search(text, max(0, start - _NEAR), start)
    return _is_used(text, loop[1], end, hops) if loop is not None else _names_a_node(text, start, end, hops)


def _given_to(text: str, start: int) -> tuple[str, bool] | None:
    """The function that gets what begins at ``start`` ("[" for an index, "x=" for a list that makes x), and whether
    as part of a list; None for none: a statement of its own, the body of a function."""
    depth, is_list = 0, False
    for place in range(start - 1, max(-1, start - _FAR), -1):
        letter = text[place]
        if letter in ")]}":
            depth += 1
        elif letter in "([{":
            if depth:
                depth -= 1
                continue
            before = text[max(0, place - _NEAR) : place].rstrip()
            function = _CALLEE.search(before)
            if letter == "(" and function is not None and function[1] not in _STRINGS:
                return function[1], is_list
            if letter == "[" and before[-1:] not in ("", "(", ",", "=", "{"):
                return "[", is_list
            if letter == "{" and before.endswith((")", ";", "}")):
                return None
            declared = _DECLARED.search(before) if letter == "{" else None
            if declared is not None:
                return f"{declared[1]}=", True
            is_list = True
        elif letter == ";" and not depth:
            return None
    return None
