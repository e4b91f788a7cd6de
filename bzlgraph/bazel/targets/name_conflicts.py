"""Two targets may not have one name: clashes of rules, outputs and exported files, and outputs inside outputs; nor may
a name reach into a package below.

``check_rule_name`` before a rule's attributes are looked at, ``add_outputs`` puts rule and outputs into the package.
Raises EvalError with Bazel's words: such a clash ends the evaluation of the BUILD file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bzlgraph.base.label import Label
from bzlgraph.base.names import target_fault, target_name
from bzlgraph.base.span import Location
from bzlgraph.bazel.conditional import labels_in
from bzlgraph.bazel.context.contexts import PackageContext
from bzlgraph.bazel.model import LABEL_TYPES, OutputFile, Package, Rule, SourceFile, Target
from bzlgraph.bazel.targets.macros import check_target_name
from bzlgraph.bazel.targets.outputs import Output
from bzlgraph.starlark.value import EvalError


def check_rule_name(rule: Rule, context: PackageContext) -> None:
    """Raise EvalError when the package has a target of this name."""
    check_name(f"{rule.rule_class.name} rule", rule.label, context)


def check_name(kind: str, label: Label, context: PackageContext) -> None:
    """The same for a target of another kind."""
    existing = _existing(label.name, context.building)
    if existing is not None:
        place = f" in package '{context.package}'" if context.facts.conflict_names_package else ""
        raise EvalError(_conflict(f"{kind} '{label.name}'{place}", existing), "rename one of them")
    check_target_name(label.name, context)


def group_label(name: object, kind: str, context: PackageContext) -> Label:
    """The label of a group of packages or environments; EvalError when it is no name."""
    if not isinstance(name, str):
        raise EvalError(f"{kind} 'name' must be a string")
    fault = target_fault(name)
    if fault:
        raise EvalError(f"{kind} has invalid name: {name}: {fault}")
    return Label(context.repo, context.package, target_name(name))


def add_outputs(rule: Rule, outputs: Sequence[Output], context: PackageContext) -> None:
    """Add the rule and its outputs to the package, all or none of them."""
    package = context.building
    _check_own(rule, outputs)
    made: dict[str, OutputFile] = {}
    for label, attribute in outputs:
        _check_output(rule, label, made, context)
        if label.name != rule.label.name:
            made[label.name] = OutputFile(label, rule.label, rule.location, attribute)
    rule.outputs = tuple(output.label for output in outputs)
    if made:
        _check_inputs(rule, made)
    package.targets[rule.label.name] = rule
    package.targets.update(made)
    folders: dict[str, Label] = context.state.setdefault(__name__, {})
    for name in made:
        for folder in _folders_of(name):
            folders.setdefault(folder, made[name].label)


def _check_own(rule: Rule, outputs: Sequence[Output]) -> None:
    """No output may be the folder of another one of its rule."""
    names = dict.fromkeys(label.name for label, _ in outputs) if len(outputs) > 1 else {}
    for name in names:
        for folder in _folders_of(name):
            if folder in names:
                words = f"rule '{rule.label.name}' has conflicting output files '{folder}' and '{name}'"
                raise EvalError(words, "one of them is a folder of the other: rename it")


def _folders_of(name: str) -> Iterator[str]:
    """The folders that a name lies in, the innermost first.

    >>> list(_folders_of("a/b/c"))
    ['a/b', 'a']
    """
    folder = name.rpartition("/")[0]
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]


def _check_output(rule: Rule, label: Label, made: dict[str, OutputFile], context: PackageContext) -> None:
    targets = context.building.targets
    existing = made.get(label.name) or _existing(label.name, context.building)
    what = f"'{label.name}' in rule '{rule.label.name}'"
    if label.name == ".":
        raise EvalError(f"{rule.rule_class.name} output file name can't be equal '.'")
    if existing is not None:
        raise EvalError(_conflict(f"generated file {what}", existing))
    if label.name == rule.label.name:
        return
    check_target_name(label.name, context)
    inside: Label | None = context.state.setdefault(__name__, {}).get(label.name)
    if inside is not None:
        raise EvalError(_overlap(rule, label, targets[inside.name]))
    for folder in _folders_of(label.name):
        other = targets.get(folder)
        if isinstance(other, OutputFile):
            raise EvalError(_overlap(rule, label, other))


def _existing(name: str, package: Package) -> Target | None:
    """The target of a name; the BUILD file is one before anything in it, what an unknown macro is called none: it may
    make targets of other names."""
    build_file = package.build_file
    if name == build_file.name:
        inside = f"{package.name}/{name}" if package.name else name
        return SourceFile(build_file, Location(inside, 1, 0))
    found = package.targets.get(name)
    of_macro = isinstance(found, Rule) and found.rule_class.unknown and found.rule_class.bzl is None
    return None if of_macro else found


def _overlap(rule: Rule, label: Label, other: Target) -> str:
    owner = other.rule.name if isinstance(other, OutputFile) else other.label.name
    return (
        f"output file '{label.name}' of rule '{rule.label.name}' conflicts with output file '{other.label.name}' "
        f"of rule '{owner}'"
    )


def _check_inputs(rule: Rule, made: dict[str, OutputFile]) -> None:
    """A file may not be input and output of one rule."""
    outputs = {output.label for output in made.values()}
    for name, value in rule.values.items():
        attribute = rule.rule_class.attributes.get(name)
        if attribute is None or attribute.type not in LABEL_TYPES or attribute.nodep:
            continue
        for label in labels_in(value):
            if label in outputs:
                raise EvalError(f"rule '{rule.label.name}' has file '{label.name}' as both an input and an output")


def _conflict(what: str, existing: Target) -> str:
    return f"{what} conflicts with existing {_described(existing)}"


def _described(target: Target) -> str:
    if isinstance(target, Rule):
        return f"{target.rule_class.name} rule, defined at {target.location}"
    if isinstance(target, OutputFile):
        return f"generated file from rule '{target.rule.name}', defined at {target.location}"
    return f"{target.kind}, defined at {target.location}"


_BELOW = f"{__name__}: packages below"


def boundary_fault(label: Label, context: PackageContext) -> EvalError | None:
    """The problem with a label of this package that belongs to a package below; None when there is none."""
    if "/" not in label.name:
        return None
    known: frozenset[str] | None = context.state.get(_BELOW)
    if known is None:
        # the folders of other repositories below the package, where labels may not reach into them
        repositories = context.files.repositories() if context.facts.local_repository_is_boundary else ()
        known = context.state[_BELOW] = frozenset((*context.files.subpackages(), *repositories))
    folder = label.name
    while "/" in folder:
        folder = folder.rpartition("/")[0]
        if folder in known:
            package = f"{label.package}/{folder}" if label.package else folder
            meant = Label(label.repo, package, label.name[len(folder) + 1 :])
            return EvalError(
                f"Label '{label}' is invalid because '{package}' is a subpackage",
                f"perhaps you meant to put the colon here: '{meant}'?",
            )
    return None
