"""What ``rule()``, ``aspect()`` and their attributes may not be: EvalError, in Bazel's words.

``check_limits`` when a rule gets its name; ``check_cfg``, ``check_attributes`` and ``check_parent`` at its call;
``check_aspect`` at that of an aspect. Rules: ``StarlarkRuleClassFunctions.java`` and its test
(bazelbuild/bazel@008b27fbed6763c9af4e2ab371c4c00b0cf56e74); Bazel 0.19.1, 2.1.0, 4.2.3 and 7.7.1 were asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bzlgraph.bazel.context.scope import facts, in_stand_in
from bzlgraph.bazel.model import Aspect, Attribute, AttrType, RuleClass
from bzlgraph.bazel.parts import Uncertain
from bzlgraph.bazel.rules.attr import AttrValue, native_name
from bzlgraph.bazel.rules.transition import Transition
from bzlgraph.starlark.checks import wrong_type
from bzlgraph.starlark.value import EvalError

MOST_ATTRIBUTES = 200
LONGEST_NAME = 128


def limits_refusal(rule_class: RuleClass, names: Iterable[str]) -> str:
    """Why a rule cannot be called ``rule_class.name`` with so many attributes of such names, "" when it can."""
    for name in names:
        if len(name) > LONGEST_NAME:
            return f"Attribute {rule_class.name}.{name}'s name is too long ({len(name)} > {LONGEST_NAME})"
    count = len(rule_class.attributes)
    if count > MOST_ATTRIBUTES:
        return f"Rule class {rule_class.name} declared too many attributes ({count} > {MOST_ATTRIBUTES})"
    return ""


def check_cfg(cfg: object) -> None:
    """A rule is configured by a transition that leads elsewhere than to the configuration of tools."""
    if isinstance(cfg, int | str) or (isinstance(cfg, Transition) and cfg.tool):
        raise EvalError("`cfg` must be set to a transition object initialized by the transition() function.")


def check_attributes(described: Mapping[str, AttrValue], what: str) -> None:
    """Only attributes of symbolic macros say whether they are configurable; functions of other attributes are the
    defaults of private ones; an aspect is applied once."""
    for name, each in described.items():
        _check_applied(each.arguments.get("aspects"))
        if each.computed is not None and not name.startswith("_") and not in_stand_in():
            words = "When an attribute value is a function, the attribute must be private (i.e. start with '_')"
            raise EvalError(f"{words}. Found '{name}'")
        if "configurable" in each.arguments and not in_stand_in():
            words = f"attribute '{native_name(name)}' has the 'configurable' argument set, which is not allowed in"
            raise EvalError(f"{words} {what} definitions")


def _check_applied(values: object) -> None:
    """Each aspect of a list stands there once, and before those that require it."""
    models = [each.model for each in values if hasattr(each, "model")] if isinstance(values, list | tuple) else []
    required_by: dict[int, str] = {}
    for model in models:
        _note_required(model, required_by)
        above = required_by.get(id(model))
        if above is not None:
            how = f"was added before as a required aspect of aspect {above}" if above else "added more than once"
            raise EvalError(f"aspect {_named(model)} {how}")
        required_by[id(model)] = ""


def _note_required(model: Aspect, required_by: dict[int, str]) -> None:
    for each in model.requires:
        if id(each) not in required_by:
            _note_required(each, required_by)
            required_by[id(each)] = _named(model)


def _named(model: Aspect) -> str:
    """An aspect as Bazel names it; one of the file that is running has no name yet."""
    return f"{model.bzl}%{model.name}" if model.name else "of this file"


_NOT_WITH_A_PARENT = {
    "executable": "Omit executable parameter when extending rules.",
    "test": "Omit test parameter when extending rules.",
    "outputs": "implicit_outputs is not supported when extending rules (deprecated).",
    "host_fragments": "host_fragments are not supported when extending rules (deprecated).",
    "output_to_genfiles": "output_to_genfiles are not supported when extending rules (deprecated).",
    "_skylark_testable": "_skylark_testable is not supported when extending rules.",
    "analysis_test": "analysis_test is not supported when extending rules.",
    "build_setting": "build_setting is not supported when extending rules.",
}
_WHERE_WRITTEN = ("executable", "test")
"""Arguments that may not even be False."""
NOT_EXTENDABLE = ("outputs", "output_to_genfiles", "_skylark_testable", "analysis_test", "build_setting")
"""Arguments of a rule that no other can extend."""


def check_parent(parent: RuleClass, extendable: object, arguments: Mapping[str, object]) -> None:
    """What a rule with a parent may be given, and whether the parent may be one. ``extendable``: what it says."""
    if extendable is False:
        raise EvalError(
            f"The rule '{parent.name}' is not extendable. Only Starlark rules not using deprecated features (like "
            "implicit outputs, output to genfiles) may be extended. Special rules like analysis tests or rules using "
            "build_settings cannot be extended."
        )
    for name, words in _NOT_WITH_A_PARENT.items():
        value = arguments.get(name)
        if is_given(value) or (name in _WHERE_WRITTEN and value is not None):
            raise EvalError(words)


def is_given(value: object) -> bool:
    """Whether an argument is certainly other than its default: what is not known may be empty."""
    return not isinstance(value, Uncertain) and value not in (None, False, [], ())


def check_override(own: Attribute, inherited: Attribute | None) -> None:
    """A rule may give an attribute of its parent another default, and more aspects."""
    if inherited is None:
        return
    if inherited.implicit:
        written = f"_{own.name[1:]}"
        raise EvalError(f"attribute `{written}`: private attributes cannot be overridden.")
    if inherited.type is not own.type:
        raise EvalError(f"attribute `{own.name}`: Types of parent and child's attributes mismatch.")


_WORDS = {AttrType.BOOLEAN: "bool", AttrType.INTEGER: "int", AttrType.STRING: "string"}


def check_aspect(described: Mapping[str, AttrValue], arguments: Mapping[str, object]) -> None:
    """The attributes of an aspect are its own, with a default each, or parameters, which rules set."""
    check_attributes(described, "aspect")
    for name, each in described.items():
        if not name.startswith("_"):
            _check_parameter(name, each)
        elif _lacks_default(each):
            raise EvalError(f"Aspect attribute '{name}' has no default value.")
    followed = arguments.get("attr_aspects")
    if isinstance(followed, list | tuple) and "*" in followed and len(followed) > 1:
        raise EvalError("'*' must be the only string in 'attr_aspects' list")
    through = arguments.get("toolchains_aspects", ())
    if not (isinstance(through, list | tuple | Uncertain) or callable(through)):
        raise wrong_type(through, "aspect", "toolchains_aspects", "sequence or function")
    generating = arguments.get("apply_to_generating_rules") is True and arguments.get("required_providers")
    if generating and facts().aspects_look_at_providers_or_outputs:
        raise EvalError("An aspect cannot simultaneously have required providers and apply to generating rules.")


def _check_parameter(name: str, each: AttrValue) -> None:
    known = facts().aspect_parameters
    kind = _WORDS.get(each.type, "")
    values, default = each.arguments.get("values"), each.default
    only_strings = known == ("string",)
    if kind not in known or (only_strings and not values):
        words = "'string' and use the 'values' restriction" if only_strings else "'bool', 'int' or 'string'"
        raise EvalError(f"Aspect parameter attribute '{name}' must have type {words}.")
    if default and isinstance(values, list | tuple) and values and not _is_among(default, values):
        allowed = " or ".join(filter(None, (", ".join(f"'{v}'" for v in values[:-1]), f"'{values[-1]}'")))
        words = f"has to be one of {allowed} instead of '{default}'"
        raise EvalError(f"Aspect parameter attribute '{name}' has a bad default value: {words}")


def _is_among(value: object, values: list[object] | tuple[object, ...]) -> bool:
    return value in values or any(isinstance(each, Uncertain) for each in values)


_WITHOUT_DEFAULT = (AttrType.LABEL, AttrType.OUTPUT)
"""Attributes without a default where none is written; others begin empty."""


def _lacks_default(each: AttrValue) -> bool:
    return each.type in _WITHOUT_DEFAULT and each.arguments.get("default") is None
