"""Targets of Bazel's own rules: a table of attributes, and the few rules whose values depend on one another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.generate.scope import Scope
from tests.generate.text import call, dictionary, listed, string, strings
from tests.generate.values import configurable, value

COMMON = {
    "tags": "strings",
    "visibility": "visibility",
    "deprecation": "string",
    "features": "?strings",
    "testonly": "flag",
    "licenses": "exactly:notice",
    "data": "?labels:any",
}
"""What any rule may have, with a small chance each; ``data`` only where the rule's own table does not say no."""
TEST = {
    "size": "one:small,medium,large,enormous",
    "timeout": "one:short,moderate,long,eternal",
    "flaky": "flag",
    "local": "flag",
    "args": "?strings",
    "shard_count": "shards",
}
_CPP = {
    "deps": "?labels:cc",
    "copts": "?strings",
    "defines": "?strings",
    "linkopts": "?strings",
    "includes": "exactly:.",
    "linkstatic": "?flag",
}
_LIBRARY = {
    "hdrs": "?files:.h",
    "textual_hdrs": "files:.inc,.h",
    "alwayslink": "?flag",
    "strip_include_prefix": "string",
}
_PYTHON = {"deps": "?labels:py", "imports": "?strings", "srcs_version": "one:PY2,PY3,PY2AND3", "data": "?files"}


@dataclass(frozen=True, slots=True)
class Shape:
    """A rule: the family of its targets, the attributes it always has, those it may have."""

    family: str
    always: dict[str, str]
    optional: dict[str, str]


RULES: dict[str, Shape] = {
    "filegroup": Shape(
        "files", {}, {"srcs": "?labels:any", "data": "?files", "output_group": "string", "path": "string"}
    ),
    "cc_library": Shape("cc", {"srcs": "?files:.cc,.h"}, _CPP | _LIBRARY),
    "cc_binary": Shape("tool", {"srcs": "?files:.cc"}, _CPP | {"linkshared": "flag", "malloc": "label:cc"}),
    "cc_test": Shape("test", {"srcs": "?files:.cc"}, _CPP | TEST),
    "py_library": Shape("py", {"srcs": "files:.py"}, _PYTHON),
    "py_binary": Shape("tool", {"srcs": "exactly:main.py", "main": "one:main.py"}, _PYTHON),
    "py_test": Shape("test", {"srcs": "exactly:main.py", "main": "one:main.py"}, _PYTHON | TEST),
    "sh_library": Shape("sh", {"srcs": "files:.sh"}, {"deps": "?labels:sh"}),
    "sh_binary": Shape("tool", {"srcs": "exactly:run.sh"}, {"deps": "?labels:sh"}),
    "sh_test": Shape("test", {"srcs": "exactly:run.sh"}, {"deps": "?labels:sh"} | TEST),
    "java_library": Shape("java", {"srcs": "files:.java"}, {"deps": "?labels:java", "javacopts": "?strings"}),
    "proto_library": Shape("proto", {"srcs": "files:.proto"}, {"deps": "?labels:proto"}),
    "test_suite": Shape("suite", {}, {"tests": "labels:test,suite"}),
    "package_group": Shape("group", {}, {}),
}
"""Rules whose attributes do not depend on one another."""


def rule(scope: Scope) -> str:
    """A target of a rule of the table."""
    kind = scope.draw.one([each for each in RULES if each != "package_group"])
    shape, name = RULES[kind], scope.name()
    attributes = {each: value(scope, how) for each, how in shape.always.items()}
    attributes |= optional(scope, shape.optional, 35)
    attributes |= optional(scope, {each: how for each, how in COMMON.items() if _fits(kind, each)}, 8)
    scope.add(name, shape.family if "testonly" not in attributes else "testonly")
    return call(kind, name=string(name), **{each: text for each, text in attributes.items() if text != "None"})


def _fits(kind: str, attribute: str) -> bool:
    if kind == "test_suite":
        return attribute in ("tags", "visibility", "testonly", "deprecation")
    return attribute != "data" or kind not in ("filegroup",)


def optional(scope: Scope, attributes: dict[str, str], percent: int) -> dict[str, str]:
    """Some attributes of a table."""
    return {name: value(scope, how) for name, how in attributes.items() if scope.draw.chance(percent)}


def genrule(scope: Scope) -> str:
    """A genrule, its outputs known as files."""
    name, draw = scope.name(), scope.draw
    outputs = [f"{name}.{ending}" for ending in draw.some(("txt", "h", "cc", "d/out"), 3)] or [f"{name}.gen"]
    arguments = {
        "srcs": value(scope, "?labels:any") if draw.chance(70) else "",
        "cmd": configurable(scope, "command"),
        **optional(scope, {"tools": "?labels:tool", "executable": "flag", "output_to_bindir": "flag"}, 20),
        **optional(scope, {"message": "?string", "local": "?flag", "heuristic_label_expansion": "flag"}, 15),
        **optional(scope, {each: how for each, how in COMMON.items() if each != "data"}, 8),
    }
    text = call("genrule", name=string(name), outs=strings(outputs), **arguments)
    scope.add(name, "testonly" if "testonly" in arguments else "files")
    for each in outputs:
        scope.add(each, "testonly" if "testonly" in arguments else "files")
    return text


def alias(scope: Scope) -> str:
    """An alias, of one target or of one in each case."""
    families = ("files", "cc", "py", "tool", "sh")
    name, family = scope.name(), scope.draw.one(families)
    if not scope.known((family,)):
        return ""
    text = call("alias", name=string(name), actual=configurable(scope, f"label:{family}"), **optional(scope, _SOME, 15))
    scope.add(name, family)
    return text


