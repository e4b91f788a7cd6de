"""Files of Starlark: constants, rules with attributes of every type, with aspects and computed defaults."""

from __future__ import annotations

from tests.generate.draw import Draw
from tests.generate.macros import macro
from tests.generate.native import COMMON
from tests.generate.scope import Callee, Package, Scope
from tests.generate.text import call, dictionary, indented, listed, string
from tests.generate.values import value

_ATTRIBUTES: dict[str, tuple[str, dict[str, tuple[str, ...]]]] = {
    "string": ("?string", {"default": ('"x"', '""'), "doc": ('"A text."',)}),
    "int": ("?number", {"default": ("3", "-1", "0")}),
    "bool": ("?flag", {"default": ("True", "False")}),
    "label": ("?label:files", {"allow_files": ("True", '[".txt"]'), "cfg": ('"host"', '"target"')}),
    "label_list": ("?labels:files,cc,py", {"allow_files": ("True",), "allow_empty": ("True",), "cfg": ('"host"',)}),
    "string_list": ("?strings", {"default": ('["p", "q"]',), "allow_empty": ("True",)}),
    "int_list": ("?numbers", {"default": ("[1, 2]",)}),
    "string_dict": ("?dictionary", {"default": ('{"k": "v"}', "{}")}),
    "string_list_dict": ("?lists", {"default": ('{"k": ["v", "w"]}',)}),
    "output_list": ("exactly:", {}),
    "label_keyed_string_dict": ("labelled:files,cc", {"allow_files": ("True",)}),
}
"""Type -> (the kind of its values, arguments that it may have with their values)."""


def file(scope: Scope, name: str) -> str:
    """Writes a .bzl file of the package; its path."""
    scope.package.loads.clear()
    scope.bzl = f"//{scope.path(scope.package.path)}:{name}"
    number = scope.number()
    paragraphs = [constant(scope, f"WORDS_{number}")]
    if scope.draw.chance(60):
        paragraphs.append(own_rule(scope, f"thing_{number}"))
    paragraphs += [macro(scope, f"make_{number}_{each}") for each in range(scope.draw.number(1, 3))]
    loads = load_statements(scope, scope.package)
    path = scope.path(scope.package.path, name)
    scope.files[path] = (*loads, *(each for each in paragraphs if each))
    scope.package.loads.clear()
    scope.bzl = ""
    return path


def load_statements(scope: Scope, package: Package) -> list[str]:
    """The load() statements for the names that were used."""
    loads = [call("load", string(each), *map(string, sorted(names))) for each, names in sorted(package.loads.items())]
    return loads + [call("load", string(path), **{here: string(there)}) for path, here, there in package.renamed]


def constant(scope: Scope, name: str) -> str:
    """A list or a select() that BUILD files use."""
    scope.constants.append(Callee(scope.bzl, name, "strings", ()))
    return f"{name} = {value(scope, 'strings')}"


# --------------------------------------------------------------------------------------------------------- rules
_WRITES = (
    "for key in dir(ctx.outputs):",
    "    made = getattr(ctx.outputs, key)",
    '    for each in made if type(made) == "list" else [made]:',
    '        if type(each) == "File":',
    '            ctx.actions.write(each, "")',
    "return []",
)
"""An implementation that makes all outputs there are."""


def own_rule(scope: Scope, name: str) -> str:
    """A rule of one's own."""
    draw = scope.draw
    chosen = draw.some(tuple(_ATTRIBUTES), 5)
    attributes = {f"{kind}_value": _attribute(draw, kind) for kind in chosen}
    parameters = [(f"{kind}_value", _ATTRIBUTES[kind][0]) for kind in chosen]
    before = [f"def _{name}(ctx):\n{indented(_WRITES)}"]
    if draw.chance(30):
        attributes["result"] = "attr.output()"
    if draw.chance(30):
        attributes["_tool"] = call("attr.label", default=draw.one((_hidden(scope), f"Label({_hidden(scope)})")))
    if draw.chance(25) and "string" in chosen:
        before.append(f"def _{name}_default(string_value):\n{indented([f'return {_computed(scope)}'])}")
        attributes["_computed"] = call("attr.label", default=f"_{name}_default")
    if draw.chance(30):
        before.append(_aspect(scope, name))
        attributes["deps"] = call("attr.label_list", aspects=listed([f"_{name}_aspect"]), allow_files="True")
        parameters.append(("deps", "?labels:files,cc,py"))
    scope.callees.append(Callee(scope.bzl, name, "files", tuple(parameters)))
    made = call("rule", implementation=f"_{name}", attrs=dictionary(attributes), **_kind(scope, name, before))
    return "\n\n".join([*before, f"{name} = {made}"])


