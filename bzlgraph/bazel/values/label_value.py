"""``Label``: a resolved label as a Starlark value.

``Label("//x:y")`` resolves in the file it is written in, also when a macro calls it while a BUILD file is evaluated.
Printing follows the Bazel version: ``//a:b`` up to 5, then ``@//a:b``, and ``@@//a:b`` where there are modules.
Rules: https://bazel.build/rules/lib/builtins/Label
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import total_ordering
from typing import ClassVar

from bzlgraph.base.label import Label, LabelError, parse
from bzlgraph.bazel.context.contexts import Context, PackageContext
from bzlgraph.bazel.context.scope import evaluation_context, facts, in_stand_in, resolve
from bzlgraph.bazel.model import AttrType
from bzlgraph.starlark.builtin import builtin
from bzlgraph.starlark.checks import has_member, stand_in, want_member
from bzlgraph.starlark.evaluation.thread import running_host
from bzlgraph.starlark.ordering import APPLY
from bzlgraph.starlark.value import EvalError, Value
from bzlgraph.starlark.values import Dict, List


@total_ordering
@dataclass(slots=True, eq=False, repr=False)
class LabelValue(Value):
    """A label that Starlark code holds. Compares, sorts and hashes as the label does."""

    type_name: ClassVar[str] = "Label"
    label: Label

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LabelValue) and self.label == other.label

    def __lt__(self, other: LabelValue) -> bool:
        return self.label < other.label

    def __hash__(self) -> int:
        return hash(self.label)

    def __str__(self) -> str:
        return str(self.label)

    def __repr__(self) -> str:
        return f'Label("{self.label}")'

    def is_fixed(self) -> bool:
        return True

    def compare(self, op: str, other: object) -> object:
        """Labels sort by repository, package and name."""
        if not isinstance(other, LabelValue):
            return NotImplemented
        return APPLY[op](self.label, other.label)

    def get_attr(self, name: str) -> object:
        field = _FIELDS.get(name)
        if field is None or not has_member("Label", name):
            raise AttributeError(name)
        return field(self.label)

    def attr_names(self) -> Iterable[str]:
        return (*_FIELDS, *self.methods)

    def to_str(self) -> str:
        return label_text(self.label)

    def to_repr(self) -> str:
        """No version marks the main repository here; since 6 others have two signs, modules or not."""
        text, others = label_text(self.label).lstrip("@"), "@@" if facts().labels_unambiguous else "@"
        return f'Label("{others if self.label.repo else ""}{text}")'

    def _relative(self, relName: object, /) -> object:
        return _made_of(relName, "relative", "relName", lambda text: _parse(text, self.label))

    def _same_package_label(self, target_name: object, /) -> object:
        want_member("Label", "same_package_label")
        home = self.label
        return _made_of(
            target_name, "same_package_label", "target_name", lambda text: Label(home.repo, home.package, text)
        )

    methods: ClassVar[dict[str, Callable[..., object]]] = {
        "relative": _relative,
        "same_package_label": _same_package_label,
    }


def canonical_name(repo: str) -> str:
    """The canonical name of a repository of a label."""
    host = running_host()
    return host.mapping.canonical(repo) if isinstance(host, Context) else repo


_FIELDS: dict[str, Callable[[Label], str]] = {
    "name": lambda label: label.name,
    "package": lambda label: label.package,
    "repo_name": lambda label: canonical_name(label.repo),
    "workspace_name": lambda label: canonical_name(label.repo),
    "workspace_root": lambda label: f"external/{canonical_name(label.repo)}" if label.repo else "",
}


def label_text(label: Label) -> str:
    """``str(Label)`` as the Bazel version at hand prints it."""
    known = facts()
    marked = label.repo or known.labels_unambiguous
    repository = f"{'@@' if known.bzlmod else '@'}{canonical_name(label.repo)}" if marked else ""
    return f"{repository}//{label.package}:{label.name}"


def _parse(text: str, base: Label) -> Label:
    try:
        return parse(text, base.repo, base.package, evaluation_context().mapping, facts().repository_names)
    except LabelError as error:
        raise EvalError(str(error)) from None


@builtin("Label", pure=True)
def label_function(input: object, /, *, relative_to_caller_repository: bool = False) -> object:
    """``Label("//pkg:name")``; a Label stays itself. Bazel knows the caller's repository where a rule is analysed
    only; while files are loaded, a label relative to it is one of the main repository."""
    if type(input) is str and not relative_to_caller_repository:
        if not input.startswith(("//", "@")) and not (facts().relative_labels or in_stand_in()):
            raise EvalError(f"Illegal absolute label syntax: {input}")
        return LabelValue(resolve(input))
    if isinstance(input, LabelValue):
        return input
    make = _of_the_main_repository if relative_to_caller_repository else resolve
    return _made_of(input, "Label", "input", make, "string or Label")


def _of_the_main_repository(text: str) -> Label:
    try:
        return parse(text, "", "", repositories=facts().repository_names)
    except LabelError as error:
        raise EvalError(str(error)) from None


def _made_of(
    text: object, function: str, parameter: str, make: Callable[[str], Label], wanted: str = "string"
) -> object:
    """The label that ``make`` gives for a text; what is unknown stays so. EvalError for anything else."""
    if isinstance(text, str):
        return LabelValue(make(text))
    return stand_in(text, LabelValue, function, parameter, wanted)


# What macros and initializers are passed: values of attributes before a rule exists.


def typed_value(kind: AttrType, value: object, context: PackageContext) -> object:
    """A plain value of an attribute of this type: label strings become Labels, lists and dicts are copied."""
    if kind is AttrType.LABEL:
        return label_value(value, context)
    if isinstance(value, list | tuple):
        return List(label_value(item, context) if kind is AttrType.LABEL_LIST else item for item in value)
    if isinstance(value, dict):
        keys = kind is AttrType.LABEL_KEYED_STRING_DICT
        items = kind in (AttrType.STRING_KEYED_LABEL_DICT, AttrType.LABEL_DICT_UNARY)
        return Dict(
            {
                (label_value(key, context) if keys else key): (label_value(item, context) if items else item)
                for key, item in value.items()
            }
        )
    return value


def label_value(value: object, context: PackageContext) -> object:
    """A label string as a Label; anything else as it is."""
    return LabelValue(resolve(value, context)) if isinstance(value, str) else value
