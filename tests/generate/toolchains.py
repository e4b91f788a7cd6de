"""Toolchains: a package with types, implementations and toolchains, rules that ask for them, what WORKSPACE registers.

The platforms are those of one folder, which all workspaces of a tree share: which toolchain fits depends on that of the
command line.
"""

from __future__ import annotations

from tests.generate.scope import Callee, Package, Scope
from tests.generate.text import call, dictionary, indented, listed, string, strings

SHARED = "shared"
_CONSTRAINTS = {"os": ("linux", "windows"), "speed": ("fast", "slow")}
_PLATFORMS = {
    "target_linux": ("linux",),
    "target_windows": ("windows", "slow"),
    "fast_machine": ("linux", "fast"),
    "slow_machine": ("linux", "slow"),
}
_PLACES = ("gcc", "headers", "lib.h")
_NOTHING = f"def _nothing(ctx):\n{indented(['return []'])}"
_MADE = f"def _toolchain(ctx):\n{indented(['return [platform_common.ToolchainInfo()]'])}"


def platforms(scope: Scope) -> None:
    """The shared folder, and the machines that actions may run on."""
    paragraphs = ['package(default_visibility = ["//visibility:public"])']
    for setting, values in _CONSTRAINTS.items():
        paragraphs.append(call("constraint_setting", name=string(setting)))
        paragraphs += [
            call("constraint_value", name=string(each), constraint_setting=string(f":{setting}")) for each in values
        ]
    for name, values in _PLATFORMS.items():
        paragraphs.append(call("platform", name=string(name), constraint_values=strings(f":{each}" for each in values)))
    scope.files[f"{SHARED}/BUILD"] = tuple(paragraphs)
    machines = (string(f"//{SHARED}:{each}_machine") for each in ("fast", "slow"))
    scope.declare(call("register_execution_platforms", *machines))


def toolchains(scope: Scope) -> None:
    """Writes the package ``tc``, and what registers its toolchains."""
    draw = scope.draw
    here, number = f"//{scope.path('tc')}", scope.number()
    scope.package = Package("tc")
    scope.packages.append(scope.package)
    types = [f"type_{each}" for each in range(draw.number(1, 3))]
    scope.files[scope.path("tc", "rules.bzl")] = tuple(_rules(scope, [f"{here}:{each}" for each in types], number))
    loads = call("load", string(f"{here}:rules.bzl"), string("implementation"))
    paragraphs = [loads, 'package(default_visibility = ["//visibility:public"])']
    for each in types:
        scope.add(each, "toolchain_type")
        paragraphs.append(call("toolchain_type", name=string(each)))
    paragraphs += [call("filegroup", name=string("gcc")), call("filegroup", name=string("headers"), srcs='["lib.h"]')]
    scope.files[scope.path("tc", "lib.h")] = ()
    registered = [each for place in range(draw.number(1, 5)) for each in _toolchain(scope, place, types, paragraphs)]
    scope.files[scope.path("tc", "BUILD")] = tuple(paragraphs)
    labels = [f"{here}:all"] if draw.chance(30) else [f"{here}:{each}" for each in registered]
    scope.declare(call("register_toolchains", *map(string, labels)))


def _toolchain(scope: Scope, place: int, types: list[str], paragraphs: list[str]) -> list[str]:
    """An implementation, perhaps an alias of it, and the toolchains that lead there; their names."""
    draw, name = scope.draw, f"impl_{place}"
    arguments = {
        "compiler": string(f":{draw.one(('gcc', 'headers'))}") if draw.chance(60) else "",
        "deps": strings(draw.some((":headers", "lib.h"), 2)),
    }
    paragraphs.append(call("implementation", name=string(name), **arguments))
    if draw.chance(25):
        paragraphs.append(call("alias", name=string(f"{name}_alias"), actual=string(f":{name}")))
        name += "_alias"
    chosen = f"{draw.one('abc')}_tc_{place}"
    for what in ("target_compatible_with", "exec_compatible_with"):
        arguments[what] = strings(f"//{SHARED}:{each}" for each in draw.some(("linux", "windows", "fast", "slow"), 1))
    paragraphs.append(
        call(
            "toolchain",
            name=string(chosen),
            toolchain_type=string(f":{draw.one(types)}"),
            toolchain=string(f":{name}"),
            **{key: text for key, text in arguments.items() if key.endswith("_with") and text != "[]"},
        )
    )
    return [chosen]


def _rules(scope: Scope, types: list[str], number: int) -> list[str]:
    """The text of rules.bzl: what implements a toolchain, and rules that ask for some."""
    draw, files = scope.draw, "attr.label_list(allow_files = True)"
    tools = string("exec" if scope.since(2) else "host")
    compiler = call("attr.label", cfg=tools)
    attributes = dictionary({"compiler": compiler, "deps": files})
    paragraphs = [_NOTHING, _MADE, f"implementation = {call('rule', '_toolchain', attrs=attributes)}"]
    for each in range(draw.number(1, 2)):
        name = f"asks_{number}_{each}"
        asked = [string(one) for one in (draw.some(types, 2) or types[:1])]
        if scope.since(7) and draw.chance(40):
            asked[0] = call("config_common.toolchain_type", asked[0], mandatory="False")
        groups = {"link": call("exec_group", toolchains=listed([string(draw.one(types))]))}
        arguments = {
            "attrs": dictionary({"deps": files, "tool": call("attr.label", cfg=tools, allow_files="True")}),
            "toolchains": listed(asked),
            "exec_groups": dictionary(groups) if scope.since(5) and draw.chance(25) else "",
            "exec_compatible_with": strings([f"//{SHARED}:slow"]) if scope.since(1) and draw.chance(15) else "",
        }
        paragraphs.append(f"{name} = {call('rule', '_nothing', **arguments)}")
        parameters = (("deps", "?labels:files,cc,py"), ("tool", "?label:tool,files"))
        scope.callees.append(Callee(f"//{scope.path('tc')}:rules.bzl", name, "files", parameters))
    return paragraphs
