"""What rule(), aspect(), attributes, initializers and parents may not be. Bazel 0.19.1 to 7.7.1 were asked."""

from __future__ import annotations

import pytest

from bzlgraph.base.label import Label
from bzlgraph.bazel.files.unknown import Unknown
from bzlgraph.bazel.rules.definition_checks import is_given
from tests.bazel.memory_workspace import package, problems, rule

IMPL = "def _impl(ctx):\n    pass\n\n"
ASPECT = "def _impl(target, ctx):\n    pass\n\n"


def loaded(bzl: str, version: str = "7.7.1", build: str = "") -> list[str]:
    """What is wrong with a file that defines ``x``."""
    return problems(package(f'--- d.bzl\n{bzl}\n--- BUILD\nload(":d.bzl", "x")\n{build}', version=version))


MANY = IMPL + "x = rule(_impl, attrs = {'a%d' % i: attr.int() for i in range(200)})"
LONG = IMPL + "x = rule(_impl, attrs = {'a' * 150: attr.int()})"


@pytest.mark.parametrize("value", [None, False, [], (), Unknown("GONE.outputs", "d.bzl")])
def test_what_is_not_known_may_be_the_default(value: object) -> None:
    """Seen in Pixie: the outputs of a rule that is not on disk made another one that none may extend."""
    assert not is_given(value)
    assert is_given(True)


@pytest.mark.parametrize(
    ("bzl", "version", "message"),
    [
        (MANY, "7.7.1", "Rule class x declared too many attributes (221 > 200)"),
        (MANY, "4.2.3", "Rule class x declared too many attributes (220 > 200)"),
        (MANY, "2.1.0", ""),
        (LONG, "7.7.1", f"Attribute x.{'a' * 150}'s name is too long (150 > 128)"),
        (LONG, "2.1.0", ""),
        (IMPL + "x = rule(_impl, cfg = 'exec')", "7.7.1", "`cfg` must be set to a transition object initialized by"),
        (
            IMPL + "x = rule(_impl, cfg = config.exec())",
            "8.0.1",
            "`cfg` must be set to a transition object initialized",
        ),
        (IMPL + "x = rule(_impl, cfg = analysis_test_transition(settings = {}))", "7.7.1", ""),
        (
            IMPL + "x = rule(_impl, attrs = {'a': attr.int(configurable = False)})",
            "8.0.1",
            "attribute 'a' has the 'configurable' argument set, which is not allowed in rule definitions",
        ),
        (
            ASPECT + "x = aspect(_impl, attrs = {'_a': attr.label(configurable = False, default = '//a')})",
            "9.1.0",
            "attribute '$a' has the 'configurable' argument set, which is not allowed in aspect definitions",
        ),
    ],
)
def test_rules(bzl: str, version: str, message: str) -> None:
    found = loaded(bzl, version)
    assert message in found[0] if message else not found


ONE = "Aspect parameter attribute 'p' must have type 'string' and use the 'values' restriction."
THREE = "Aspect parameter attribute 'p' must have type 'bool', 'int' or 'string'."
BAD = "Aspect parameter attribute 'p' has a bad default value: has to be one of 'a', 'b' or 'c' instead of 'd'"


@pytest.mark.parametrize(
    ("arguments", "version", "message"),
    [
        ("attrs = {'p': attr.string(values = ['a', 'b', 'c'], default = 'd')}", "7.7.1", BAD),
        ("attrs = {'p': attr.string(values = ['a', 'b', 'c'], default = 'd')}", "0.19.1", BAD),
        ("attrs = {'p': attr.string(values = ['a'])}", "7.7.1", ""),
        ("attrs = {'p': attr.string()}", "7.7.1", ""),
        ("attrs = {'p': attr.string()}", "4.2.3", ONE),
        ("attrs = {'p': attr.int(values = [1])}", "7.7.1", ""),
        ("attrs = {'p': attr.int(values = [1])}", "4.2.3", ONE),
        ("attrs = {'p': attr.label(default = '//a')}", "9.1.0", THREE),
        ("attrs = {'_p': attr.label()}", "7.7.1", "Aspect attribute '_p' has no default value."),
        ("attrs = {'_p': attr.label_list(), '_s': attr.string_list()}", "7.7.1", ""),
        ("attr_aspects = ['*', 'deps']", "0.19.1", "'*' must be the only string in 'attr_aspects' list"),
        ("attr_aspects = ['*']", "7.7.1", ""),
        ("toolchains_aspects = 'x'", "8.0.1", "'toolchains_aspects' got value of type 'string', want 'sequence"),
        ("provides = [1]", "7.7.1", "Illegal argument: element in 'provides' is of unexpected type."),
        ("required_providers = [P], apply_to_generating_rules = True", "7.7.1", "An aspect cannot simultaneously have"),
        ("required_providers = [P], apply_to_generating_rules = True", "4.2.3", ""),
    ],
)
def test_aspects(arguments: str, version: str, message: str) -> None:
    found = loaded(f"P = provider()\n{ASPECT}x = aspect(_impl, {arguments})", version)
    assert message in found[0] if message else not found


