"""Transitions of rules and attributes, in a configuration. Beside real Bazel: tests/differential/configured."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.base.label import parse
from bzlgraph.config.option_use import ON_COMMAND_LINE
from bzlgraph.config.transitions.reached import MAX_CONFIGURATIONS
from tests.config.workspace import ask, view

RULES = """
def _nothing(ctx):
    return []

def _to_opt(settings, attr):
    return {"//command_line_option:compilation_mode": "opt"}

to_opt = rule(
    implementation = _nothing,
    cfg = transition(implementation = _to_opt, inputs = [], outputs = ["//command_line_option:compilation_mode"]),
    attrs = {"deps": attr.label_list()},
)
flag = rule(implementation = _nothing, build_setting = config.string(flag = True))
"""
BUILD = """
load(":rules.bzl", "to_opt")
config_setting(name = "opt", values = {"compilation_mode": "opt"})
filegroup(name = "A")
filegroup(name = "B")
filegroup(name = "by_mode", srcs = select({":opt": [":B"], "//conditions:default": [":A"]}))
to_opt(name = "top", deps = [":by_mode"])
"""


def labels(answer: object) -> list[str]:
    return [str(label).removeprefix("//:") for label in answer]  # type: ignore[attr-defined]


def test_a_rule_is_in_the_configuration_of_its_transition(tmp_path: Path) -> None:
    seen = view(tmp_path, {"rules.bzl": RULES, "BUILD": BUILD})
    assert labels(ask(seen, "deps(//:top)")) == ["B", "by_mode", "opt", "top"]
    assert labels(ask(seen, "deps(//:by_mode)")) == ["A", "by_mode", "opt"]
    assert labels(ask(seen, "deps(//:top + //:by_mode)")) == ["A", "B", "by_mode", "opt", "top"]


def leading(body: str, inputs: str = "[]", outputs: str = '["//command_line_option:compilation_mode"]') -> str:
    """Rules with a rule `leads`, whose `parts` have a transition with this body."""
    return f"""{RULES}
def _leads(settings, attr):
{body}

leads = rule(implementation = _nothing, attrs = {{
    "parts": attr.label_list(
        cfg = transition(implementation = _leads, inputs = {inputs}, outputs = {outputs}),
    ),
}})
"""


LEADS = BUILD.replace('"to_opt")', '"leads", "to_opt")') + 'leads(name = "leads", parts = [":by_mode"])\n'


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("    for a in range(1000000):\n        for b in range(1000000):\n            pass", "too many steps"),
        ("    return fail('no')", "no"),
        ("    return {'//command_line_option:cpu': 'x'}", "undeclared output '//command_line_option:cpu'"),
        ("    return {'//command_line_option:compilation_mode': 'faster'}", "'faster' is not one of"),
        ("    return 7", "must return a dictionary"),
    ],
)
def test_what_bazel_refuses_is_an_error_and_leaves_the_outputs_unknown(tmp_path: Path, body: str, message: str) -> None:
    seen = view(tmp_path, {"rules.bzl": leading(body), "BUILD": LEADS})
    answer = ask(seen, "deps(//:leads)")
    assert {"A", "B"} <= set(labels(answer))
    assert any(message in problem.message for problem in seen.problems_of(range(len(seen))))


def test_what_cannot_be_run_is_a_gap(tmp_path: Path) -> None:
    rules = 'load("@absent//:x.bzl", "mode")\n' + leading(
        "    return {'//command_line_option:compilation_mode': mode()}"
    )
    seen = view(tmp_path, {"rules.bzl": rules, "BUILD": LEADS})
    assert {"A", "B"} <= set(labels(ask(seen, "deps(//:leads)")))
    told = [str(gap) for gap in seen.gaps_of(range(len(seen)))]
    assert any("transition of //:leads on parts" in each and "cannot be run" in each for each in told)
    assert not seen.problems_of(range(len(seen)))


def test_a_transition_that_is_not_known_is_a_gap(tmp_path: Path) -> None:
    rules = f"""load("@absent//:x.bzl", "its_transition")
{RULES}
unknown = rule(implementation = _nothing, cfg = its_transition, attrs = {{"deps": attr.label_list()}})
split = rule(implementation = _nothing, attrs = {{"deps": attr.label_list(cfg = apple_common.multi_arch_split)}})
"""
    build = (
        BUILD.replace('"to_opt")', '"split", "to_opt", "unknown")')
        + """
