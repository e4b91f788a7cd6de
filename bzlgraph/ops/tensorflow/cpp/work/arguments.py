"""Template arguments: what a class is written with and what it is given, cut into parts and compared.

Many classes share one name: a template and its specialisations. ``Op<Eigen::GpuDevice, T>`` is meant by
``Op<GPUDevice, float>``: devices and types are compared in one spelling, and a parameter stands for anything.

>>> fits(("Eigen::GpuDevice", "functor::max<T>"), ("GPUDevice", "functor::max<float>"), ("T",))
True
>>> fits(("CPUDevice", "functor::max<T>"), ("CPUDevice", "functor::min<float>"), ("T",))
False
>>> fits(("CPUDevice", "T", "ADD"), ("CPUDevice", "float", "DenseUpdateType::ADD"), ("T",))
True
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from bzlgraph.cpp.outline import Scope
from bzlgraph.cpp.tokens import Lexeme

_WORD = re.compile(r"[^\W\d]\w*")
_NAMESPACE = re.compile(r"(?<![\w:])(?:::)?(?:(?:tensorflow|tsl|Eigen)::)*(?=\w)")
_SAME = {
    **dict.fromkeys(("ThreadPoolDevice", "CpuDevice"), "CPUDevice"),
    **dict.fromkeys(("GpuDevice", "CUDADevice"), "GPUDevice"),
    "complex64": "std::complex<float>",
    "complex128": "std::complex<double>",
    **{f"{sign}int{size}_t": f"{sign}int{size}" for sign in ("", "u") for size in (8, 16, 32, 64)},
}


def split_class(written: str) -> tuple[str, str]:
    """(the class's own name, its template arguments without spaces) of ``a::B<C, D>``."""
    name, opening, rest = written.strip().partition("<")
    words = re.findall(r"\w+", name.rpartition("::")[2])
    return (words[-1] if words else ""), (opening + rest).replace(" ", "")


def listed(text: str) -> tuple[str, ...]:
    """The arguments of ``<a, b<c, d>>``: ``a`` and ``b<c,d>``; none of no text."""
    if not text:
        return ()
    parts, depth = [""], 0
    for char in text[1:-1]:
        depth += {"<": 1, "(": 1, ">": -1, ")": -1}.get(char, 0)
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return tuple(parts)


def written(tokens: Sequence[Lexeme], scope: Scope) -> tuple[str, ...]:
    """The arguments that a specialisation is written with: ``<CPUDevice, T>``; none of a general class."""
    return listed(_behind(scope.name, tokens, scope.start, scope.opening)[0])


def bases_of(tokens: Sequence[Lexeme], scope: Scope) -> tuple[str, ...]:
    """The bases of a class with what they are given: ``BinaryOp<Device, T>``."""
    colons = (each for each in range(scope.start, scope.opening) if tokens[each].text == ":")
    found, at = [], next(colons, scope.opening)
    for base in scope.bases:
        arguments, at = _behind(base, tokens, at, scope.opening)
        found.append(base + arguments)
    return tuple(found)


def _behind(name: str, tokens: Sequence[Lexeme], start: int, end: int) -> tuple[str, int]:
    """The arguments behind the first mention of a name that has some, "" where none has, and where they end."""
    for at in range(start, end):
        if tokens[at].text == name and tokens[at + 1].text == "<":
            depth, text = 0, ""
            for last in range(at + 1, end):
                depth += {"<": 1, ">": -1, ">>": -2}.get(tokens[last].text, 0)
                text += tokens[last].text
                if depth <= 0:
                    return text, last
    return "", start


def parameters_of(tokens: Sequence[Lexeme], scope: Scope) -> tuple[str, ...]:
    """The names of ``template <typename Device, class T = int>``, in their order."""
    found: list[str] = []
    at = scope.start
    while tokens[at].text == "template" and at + 1 < scope.opening:
        depth, at = 0, at + 1
        while at < scope.opening:
            text = tokens[at].text
            depth += {"<": 1, ">": -1}.get(text, 0)
            ended = tokens[at + 1].text in (",", ">", "=")
            if depth == 1 and ended and text.isidentifier() and tokens[at - 1].text != "=":
                found.append(text)
            at += 1
            if depth <= 0:
                break
    return tuple(found)


def parameters_in(argument: str) -> frozenset[str]:
    """The names that an argument holds."""
    return frozenset(_WORD.findall(argument))


def plain(argument: str) -> str:
    """A template argument in one spelling."""
    return _WORD.sub(lambda word: _SAME.get(word.group(), word.group()), _NAMESPACE.sub("", argument))


def fits(written: Sequence[str], given: Sequence[str], parameters: Collection[str]) -> bool:
    """Whether a specialisation is meant: its arguments are those that are given, but for its parameters."""
    return all(_is(left, right, parameters) for left, right in zip(written, given, strict=False))


def bindings(written: Sequence[str], given: Sequence[str], parameters: Sequence[str]) -> dict[str, str]:
    """What the parameters of a class stand for that is given some arguments; a general class is written with none."""
    return {name: value for name, value in zip(written or parameters, given, strict=False) if name in parameters}


def bind(text: str, bound: Mapping[str, str]) -> str:
    """A text with what its parameters stand for."""
    return _WORD.sub(lambda word: bound.get(word.group(), word.group()), text)


def sameness(written: Sequence[str], given: Sequence[str]) -> int:
    """How special what fits is: how many of the arguments that are given it names."""
    others = {*map(plain, given)}
    return sum(any(_are_same(each, other) for other in others) for each in {*map(plain, written)})


def _are_same(left: str, right: str) -> bool:
    """Whether two arguments in one spelling are the same: a value of an enumeration may be written without its name."""
    return left == right or left.endswith(f"::{right}") or right.endswith(f"::{left}")


def _is(written: str, given: str, parameters: Collection[str]) -> bool:
    if parameters_in(written).isdisjoint(parameters):
        return _are_same(plain(written), plain(given))
    anything = bind(re.escape(plain(written)), dict.fromkeys(parameters, ".+"))
    return re.fullmatch(anything, plain(given)) is not None