def _kind(scope: Scope, name: str, before: list[str]) -> dict[str, str]:
    """The other arguments of a rule."""
    draw, arguments = scope.draw, {}
    if draw.chance(20):
        template = draw.one(("%{name}.made", "lib%{name}.x", "%{name}/made.txt"))
        arguments["outputs"] = dictionary({"made": string(template)})
    elif draw.chance(15):
        before.append(f"def _{name}_outputs(name):\n{indented([_OUTPUTS])}")
        arguments["outputs"] = f"_{name}_outputs"
    if draw.chance(15):
        arguments["executable"] = "True"
    types = scope.known(("toolchain_type",))
    if types and draw.chance(30):
        arguments["toolchains"] = listed([string(scope.absolute(draw.one(types)))])
    if draw.chance(15):
        arguments["output_to_genfiles"] = "True"
    if scope.since(1) and draw.chance(10):
        arguments["doc"] = string("A rule.")
    return arguments


_OUTPUTS = 'return {"one": "%{name}.one", "two": name + ".two"}'


def _computed(scope: Scope) -> str:
    label = f"Label({_hidden(scope)})"
    return scope.draw.one((f"{label} if string_value else None", label, f'None if string_value == "fast" else {label}'))


def _aspect(scope: Scope, name: str) -> str:
    attributes = {"_helper": call("attr.label", default=f"Label({_hidden(scope)})")} if scope.draw.chance(70) else {}
    made = call(
        "aspect",
        implementation=f"_{name}_aspect_impl",
        attr_aspects=scope.draw.one(('["deps"]', '["*"]', '["srcs", "deps"]', "[]")),
        attrs=dictionary(attributes),
    )
    return f"def _{name}_aspect_impl(target, ctx):\n{indented(['return []'])}\n\n_{name}_aspect = {made}"


def _hidden(scope: Scope) -> str:
    known = scope.known(("files", "tool"))
    if not known:
        return string(f"//{scope.path(scope.package.path)}:BUILD")
    return string(scope.absolute(scope.draw.one(known)))


def _attribute(draw: Draw, kind: str) -> str:
    chosen = {name: draw.one(values) for name, values in _ATTRIBUTES[kind][1].items() if draw.chance(40)}
    return call(f"attr.{kind}", **chosen)


def build_setting(scope: Scope) -> str:
    """A build setting, of a rule that is written for it."""
    kind = scope.draw.one(("string", "bool", "int"))
    name, default = scope.name(), {"string": '"on"', "bool": "False", "int": "3"}[kind]
    path = f"{kind}_flag_{scope.number()}.bzl"
    made = call("rule", implementation="_flag", build_setting=f"config.{kind}(flag = True)")
    file = (f"def _flag(ctx):\n{indented(['return []'])}", f"flag = {made}")
    scope.files[scope.path(scope.package.path, path)] = file
    scope.package.renamed.append((f"//{scope.path(scope.package.path)}:{path}", f"flag_{scope.count}", "flag"))
    scope.add(name, f"{kind}_flag")
    return call(f"flag_{scope.count}", name=string(name), build_setting_default=default)


def called(scope: Scope) -> str:
    """A call of a macro or of a rule of one's own."""
    if not scope.callees:
        return ""
    draw, callee, name = scope.draw, scope.draw.one(scope.callees), scope.name()
    if any(name + suffix in scope.package.used for suffix, _ in callee.suffixes):
        return ""
    function = scope.use(callee)
    arguments = {each: value(scope, kind) for each, kind in callee.parameters if draw.chance(60)}
    if not callee.name.startswith("make") and draw.chance(40):
        arguments |= {each: value(scope, kind) for each, kind in COMMON.items() if each in ("tags", "visibility")}
    text = call(function, name=string(name), **{each: text for each, text in arguments.items() if text != "None"})
    for suffix, family in (("", callee.family), *callee.suffixes):
        scope.add(name + suffix, family)
    return text


def with_constant(scope: Scope) -> str:
    """A target whose tags come from a .bzl file."""
    if not scope.constants:
        return ""
    constant_, name = scope.use(scope.draw.one(scope.constants)), scope.name()
    scope.add(name, "files")
    return call("filegroup", name=string(name), tags=f"{constant_} + {listed([string('own')])}")
