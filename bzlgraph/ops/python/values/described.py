"""What the documentation of a function says that its parameters are: tensors, lists of them, or values of Python.

The first words behind a parameter's name in the part "Args:" count, up to where they go on about what it is for.

>>> described('''Pools.
...
... Args:
...   value: A 4-D `Tensor` of type `float32`,
...     one number a pixel.
...   ksize: An int or list of `ints`: the window's size in
...     each dimension of the tensor.
...   rate: A `Tensor` or float.
...   others: A list or tuple of `Tensor`s.
...   name (str): For the operation.
...
... Returns:
...   other: A tensor.
... ''')
{'value': '^', 'ksize': '%', 'rate': '?', 'others': '^^', 'name': '%'}
"""

from __future__ import annotations

import re

from bzlgraph.ops.python.summary import PYTHON, TENSOR, TENSORS, UNSURE

_ARGS = re.compile(r"^[ \t]*(?:Args|Arguments|Parameters):[ \t]*\n", re.MULTILINE)
_PARAMETER = re.compile(r"^([ \t]*)[`*]*(\w+)[`*]*(?:[ \t]*\(([^)\n]*)\))?:[ \t]*(.*)$", re.MULTILINE)
_HEADING = re.compile(
    r"^[ \t]*(?:Returns|Raises|Yields|References?|Examples?|Usage|Call arguments|Input shape):", re.MULTILINE
)
_PURPOSE = re.compile(
    r"[,;:(]|\.(?:\s|$)|\b(?:of|with|that|which|whose|to|in|for|specifying|containing|representing|indicating)\b"
)
_SENTENCE = re.compile(r"[,;:(]|\.(?:\s|$)")
_OF_TENSORS = re.compile(r"\btensors?\b", re.IGNORECASE)
_OF_PYTHON = re.compile(
    r"\b(?:python|ints?|integers?|floats?|bool|boolean|booleans|strings?|str|name|d?type|list|tuple"
    r"|sequence|dict|dictionary|callable|function|optional)\b",
    re.IGNORECASE,
)
_SEVERAL = re.compile(r"\b(?:list|tuple|sequence|iterable|dict\w*|structure|nested)\b", re.IGNORECASE)
_LIST = re.compile(
    r"^\W*(?:an? )?(?:(?:non-empty|python) )*(?:list|tuple|sequence|iterable)s? (?:or|of)\b"
    r"(?!.*\b(?:or|a) (?:single )?tensor\b)",
    re.IGNORECASE,
)
_EITHER = re.compile(
    r"\bor\b|/|\||\band\b|\blist\b|\btuple\b|\bsequence\b|\biterable\b|\bdict|\bstructure\b|\bnested\b|\bconvertible\b"
)


def described(text: str) -> dict[str, str]:
    """Parameter -> TENSOR, TENSORS or PYTHON where a docstring says that and nothing else, UNSURE for others in it."""
    begins = _ARGS.search(text)
    if begins is None:
        return {}
    ends = _HEADING.search(text, begins.end())
    part = text[begins.end() : ends.start() if ends else len(text)]
    found: dict[str, str] = {}
    depth = None
    for each in _PARAMETER.finditer(part):
        indent, name, kind, words = each.groups()
        depth = len(indent) if depth is None else depth
        if len(indent) > depth:
            continue
        words = words.replace("`", "")
        first = f"{kind or ''} {_PURPOSE.split(words, maxsplit=1)[0]}"
        found[name] = _said(_SENTENCE.split(words, maxsplit=1)[0] if _SEVERAL.search(first) else first)
    return found


def _said(words: str) -> str:
    if _OF_TENSORS.search(words):
        return TENSOR if not _EITHER.search(words) else TENSORS if _LIST.search(words) else UNSURE
    return PYTHON if _OF_PYTHON.search(words) else UNSURE
