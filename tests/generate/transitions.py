"""Configurations: a package with build settings and conditions, rules with transitions of every form, command lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tests.generate.scope import Callee, Package, Scope
from tests.generate.text import call, dictionary, indented, string, strings
from tests.generate.toolchains import SHARED

LINES = 4
"""The configurations that a workspace is asked in."""
_NATIVE = (
    ("", "-c opt --define=mode=x", "-c dbg --define=a=1 --cpu=armeabi-v7a", "--platforms=//shared:target_windows"),
    ("-c opt", "--define=a=1 --define=b=1 --stamp", "--cpu=k8 -c dbg", "--platforms=//shared:target_linux -c opt"),
    ("-c dbg --define=mode=x", "--cpu=armeabi-v7a", "--define=c=1 -c fastbuild", "--host_compilation_mode=dbg --stamp"),
    ("--define=mode=y", "-c opt --cpu=k8 --define=b=1", "--platforms=//shared:slow_machine", "-c dbg --define=a=2"),
)
"""Bazel's own options of the command lines: one row for a tree."""
_OPTION = "//command_line_option:"
_ALLOWED = "_allowlist_function_transition"
_ALLOWLIST = "@bazel_tools//tools/allowlists/function_transition_allowlist"
_VALUES = {"string": ("red", "blue", "none"), "bool": ("True", "False"), "int": ("1", "2", "0")}
_WRITTEN = {"string": '"none"', "bool": "False", "int": "0"}
_FILES = "attr.label_list(allow_files = True)"


def command_lines(own: Iterable[Iterable[str]], row: int) -> list[str]:
    """The command lines of a tree; `own` are the options of its workspaces for each of them."""
    native = _NATIVE[row % len(_NATIVE)]
    return [" ".join([native[place], *options]).strip() for place, options in enumerate(own)]


@dataclass(frozen=True, slots=True)
class _Change:
    """What a transition does: the body of its function, the settings it reads and writes."""

    body: tuple[str, ...]
    reads: tuple[str, ...]
    writes: tuple[str, ...]


def configurations(scope: Scope) -> None:
    """Writes the package ``conf``."""
    draw = scope.draw
    scope.package = Package("conf")
    scope.packages.append(scope.package)
    here = f"//{scope.path('conf')}"
    flags = {f"{kind}_{place}": kind for place, kind in enumerate(draw.some(tuple(_VALUES), 3))}
    flags = flags if scope.since(2) else {}
    loads = call("load", string(f"{here}:flags.bzl"), *(string(f"{kind}_flag") for kind in sorted(flags.values())))
    paragraphs = [loads] if flags else []
    paragraphs.append('package(default_visibility = ["//visibility:public"])')
    for name, kind in flags.items():
        paragraphs.append(call(f"{kind}_flag", name=string(name), build_setting_default=_WRITTEN[kind]))
        scope.add(name, f"{kind}_flag")
        for line in range(1, LINES):
            if draw.chance(50):
                scope.options[line].append(f"--{here}:{name}={draw.one(_VALUES[kind])}")
    paragraphs += [_condition(scope, f"if_{place}", flags) for place in range(draw.number(2, 5))]
    scope.files[scope.path("conf", "BUILD")] = tuple(paragraphs)
    scope.files[scope.path("conf", "flags.bzl")] = (
        f"def _flag(ctx):\n{indented(['return []'])}",
        *(f"{kind}_flag = {_flag(kind)}" for kind in sorted(set(flags.values()))),
    )
    if scope.since(4):
        _rules(scope, {f"{here}:{name}": kind for name, kind in flags.items()})


def _flag(kind: str) -> str:
    return call("rule", implementation="_flag", build_setting=f"config.{kind}(flag = True)")


def _condition(scope: Scope, name: str, flags: dict[str, str]) -> str:
    draw, arguments = scope.draw, {}
    if flags and draw.chance(60):
        chosen = draw.some(tuple(flags), 2) or [draw.one(tuple(flags))]
        values = {f":{each}": string(draw.one(_VALUES[flags[each]])) for each in chosen}
        arguments["flag_values"] = dictionary(values)
    if draw.chance(30):
        arguments["constraint_values"] = strings([f"//{SHARED}:{draw.one(('linux', 'windows', 'slow'))}"])
    if not arguments or draw.chance(25):
        arguments["values"] = dictionary({"compilation_mode": string(draw.one(("opt", "dbg", "fastbuild")))})
    if draw.chance(20):
        arguments["define_values"] = dictionary({draw.one(("mode", "a", "b")): string(draw.one(("x", "1")))})
    scope.add(name, "condition")
    return call("config_setting", name=string(name), **arguments)