unknown(name = "unknown", deps = [":by_mode"])
split(name = "split", deps = [":by_mode"])
"""
    )
    for name in ("unknown", "split"):
        seen = view(tmp_path, {"rules.bzl": rules, "BUILD": build})
        assert {"A", "B"} <= set(labels(ask(seen, f"deps(//:{name})")))
        told = [str(gap) for gap in seen.gaps_of(range(len(seen)))]
        assert any(f"the transition of //:{name}" in each for each in told), told


def test_transitions_that_leave_the_same_unknown_lead_to_one_configuration(tmp_path: Path) -> None:
    """Why something is unknown does not decide anything: each target is told, but shares what it depends on."""
    rules = 'load("@absent//:x.bzl", "mode")\n' + leading(
        "    return {'//command_line_option:compilation_mode': mode()}"
    )
    parts = "".join(f'leads(name = "l{number}", parts = [":by_mode"])\n' for number in range(5))
    seen = view(tmp_path, {"rules.bzl": rules, "BUILD": BUILD.replace('"to_opt")', '"leads", "to_opt")') + parts})
    asked = " + ".join(f"//:l{number}" for number in range(5))
    assert {"A", "B"} <= set(labels(ask(seen, f"deps({asked})")))
    assert len({seen.configured_in[node] for node in range(len(seen))}) == 2
    told = "".join(str(gap) for gap in seen.gaps_of(range(len(seen))))
    assert [number for number in range(5) if f"the transition of //:l{number}" not in told] == []


def test_what_is_data_only_is_in_the_configuration_without_options(tmp_path: Path) -> None:
    """``config.none()`` of Bazel 8."""
    rules = f"""{RULES}
reads = rule(implementation = _nothing, attrs = {{"data": attr.label(cfg = config.none())}})
"""
    build = BUILD.replace('"to_opt")', '"reads", "to_opt")') + 'reads(name = "reads", data = ":by_mode")\n'
    seen = view(tmp_path, {"rules.bzl": rules, "BUILD": build}, "-c", "opt", version="8.0.1")
    assert "A" in labels(ask(seen, "deps(//:reads)"))
    assert "B" not in labels(ask(seen, "deps(//:reads)"))
    assert "B" in labels(ask(seen, "deps(//:by_mode)"))


def test_configurations_without_end_come_to_one(tmp_path: Path) -> None:
    rules = leading(
        "    return [{'//:word': settings['//:word'] + end} for end in ('a', 'b')]", '["//:word"]', '["//:word"]'
    )
    chain = "".join(f'leads(name = "l{n}", parts = [":l{n + 1}"])\n' for n in range(30))
    build = f'load(":rules.bzl", "flag", "leads")\nflag(name = "word", build_setting_default = "")\n{chain}'
    seen = view(tmp_path, {"rules.bzl": rules, "BUILD": f'{build}filegroup(name = "l30")\n'})
    assert "l30" in labels(ask(seen, "deps(//:l0)"))
    assert len({seen.configured_in[node] for node in range(len(seen))}) <= MAX_CONFIGURATIONS + 1


def test_feature_flags_are_set_by_their_own_transition(tmp_path: Path) -> None:
    rules = f"""{RULES}
flagged = rule(
    implementation = _nothing,
    cfg = config_common.config_feature_flag_transition("flags"),
    attrs = {{"deps": attr.label_list(), "flags": attr.label_keyed_string_dict()}},
)
"""
    build = """
load(":rules.bzl", "flagged")
config_feature_flag(name = "color", allowed_values = ["red", "green"], default_value = "green")
config_feature_flag(name = "size", allowed_values = ["big", "small"], default_value = "small")
config_setting(name = "red", flag_values = {":color": "red"})
config_setting(name = "big", flag_values = {":size": "big"})
filegroup(name = "R")
filegroup(name = "G")
filegroup(name = "B")
filegroup(name = "user", srcs = select({":red": [":R"], "//conditions:default": [":G"]}) +
    select({":big": [":B"], "//conditions:default": []}))