PARENT = (
    IMPL
    + "base = rule(_impl, {arguments} attrs = {{'deps': attr.label_list(aspects = [one]), '_tool': attr.label()}})\n"
)
ASPECTS = "def _see(target, ctx):\n    pass\n\none = aspect(_see)\ntwo = aspect(_see)\n"
NOT = "is not extendable. Only Starlark rules not using deprecated features"


def extended(arguments: str = "", of_parent: str = "") -> str:
    """A rule that extends another."""
    return ASPECTS + PARENT.format(arguments=of_parent) + f"x = rule(_impl, parent = base, {arguments})"


@pytest.mark.parametrize(
    ("arguments", "of_parent", "message"),
    [
        ("", "", ""),
        ("test = False", "", "Omit test parameter when extending rules."),
        ("executable = False", "", "Omit executable parameter when extending rules."),
        ("outputs = {'a': '%{name}.a'}", "", "implicit_outputs is not supported when extending rules (deprecated)."),
        ("output_to_genfiles = True", "", "output_to_genfiles are not supported when extending rules (deprecated)."),
        ("output_to_genfiles = False", "", ""),
        ("build_setting = config.int()", "", "build_setting is not supported when extending rules."),
        ("", "outputs = {'a': '%{name}.a'},", NOT),
        ("", "build_setting = config.int(),", NOT),
        ("", "extendable = False,", NOT),
        ("attrs = {'_tool': attr.label()}", "", "attribute `_tool`: private attributes cannot be overridden."),
        ("attrs = {'deps': attr.string()}", "", "attribute `deps`: Types of parent and child's attributes mismatch."),
    ],
)
@pytest.mark.parametrize("version", ["8.0.1", "9.1.0"])
def test_parents(arguments: str, of_parent: str, message: str, version: str) -> None:
    found = loaded(extended(arguments, of_parent), version)
    assert message in found[0] if message else not found


@pytest.mark.parametrize(
    ("of_parent", "group"),
    [
        ("", Label("bazel_tools", "tools/allowlists/extend_rule_allowlist", "extend_rule_allowlist")),
        ("extendable = '//p:group',", Label("", "p", "group")),
        ("extendable = Label('//p:group'),", Label("", "p", "group")),
        ("extendable = True,", None),
    ],
)
def test_a_rule_depends_on_the_group_of_those_that_may_extend_another(of_parent: str, group: Label | None) -> None:
    bzl = extended("attrs = {'deps': attr.label_list(aspects = [two])}", of_parent)
    made = rule(package(f'--- d.bzl\n{bzl}\n--- BUILD\nload(":d.bzl", "x")\nx(name = "t")', version="8.0.1"), "t")
    assert made.get("$allowlist_extend_rule") == group
    assert [each.name for each in made.rule_class.attributes["deps"].aspects] == ["one", "two"]