def _rules(scope: Scope, flags: dict[str, str]) -> None:
    """Rules with transitions of their own, and rules whose attributes have some."""
    draw, number, path = scope.draw, scope.number(), scope.path("conf", "rules.bzl")
    allowed = {_ALLOWED: call("attr.label", default=string(_ALLOWLIST))}
    paragraphs = [f"def _nothing(ctx):\n{indented(['return []'])}"]
    for place in range(draw.number(1, 4)):
        name, splits = f"moved_{number}_{place}", draw.chance(60)
        change = _change(scope, flags, splits=splits)
        paragraphs.append(f"def _to_{name}(settings, attr):\n{indented(change.body)}")
        made = call(
            "transition",
            implementation=f"_to_{name}",
            inputs=strings(change.reads),
            outputs=strings(change.writes),
        )
        paragraphs.append(f"_cfg_{name} = {made}")
        attributes = {"deps": _FILES, "word": 'attr.string(default = "opt")'}
        parameters = [("deps", "?labels:files,cc,py"), ("word", f"{'?' * draw.chance(30)}one:opt,dbg,fastbuild")]
        if splits:
            attributes["parts"] = f"attr.label_list(allow_files = True, cfg = _cfg_{name})"
            attributes["part"] = f"attr.label(cfg = _cfg_{name}, allow_files = True)"
            parameters += [("parts", "?labels:files,cc,py"), ("part", "?label:files,py")]
        written = {} if scope.since(7) and draw.chance(50) else allowed
        arguments = {"attrs": dictionary(attributes | written), "cfg": "" if splits else f"_cfg_{name}"}
        paragraphs.append(f"{name} = {call('rule', implementation='_nothing', **arguments)}")
        scope.callees += [Callee(f"//{scope.path('conf')}:rules.bzl", name, "files", tuple(parameters))] * 2
    scope.files[path] = tuple(paragraphs)


def _change(scope: Scope, flags: dict[str, str], *, splits: bool) -> _Change:
    """One of the things that a transition may do; several configurations only where ``splits``."""
    draw = scope.draw
    known = {f"{_OPTION}compilation_mode": ("opt", "dbg"), f"{_OPTION}cpu": ("armeabi-v7a", "k8")}
    settings = [f"{_OPTION}compilation_mode", f"{_OPTION}cpu", *flags, *flags]
    target = draw.one(settings)
    values = known.get(target) or _VALUES[flags[target]]
    written = [_literal(each, flags.get(target, "string")) for each in values]
    key, first, second = string(target), written[0], written[1]
    kinds = ["fixed", "fixed", "turned", "attribute", "platform", "same", "two"]
    kind = draw.one([*kinds, "split", "split", "list"] if splits else kinds)
    if kind == "turned":
        # A mode equals no text.
        body = f"return {{{key}: {first} if str(settings[{key}]) != str({first}) else {second}}}"
        return _Change((body,), (target,), (target,))
    if kind == "attribute":
        mode = f"{_OPTION}compilation_mode"
        return _Change((f"return {{{string(mode)}: attr.word}}",), (), (mode,))
    if kind == "platform":
        name = f"{_OPTION}platforms"
        platform = draw.one(("target_linux", "target_windows", "slow_machine"))
        return _Change((f'return {{{string(name)}: ["//{SHARED}:{platform}"]}}',), (), (name,))
    if kind == "same":
        return _Change((f"return {{{key}: settings[{key}]}}",), (target,), (target,))
    if kind == "two":
        other = next((each for each in settings if each != target), target)
        value = _literal((known.get(other) or _VALUES[flags[other]])[0], flags.get(other, "string"))
        return _Change((f"return {{{key}: {second}, {string(other)}: {value}}}",), (), (target, other))
    if kind == "split":
        return _Change((f'return {{"one": {{{key}: {first}}}, "two": {{{key}: {second}}}}}',), (), (target,))
    if kind == "list":
        return _Change((f"return [{{{key}: {first}}}, {{{key}: {second}}}]",), (), (target,))
    return _Change((f"return {{{key}: {draw.one(written)}}}",), (), (target,))


def _literal(value: str, kind: str) -> str:
    return string(value) if kind == "string" else value