flagged(name = "one", flags = {":color": "red"}, deps = [":user"])
flagged(name = "other", flags = {":size": "big"}, deps = [":one"])
flagged(name = "wrong", flags = {":size": "huge"}, deps = [":one"])
"""

    def found(name: str) -> set[str]:
        seen = view(tmp_path, {"rules.bzl": rules, "BUILD": build}, version="7.7.1")
        return set("RGB") & set(labels(ask(seen, f"deps(//:{name})")))

    assert (found("user"), found("one"), found("other")) == (set("G"), set("R"), set("R"))
    seen = view(tmp_path, {"rules.bzl": rules, "BUILD": build}, version="7.7.1")
    ask(seen, "deps(//:wrong)")
    problem, *_ = seen.problems_of(range(len(seen)))
    assert problem.message.endswith("//:size cannot be 'huge'")


NATIVE = """
config_setting(name = "arm", values = {"cpu": "armeabi-v7a"})
filegroup(name = "A")
filegroup(name = "B")
filegroup(name = "by_cpu", srcs = select({":arm": [":A"], "//conditions:default": [":B"]}))
cc_library(name = "cc", data = [":by_cpu"])
android_binary(name = "app", manifest = "AndroidManifest.xml", deps = [":cc"])
objc_library(name = "objc", srcs = ["a.m"], data = [":by_cpu"])
apple_binary(name = "apple", platform_type = "ios", deps = [":objc"])
"""


@pytest.mark.parametrize("name", ["app", "objc", "apple"])
def test_transitions_of_native_rules_are_told(tmp_path: Path, name: str) -> None:
    seen = view(tmp_path, {"BUILD": NATIVE})
    assert {"A", "B"} <= set(labels(ask(seen, f"deps(//:{name})")))
    told = [str(gap) for gap in seen.gaps_of(range(len(seen)))]
    assert any("the transition of //:" in each and "it changes --cpu" in each for each in told), told


def test_what_native_transitions_leave_alone_is_known(tmp_path: Path) -> None:
    build = NATIVE.replace('{"cpu": "armeabi-v7a"}', '{"compilation_mode": "opt"}')
    assert "A" not in labels(ask(view(tmp_path, {"BUILD": build}), "deps(//:app)"))


_TEXT_RULES = """
def _nothing(ctx):
    return []

def _set(settings, attr):
    return {"//:flag": attr.to if attr.to else attr.label}