RULE = (
    IMPL
    + """
x = rule(_impl, initializer = _init, executable = True, attrs = {"deps": attr.label_list(), "_tool": attr.label()})
"""
)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return {'name': name}", ""),
        ("return {'name': 'other'}", "Initializer can't change the name of the target"),
        ("return [deps]", "got list for 'rule's initializer return value', want dict"),
        ("return {1: deps}", "got dict<int, list> for 'rule's initializer return value', want dict<string, unknown>"),
        ("return {'args': ['a']}", "Initializer can only set Starlark defined attributes, not 'args'"),
        ("return {'_tool': '//a'}", "file '//:d.bzl' cannot use private API"),
        ("return {'dep': []}", "no such attribute 'dep' in 'x' rule"),
        (
            "native.filegroup(name = 'f')",
            "a rule can only be instantiated while evaluating a BUILD file or a legacy or",
        ),
        ("native.glob(['*'])", "glob() can only be used while evaluating a BUILD file"),
        ("native.existing_rules()", "existing_rules() can only be used while evaluating a BUILD file"),
        ("native.exports_files(['f'])", "exports_files() can only be used while evaluating a BUILD file"),
        ("return {'deps': [native.package_relative_label(':d')]}", ""),
    ],
)
def test_initializers(body: str, message: str) -> None:
    bzl = f"def _init(name, deps = []):\n    {body}\n{RULE}"
    found = loaded(bzl, "8.0.1", "x(name = 't')\nfilegroup(name = 'after')")
    assert message in found[0] if message else not found


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("a_b", "", ""),
        ("a-b", "", "'name' is limited to Starlark identifiers, got a-b"),
        ("a", "attrs = {'name': attr.string()}", "attribute `name`: built-in attributes cannot be overridden."),
        ("a", "attr_values = {'name': 'b'}", "'name' cannot be set or overridden in 'attr_values'"),
    ],
)
def test_analysis_tests(name: str, arguments: str, message: str) -> None:
    bzl = f"{IMPL}def x(name):\n    testing.analysis_test(name = name, implementation = _impl, {arguments})"
    found = loaded(bzl, "7.7.1", f"x(name = '{name}')")
    assert message in found[0] if message else not found


@pytest.mark.parametrize(
    ("bzl", "message"),
    [
        ("P, _n = provider(init = lambda: 1)\nx = P()", "got int for 'return value of provider init()', want dict"),
        (
            "P, _n = provider(init = lambda: {(1,): 2})\nx = P()",
            "got dict<tuple, int> for 'return value of provider init()', want dict<string, unknown>",
        ),
        ("P, Q = provider(), provider()\nx = P(a = 1) + Q(b = 1)", "Cannot use '+' operator on instances of different"),
        ("P = provider()\nx = P(a = 1, **dict(a = 2))", "got multiple values for parameter 'a'"),
    ],
)
def test_providers(bzl: str, message: str) -> None:
    assert message in loaded(bzl)[0]


@pytest.mark.parametrize(("version", "infinity"), [("4.2.3", "+inf"), ("7.7.1", "inf"), ("9.1.0", "inf")])
def test_infinity_as_protocol_text(version: str, infinity: str) -> None:
    bzl = "x = proto.encode_text(struct(a = float('+inf'), b = float('-inf')))"
    build = "filegroup(name = 't', tags = [x])"
    made = package(f'--- d.bzl\n{bzl}\n--- BUILD\nload(":d.bzl", "x")\n{build}', version=version)
    assert rule(made, "t").get("tags") == [f"a: {infinity}\nb: -inf\n"]


def test_struct_is_a_provider() -> None:
    bzl = "x = [type(struct), repr(struct), type(struct())]"
    made = package(f'--- d.bzl\n{bzl}\n--- BUILD\nload(":d.bzl", "x")\nfilegroup(name = "t", tags = x)')
    assert rule(made, "t").get("tags") == ["<function struct>", "Provider", "struct"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("attrs = {'a': attr.label(default = _f)}", "When an attribute value is a function, the attribute must be"),
        ("attrs = {'_a': attr.label(default = _f)}", ""),
        ("attrs = {'a': None}", "got dict<string, NoneType> for 'attrs', want dict<string, Attribute>"),
        ("attrs = {1: attr.int()}", "got dict<int, Attribute> for 'attrs', want dict<string, Attribute>"),
        ("attrs = {'a': attr.label(allow_files = [1])}", "at index 0 of allow_files argument, got element of type int"),
        ("attrs = {'a': attr.label_list(allow_rules = [1])}", "at index 0 of allowed rule classes for attribute"),
        ("attrs = {'a': attr.label(cfg = [])}", "cfg must be "),
        ("attrs = {'a': attr.label_keyed_string_dict(default = {':a': 'b', 'a': 'c'})}", "duplicate labels in "),
        ("outputs = {'o': 1}", "got dict<string, int> for 'implicit outputs of the rule class'"),
        ("fragments = [1]", "at index 0 of fragments, got element of type int, want string"),
        ("exec_compatible_with = [1]", "at index 0 of exec_compatible_with, got element of type int, want string"),
        ("exec_groups = {'a b': exec_group()}", "Exec group name 'a b' is not a valid name."),
        ("exec_groups = {'a': 1}", "got dict<string, int> for 'exec_group', want dict<string, exec_group>"),
    ],
)  # fmt: skip
def test_elements_and_defaults(arguments: str, message: str) -> None:
    """Bazel 4.2.3 and 7.7.1 were asked, 7.7.1 alone about execution groups."""
    found = loaded(f"def _f():\n    return None\n\n{IMPL}x = rule(_impl, {arguments})")
    assert message in found[0] if message else not found