_SOME = {"visibility": "visibility", "tags": "strings", "deprecation": "string"}
_SETTINGS = (
    ("compilation_mode", "opt"),
    ("compilation_mode", "dbg"),
    ("cpu", "k8"),
    ("define", "mode=x"),
    ("stamp", "1"),
)


def config_setting(scope: Scope) -> str:
    """A condition, or an alias of some."""
    draw, name = scope.draw, scope.name()
    known = scope.known(("condition",))
    if known and draw.chance(20):
        text = call("alias", name=string(name), actual=configurable(scope, "label:condition"))
    else:
        text = call("config_setting", name=string(name), **_asked_for(scope), **optional(scope, _SOME, 15))
    scope.add(name, "condition")
    return text


def _asked_for(scope: Scope) -> dict[str, str]:
    draw, flags, constraints = scope.draw, scope.known(tuple(_FLAG_VALUES)), scope.known(("constraint",))
    if flags and draw.chance(50):
        flag = draw.one(flags)
        return {"flag_values": dictionary({scope.label(flag)[1:-1]: string(draw.one(_FLAG_VALUES[flag.family]))})}
    if constraints and draw.chance(50):
        return {"constraint_values": listed([scope.label(draw.one(constraints))])}
    if draw.chance(30):
        return {"define_values": dictionary({draw.one("abc"): string("1")})}
    return {"values": dictionary({key: string(text) for key, text in draw.some(_SETTINGS, 2)} or {"cpu": '"k8"'})}


_FLAG_VALUES = {"string_flag": ("on", "off"), "bool_flag": ("True", "false"), "int_flag": ("3", "4")}


def constraint(scope: Scope) -> str:
    """A constraint, a value of one, a platform of some, a toolchain or its type."""
    draw, name = scope.draw, scope.name()
    settings, values = scope.known(("constraint_setting",)), scope.known(("constraint",))
    types, tools = scope.known(("toolchain_type",)), scope.known(("files",))
    kinds = ["constraint_setting", "toolchain_type"]
    kinds += ["constraint_value"] * 2 if settings else []
    kinds += ["platform"] if values else []
    kinds += ["toolchain"] if types and tools else []
    kind, arguments = draw.one(kinds), {}
    if kind == "constraint_value":
        arguments["constraint_setting"] = scope.label(draw.one(settings))
    elif kind == "platform":
        arguments["constraint_values"] = value(scope, "labels:constraint")
    elif kind == "toolchain":
        arguments = {"toolchain_type": scope.label(draw.one(types)), "toolchain": scope.label(draw.one(tools))}
        arguments["target_compatible_with"] = value(scope, "labels:constraint")
    scope.add(name, {"constraint_value": "constraint"}.get(kind, kind))
    return call(kind, name=string(name), **arguments)


def comprehension(scope: Scope) -> str:
    """Targets made by a list comprehension."""
    name, draw = scope.name(), scope.draw
    for number in range(2):
        scope.add(f"{name}{number}", "files")
    what = draw.one((f'"{name}%d" % i', f'"{name}" + str(i)', f'"{name}{{}}".format(i)'))
    inner = call("filegroup", name=what, srcs=value(scope, "labels:files"), tags='["n"] * i')
    return f"[{inner} for i in range(2)]"


def variable(scope: Scope) -> str:
    """A value that two targets share."""
    first, second = scope.name(), scope.name()
    shared = f"SHARED_{scope.number()}"
    lines = [f"{shared} = {configurable(scope, 'labels:files')}", call("filegroup", name=string(first), srcs=shared)]
    lines.append(call("filegroup", name=string(second), srcs=f"{shared} + []", data=shared))
    scope.add(first, "files")
    scope.add(second, "files")
    return "\n\n".join(lines)


def package_group(scope: Scope) -> str:
    """A package group, which may include others."""
    draw, name = scope.draw, scope.name()
    specifications = [f"//{scope.path(each.path)}{draw.one(('', '/...'))}" for each in draw.some(scope.packages, 3)]
    packages = [f"-{each}" if scope.since(1) and draw.chance(15) else each for each in specifications]
    includes = value(scope, "labels:group") if scope.known(("group",)) and draw.chance(40) else ""
    scope.add(name, "group")
    text = strings([each for each in packages if each not in ("//", "-//")])
    return call("package_group", name=string(name), packages=text, includes=includes)


def genquery(scope: Scope) -> str:
    """A genquery over targets that are there."""
    known, name = scope.known(("files", "cc", "py")), scope.name()
    if not known:
        return ""
    target = scope.draw.one(known)
    label = scope.absolute(target)
    text = call(
        "genquery",
        name=string(name),
        expression=string(f'deps("{label}")'),
        scope=listed([string(label)]),
        opts=strings(scope.draw.some(("--noimplicit_deps", "--output=label_kind"), 2)),
        **optional(scope, {"strict": "flag"}, 30),
    )
    scope.add(name, "files")
    return text


def exports(scope: Scope) -> str:
    """exports_files() of files that no other call of the package exports."""
    chosen = [each for each in scope.draw.some(scope.package.files, 3) if f"exported {each}" not in scope.package.used]
    scope.package.used |= {f"exported {each}" for each in chosen}
    visibility = value(scope, "visibility") if scope.draw.chance(50) else ""
    for each in chosen:
        scope.add(each, "files")
    return call("exports_files", strings(chosen), visibility=visibility) if chosen else ""


STATEMENTS: tuple[tuple[int, Callable[[Scope], str]], ...] = (
    (45, rule),
    (12, genrule),
    (8, alias),
    (14, config_setting),
    (5, package_group),
    (3, genquery),
    (6, exports),
    (6, constraint),
    (4, comprehension),
    (4, variable),
)
"""Statements of a BUILD file with their weights."""
