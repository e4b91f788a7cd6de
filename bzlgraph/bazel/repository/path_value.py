"""``path``: a place among the files of a repository rule, as a Starlark value.

What lies outside of the checkout and its repositories is never looked at: whether it exists is an unknown value.
Rules: https://bazel.build/rules/lib/builtins/path
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import ClassVar

from bzlgraph.bazel.parts import Uncertain
from bzlgraph.bazel.repository.context import RunContext
from bzlgraph.bazel.repository.files import Kind
from bzlgraph.bazel.repository.placeholder import MARK
from bzlgraph.bazel.values.label_value import LabelValue
from bzlgraph.starlark.checks import want_string
from bzlgraph.starlark.evaluation.budget import LOOK, charge
from bzlgraph.starlark.value import EvalError, Value
from bzlgraph.starlark.values import List, type_name

STEPS_OF_A_FILE = 500
"""What it costs to look at a file, in steps of evaluation."""
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")


@dataclass(slots=True, eq=False, repr=False)
class PathValue(Value):
    """An absolute path. ``run`` is the evaluation that it belongs to."""

    type_name: ClassVar[str] = "path"
    text: str
    run: RunContext

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PathValue) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def to_str(self) -> str:
        return self.text

    to_repr = to_str

    def kind(self) -> Kind:
        """What is there; nobody knows where part of the path is unknown."""
        charge(STEPS_OF_A_FILE)
        if MARK in self.text:
            return Kind.UNKNOWN
        kind = self.run.files.kind(self.text)
        hidden = kind is Kind.ABSENT and not self.run.complete and self.text.startswith(self.run.files.root)
        return Kind.UNKNOWN if hidden else kind

    def get_attr(self, name: str) -> object:
        field = _FIELDS.get(name)
        if field is None or f"path.{name}" in self.run.facts.repository_context_lacks:
            raise AttributeError(name)
        return field(self)

    def attr_names(self) -> Iterable[str]:
        return (*_FIELDS, *self.methods)

    def unknown(self, what: str) -> object:
        """A property of it that is not known."""
        return self.run.unknown(f'path("{self.text}").{what}')

    def _dirname(self) -> object:
        above = posixpath.dirname(self.text)
        return PathValue(above, self.run) if above != self.text else None

    def _exists(self) -> object:
        kind = self.kind()
        return self.unknown("exists") if kind is Kind.UNKNOWN else kind is not Kind.ABSENT

    def _is_dir(self) -> object:
        kind = self.kind()
        return self.unknown("is_dir") if kind is Kind.UNKNOWN else kind is Kind.FOLDER

    def _realpath(self) -> object:
        known = self.kind() is not Kind.UNKNOWN
        return PathValue(self.run.files.real(self.text), self.run) if known else self.unknown("realpath")

    def _get_child(self, *relative_paths: object) -> PathValue:
        parts = [want_string(each, "get_child", "relative_paths") for each in relative_paths]
        return PathValue(posixpath.normpath(posixpath.join(self.text, *(each.lstrip("/") for each in parts))), self.run)

    def _readdir(self, watch: object = "auto") -> object:
        kind = self.kind()
        names = self.run.files.names(self.text) if kind is Kind.FOLDER else None
        if names is not None:
            charge(LOOK * len(names))
            return List(PathValue(posixpath.join(self.text, name), self.run) for name in names)
        if kind in (Kind.UNKNOWN, Kind.FOLDER):
            return self.unknown("readdir()")
        raise EvalError(f"can't readdir(), not a directory: {self.text}")

    methods: ClassVar[dict[str, Callable[..., object]]] = {"get_child": _get_child, "readdir": _readdir}


_FIELDS: dict[str, Callable[[PathValue], object]] = {
    "basename": lambda path: posixpath.basename(path.text),
    "dirname": PathValue._dirname,
    "exists": PathValue._exists,
    "is_dir": PathValue._is_dir,
    "realpath": PathValue._realpath,
}


def is_absolute(text: str) -> bool:
    """Whether a path is, on any host."""
    return text.startswith("/") or _DRIVE.match(text) is not None


def path_of(value: object, run: RunContext, function: str) -> PathValue | Uncertain:
    """The path that a string, a label or a path means in a repository rule. EvalError for anything else."""
    if isinstance(value, PathValue | Uncertain):
        return value
    if isinstance(value, LabelValue):
        return _path_of_label(value, run)
    if not isinstance(value, str):
        raise EvalError(f"{function}() can only take a string, a Label or a path, got {type_name(value)}")
    if value.startswith(MARK):  # it may be absolute
        return PathValue(value, run)
    return PathValue(posixpath.normpath(value if is_absolute(value) else posixpath.join(run.files.root, value)), run)


def _path_of_label(value: LabelValue, run: RunContext) -> PathValue | Uncertain:
    if MARK in value.label.name or MARK in value.label.package:
        return run.unknown(f'path(Label("{value.label}"))')
    try:
        found = run.files.locate(value.label, run.facts.label_path_is_file)
    except OSError as error:
        raise EvalError(f"{value.label}: {error.strerror}") from None
    return PathValue(found, run) if found is not None else run.unknown(f'path(Label("{value.label}"))')
