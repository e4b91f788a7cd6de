"""The functions of the query language as data: names and what each argument is.

>>> SIGNATURES["rdeps"].usage
'rdeps(universe, target [, depth])'
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bzlgraph.base.spell import nearest_names


class ArgumentKind(Enum):
    """What an argument is read as."""

    TARGETS = "an expression"
    WORD = "a word"
    NUMBER = "a number"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: ``name`` is the word used in messages."""

    name: str
    kind: ArgumentKind = ArgumentKind.TARGETS


@dataclass(frozen=True, slots=True)
class Signature:
    """A function: the first ``required`` parameters must be given; ``variadic`` repeats the last one."""

    name: str
    parameters: tuple[Parameter, ...]
    required: int
    variadic: bool = False

    @property
    def usage(self) -> str:
        """``deps(targets [, depth])``"""
        names = [parameter.name for parameter in self.parameters]
        given, optional = names[: self.required], names[self.required :]
        tail = "".join(f" [, {name}]" for name in optional) + (", ..." if self.variadic else "")
        return f"{self.name}({', '.join(given)}{tail})"


_TARGETS = Parameter("targets")
_DEPTH = Parameter("depth", ArgumentKind.NUMBER)
_PATTERN = Parameter("pattern", ArgumentKind.WORD)
_ATTRIBUTE = Parameter("attribute", ArgumentKind.WORD)
_FILE = Parameter("file", ArgumentKind.WORD)
_MACRO = Parameter("//package:file.bzl%macro", ArgumentKind.WORD)
_UNIVERSE, _TARGET, _START, _END = Parameter("universe"), Parameter("target"), Parameter("start"), Parameter("end")
_SCOPE, _FROM = Parameter("scope"), Parameter("from")

SIGNATURES = {
    signature.name: signature
    for signature in (
        Signature("allpaths", (_START, _END), 2),
        Signature("allrdeps", (_TARGETS, _DEPTH), 1),
        Signature("attr", (_ATTRIBUTE, _PATTERN, _TARGETS), 3),
        Signature("buildfiles", (_TARGETS,), 1),
        Signature("callers", (_MACRO, _SCOPE), 1),
        Signature("deps", (_TARGETS, _DEPTH), 1),
        Signature("deps_by", (_ATTRIBUTE, _TARGETS, _DEPTH), 2),
        Signature("executables", (_TARGETS,), 1),
        Signature("filter", (_PATTERN, _TARGETS), 2),
        Signature("kind", (_PATTERN, _TARGETS), 2),
        Signature("labels", (_ATTRIBUTE, _TARGETS), 2),
        Signature("loadfiles", (_TARGETS,), 1),
        Signature("made_by", (_MACRO, _SCOPE), 1),
        Signature("owner", (_FILE,), 1, variadic=True),
        Signature("rbuildfiles", (_FILE,), 1, variadic=True),
        Signature("rdeps", (_UNIVERSE, _TARGET, _DEPTH), 2),
        Signature("rdeps_by", (_ATTRIBUTE, _UNIVERSE, _TARGET, _DEPTH), 3),
        Signature("same_pkg_direct_rdeps", (_TARGETS,), 1),
        Signature("siblings", (_TARGETS,), 1),
        Signature("some", (_TARGETS, Parameter("count", ArgumentKind.NUMBER)), 1),
        Signature("somepath", (_START, _END), 2),
        Signature("tests", (_TARGETS,), 1),
        Signature("uncertain", (_TARGETS,), 1),
        Signature("visible", (_FROM, _TARGETS), 2),
    )
}

OF_CQUERY = {
    "config": "`config()` belongs to `bazel cquery`; here options do it: bzlgraph query EXPR --config=NAME",
}
"""Functions of Bazel's other query commands, and why they are not here."""


def suggest(name: str) -> str | None:
    """The known function nearest to a mistyped name."""
    return next(iter(nearest_names(name, SIGNATURES, 1)), None)
