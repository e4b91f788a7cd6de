"""Dialects: which parts of the language a kind of file may use, as switches.

path -> Dialect. The Bazel dialects take whatever any Bazel from 0.17 to 9 takes, because we only read; a switch is
off where no version allows the construct. ``bazel.files.environment.dialect_of`` makes those of one Bazel. The last
group of switches is for the resolver and the evaluator.

Bazel: ``net.starlark.java.syntax.FileOptions``, ``DotBazelFileSyntaxChecker``.

>>> for_path("third_party/swig.BUILD").name, for_path("MODULE.bazel").name
('BUILD', 'MODULE.bazel')
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dialect:
    """The switches of one kind of file; ``dataclasses.replace`` makes a variant."""

    name: str
    definitions: bool = True  # def and lambda
    loads: bool = True
    loads_first: bool = False  # load only before every other statement (a doc string may precede)
    toplevel_control: bool = False  # for, if and while outside functions
    inner_functions: bool = True  # def in a function, and lambda: from Bazel 5 on
    floats: bool = True  # 1.5, and a / b: from Bazel 4 on
    floor_slash: bool = False  # a / b is a // b: before Bazel 0.21
    bit_operators: bool = True  # & ^ ~ << >>, and +x: from Bazel 0.29 on
    large_integers: bool = True  # literals above 2**31 - 1: from Bazel 4 on
    binary_integers: bool = True  # 0b11: no Bazel
    star_arguments: bool = True  # f(*args, **kwargs)
    dict_arguments: bool = True  # f(**{"a": 1}), where nothing is hidden, without star_arguments
    keyword_after_star: bool = True  # f(*args, x = 1): old Bazels
    comma_after_star: bool = True  # f(*args,), and in parameters: from Bazel 0.29 on
    required_keywords: bool = True  # def f(*, a): from Bazel 2.1 on
    while_loops: bool = False
    bytes_literals: bool = False
    strict_escapes: bool = False  # "\d" is an error; otherwise the backslash stays, as before Bazel 4
    numeric_escapes: bool = True  # \xHH, \uHHHH, \UHHHHHHHH
    old_octals: bool = False  # 010 is eight: old Bazels
    soft_load: bool = True  # `load` is an ordinary name where no load statement can be: old Bazels
    unicode_names: bool = False
    annotations: bool = False  # def f(x: int) -> str: from Bazel 9 on, which reads types and ignores them
    named_parameters: bool = False  # len(x = []), where parameters have no names now: old Bazels
    free_words: frozenset[str] = frozenset()  # reserved words that are names here (Go's suites call `assert.eq`)

    # for the resolver and the evaluator
    global_reassign: bool = False
    load_binds_globally: bool = False
    computed_names: tuple[str, ...] = ()  # predeclared names that stand for what a call without arguments gives
    predeclared_until_bound: bool = False  # WORKSPACE: each load() begins a file of its own; BUILD of old Bazels
    recursion: bool = False
    sets: bool = True


BUILD = Dialect("BUILD", definitions=False, dict_arguments=False, global_reassign=True)
BZL = Dialect(".bzl", annotations=True)
SCL = Dialect(".scl")
WORKSPACE = Dialect(
    "WORKSPACE", definitions=False, dict_arguments=False, global_reassign=True, predeclared_until_bound=True
)
MODULE = Dialect("MODULE.bazel", definitions=False, loads=False, star_arguments=False)
SPEC = Dialect(
    ".star",
    keyword_after_star=False,
    bytes_literals=True,
    strict_escapes=True,
    soft_load=False,
    unicode_names=True,
)

_BY_NAME = (
    (re.compile(r"(.*\.)?MODULE\.bazel|REPO\.bazel|VENDOR\.bazel"), MODULE),
    (re.compile(r"WORKSPACE(\..*)?|.*\.WORKSPACE"), WORKSPACE),
    (re.compile(r".*\.bzl(\..*)?"), BZL),
    (re.compile(r".*\.scl"), SCL),
    (re.compile(r".*\.(star|sky)"), SPEC),
)


def for_path(path: str) -> Dialect:
    """The dialect of a file by its name; whatever is not known otherwise is read as a BUILD file."""
    name = path.replace("\\", "/").rpartition("/")[2]
    return next((dialect for pattern, dialect in _BY_NAME if pattern.fullmatch(name)), BUILD)