def test_a_list_of_labels_that_begins_with_duplicates() -> None:
    bzl = IMPL + "x = rule(_impl, attrs = {'s': attr.label_list(default = ['a', ':a'])})"
    assert loaded(bzl, build="x(name = 't')") == ["Label '//:a' is duplicated in the 's' attribute of rule 't'"]
    assert not loaded(bzl, build="x(name = 't', s = ['b'])")


def test_outputs_that_follow_an_attribute_that_is_not_there() -> None:
    bzl = IMPL + "def _outs(gone):\n    return {'o': '%{name}.' + str(gone)}\n\nx = rule(_impl, outputs = _outs)"
    (message,) = loaded(bzl, build="x(name = 't')")
    assert "Attribute 'gone' either doesn't exist or uses a select()" in message


@pytest.mark.parametrize("label", [":d.txt", "@gone//:d", "//gone:d"])
def test_only_bzl_files_are_loaded(label: str) -> None:
    made = package(f'--- d.txt\nx = 1\n--- BUILD\nload("{label}", "x")\n', version="7.7.1")
    assert problems(made)[0] == 'in load statement: The label must reference a file with extension ".bzl"'


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            "provider(True)",
            "in call to provider(), parameter 'doc' got value of type 'bool', want 'string or NoneType'",
        ),
        ("provider(fields = [1])", "at index 0 of fields, got element of type int, want string"),
        ("provider(fields = {'a': 1})", "got dict<string, int> for 'fields', want dict<string, string>"),
        ("depset([1], order = [])", "in call to depset(), parameter 'order' got value of type 'list', want 'string'"),
        ("depset(transitive = [[1]])", "at index 0 of transitive, got element of type list, want depset"),
        ("[1].index(1, end = 1)", ""),
    ],
)
def test_calls_of_other_functions(call: str, message: str) -> None:
    assert loaded(f"x = {call}") == ([message] if message else [])


APPLIED = """
--- a.bzl
def _impl(target, ctx):
    pass

a = aspect(_impl)
b = aspect(_impl, requires = [a])
"""


@pytest.mark.parametrize(
    ("aspects", "message"),
    [
        ("[a, a]", "aspect //:a.bzl%a added more than once"),
        ("[b, a]", "aspect //:a.bzl%a was added before as a required aspect of aspect //:a.bzl%b"),
        ("[a, b]", ""),
    ],
)
def test_an_aspect_is_applied_once(aspects: str, message: str) -> None:
    """Bazel 7.7.1 was asked; 2.1.0 and 4.2.3 refuse the first one, too."""
    bzl = f"load(':a.bzl', 'a', 'b')\n{IMPL}x = rule(_impl, attrs = {{'d': attr.label_list(aspects = {aspects})}})"
    assert loaded(f"{bzl}\n{APPLIED}") == ([message] if message else [])


def test_a_branch_of_a_select_is_no_output_of_its_rule() -> None:
    made = package('--- BUILD\ngenrule(name = "x", cmd = "", outs = ["a"], srcs = select({":c": ["a"]}))\n')
    assert problems(made) == ["rule 'x' has file 'a' as both an input and an output"]


INITIALIZED = """
def _init(name, a = 1):
    return {"a": a}

def _impl(ctx):
    pass

x = rule(_impl, initializer = _init, attrs = {"a": attr.int()})
"""


def test_a_value_of_a_wrong_type_before_an_initializer_makes_no_target() -> None:
    """As cc_binary of 7.7.1, which has one (BuildType.copyAndLiftStarlarkValue raises)."""
    made = package(f'--- d.bzl\n{INITIALIZED}\n--- BUILD\nload(":d.bzl", "x")\nx(name = "t", a = "b")', version="8.3.1")
    assert problems(made) == ["expected value of type 'int' for attribute 'a' in 'x' rule, but got \"b\" (string)"]
    assert "t" not in made.targets