set_flag = rule(
    implementation = _nothing,
    cfg = transition(implementation = _set, inputs = [], outputs = ["//:flag"]),
    attrs = {"deps": attr.label_list(), "to": attr.string(), "label": attr.label()},
)
"""
_TEXTS = """
load(":rules.bzl", "set_flag")
label_flag(name = "flag", build_setting_default = ":A")
config_setting(name = "is_b", flag_values = {":flag": ":B"})
[filegroup(name = name) for name in ["A", "B", "found", "other"]]
filegroup(name = "seen", srcs = select({":is_b": [":found"], "//conditions:default": [":other"]}))
set_flag(name = "text", to = "//:B", deps = [":seen"])
set_flag(name = "label", label = ":B", deps = [":seen"])
set_flag(name = "relative", to = ":B", deps = [":seen"])
set_flag(name = "label_of_text", label = ":B", deps = [":text"])
set_flag(name = "text_of_label", to = "//:B", deps = [":label"])
filegroup(name = "both", srcs = [":text", ":label"])
"""


@pytest.mark.parametrize(
    ("version", "root", "found", "gaps"),
    [
        ("4.2.3", "text", {"other"}, 0),
        ("4.2.3", "label", {"found"}, 0),
        ("4.2.3", "label_of_text", {"found"}, 0),
        ("4.2.3", "text_of_label", {"other"}, 0),
        ("4.2.3", "both", {"other"}, 1),  # by what Bazel meets first: both are one configuration to it
        ("7.7.1", "text", {"found"}, 0),
        ("7.7.1", "relative", {"found"}, 0),
        ("7.7.1", "both", {"found"}, 0),
    ],
)
def test_a_text_equals_no_label(tmp_path: Path, version: str, root: str, found: set[str], gaps: int) -> None:
    seen = view(tmp_path, {"rules.bzl": _TEXT_RULES, "BUILD": _TEXTS}, version=version)
    assert {"found", "other"}.intersection(labels(ask(seen, f"deps(//:{root})"))) == found
    told = [str(gap) for gap in seen.gaps_of(range(len(seen))) if "//:flag" in str(gap)]
    assert len(told) == gaps, told


def test_a_relative_text_is_no_label_in_bazel_4(tmp_path: Path) -> None:
    seen = view(tmp_path, {"rules.bzl": _TEXT_RULES, "BUILD": _TEXTS})
    ask(seen, "deps(//:relative)")
    problems = [each.message for each in seen.problems_of(range(len(seen)))]
    assert any("invalid label ':B' in //:flag" in each for each in problems), problems


def test_a_flag_set_to_a_text_is_shown_in_quotes(tmp_path: Path) -> None:
    seen = view(tmp_path, {"rules.bzl": _TEXT_RULES, "BUILD": _TEXTS})
    ask(seen, "deps(//:text)")
    node = next(each for each in range(len(seen)) if str(seen.labels[each]) == "//:is_b" and seen.configured_in[each])
    assert '"//:B"' in str(seen.settings_of(node).verdict(seen.labels[node]).why)


def test_targets_with_one_transition_share_where_it_leads(tmp_path: Path) -> None:
    """A workspace has thousands of such targets: each of them led to settings that knew nothing yet."""
    calls = "".join(f'to_opt(name = "t{number}", deps = [":by_mode"])\n' for number in range(30))
    seen = view(tmp_path, {"rules.bzl": RULES, "BUILD": BUILD + calls})
    assert "B" in labels(ask(seen, "deps(//:all)"))
    first, *others = [seen.settings_of(seen.node(parse(f"//:t{number}", "", ""))) for number in range(30)]
    assert all(each is first for each in others)
    changed = first.configuration.changed({"cpu": ("arm",)}, ON_COMMAND_LINE)
    assert first.under(changed) is seen.configuration.under(changed)
    assert len(seen.configuration.transitions) == 1


TEXTS = """
def _nothing(ctx):
    return []

def _runfiles(settings, attr):
    runfiles, proto, force = [settings[each] for each in READ]
    is_as_by_default = runfiles == "AUTO" and proto == "ERROR" and force == None
    mode = "opt" if is_as_by_default else "dbg"
    return dict(settings, **{"//command_line_option:compilation_mode": mode})

READ = ["//command_line_option:" + each for each in ["enable_runfiles", "strict_proto_deps", "host_force_python"]]
WRITTEN = READ + ["//command_line_option:compilation_mode"]
to_opt = rule(
    implementation = _nothing,
    cfg = transition(implementation = _runfiles, inputs = READ, outputs = WRITTEN),
    attrs = {"deps": attr.label_list()},
)
"""


@pytest.mark.parametrize(
    ("words", "chosen"),
    [
        ("-c fastbuild", "B"),
        ("--noenable_runfiles", "A"),
        ("--strict_proto_deps=warn", "A"),
        ("--host_force_python=PY3", "A"),
    ],
)
def test_options_that_newer_bazels_read_as_strings(tmp_path: Path, words: str, chosen: str) -> None:
    """As Bazel 7.7.1 prints them; in 4.2.3 none of them can be used."""
    files = {"rules.bzl": TEXTS, "BUILD": BUILD}
    found = ask(view(tmp_path, files, *words.split(), version="7.7.1"), "deps(//:top)")
    assert (labels(found)[0], found.problems) == (chosen, ())
    refused = ask(view(tmp_path, files), "deps(//:top)").problems
    assert "the value of --enable_runfiles cannot be read by a transition" in str(refused)
