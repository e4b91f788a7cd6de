"""What a hub holds, as BUILD files: a target for each package that a lock file pins.

Each target stands on the line on which the lock file has the package, and the BUILD file goes by the lock file's name:
so a target's place is where it is pinned. What is behind the targets is an Unknown value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bzlgraph.base.words import utf8
from bzlgraph.bazel.repository.placeholder import placeholder
from bzlgraph.workspace.repositories.hubs.lock_files import Pinned
from bzlgraph.workspace.tree import Overlay

MAX_LINE = 200_000
"""What a lock file has further down is told to be there: no file that people have is as long."""
_PUBLIC = 'visibility = ["//visibility:public"]'


class Held(NamedTuple):
    """A package that a hub holds, and the file that pins it."""

    pinned: Pinned
    path: str


class HubFiles(NamedTuple):
    """The BUILD files of a hub by package, and its other files. ``rules``: names of rules in them of which no more is
    known."""

    build_files: Mapping[str, Overlay]
    others: Mapping[str, bytes]
    rules: tuple[str, ...] = ()


_PIP_TARGETS = ("pkg", "whl", "data", "dist_info", "extracted_whl_files")
_PIP_FUNCTIONS = {"requirement": "pkg", "whl_requirement": "whl", "data_requirement": "data",
                  "dist_info_requirement": "dist_info"}  # fmt: skip


def pip_hub(hub: str, held: Sequence[Held]) -> HubFiles:
    """``@pip//numpy``, ``@pip//numpy:whl``..., and ``@pip//:requirements.bzl``."""
    by_name: dict[str, Held] = {}
    for each in held:
        by_name.setdefault(pip_name(each.pinned.name), each)
    return HubFiles(_PipPackages(hub, by_name), {"requirements.bzl": _requirements_bzl(hub, list(by_name))})


@dataclass(frozen=True, slots=True)
class _PipPackages(Mapping[str, Overlay]):
    """The BUILD file of each package's folder, written when somebody asks for it."""

    hub: str
    held: Mapping[str, Held]

    def __getitem__(self, name: str) -> Overlay:
        pinned, path = self.held[name]
        tags = [f"pypi_name={pinned.name}", *([f"pypi_version={pinned.version}"] if pinned.version else [])]
        calls = [_call("alias", name=name, actual=":pkg", tags=tags)]
        calls += [_alias(target, _shown(pinned, target), self.hub) for target in _PIP_TARGETS]
        return Overlay(_on_lines([(pinned.line, call) for call in calls]), path)

    def __contains__(self, name: object) -> bool:
        return name in self.held

    def __iter__(self) -> Iterator[str]:
        return iter(self.held)

    def __len__(self) -> int:
        return len(self.held)


def pip_name(name: str) -> str:
    """The name of a package's folder in a hub.

    >>> pip_name("Absl-Py"), pip_name("ruamel.yaml")
    ('absl_py', 'ruamel_yaml')
    """
    return re.sub(r"[-_.]+", "_", name).lower()


_FOLDER = """def _folder(name):
    return name.replace("-", "_").replace(".", "_").lower()
"""


def _requirements_bzl(hub: str, names: Sequence[str]) -> bytes:
    """The functions of rules_python's requirements.bzl that give labels."""
    of_module = re.search("[~+]", hub) is not None
    marked = f"@@{hub}" if of_module else f"@{hub}"  # names of WORKSPACE files, before Bazel 6 without @@
    lines = [f'def _label(name, target):\n    return "{marked}//%s:%s" % (_folder(name), target)\n', _FOLDER]
    for function, target in _PIP_FUNCTIONS.items():
        lines.append(f'def {function}(name):\n    return _label(name, "{target}")\n')
    for variable, target in (
        ("all_requirements", "pkg"),
        ("all_whl_requirements", "whl"),
        ("all_data_requirements", "data"),
    ):
        lines.append(f'{variable} = [_label(name, "{target}") for name in {json.dumps(names)}]\n')
    lines.append(
        'all_whl_requirements_by_package = {name: _label(name, "whl") for name in ' + json.dumps(names) + "}\n"
    )
    if not of_module:  # those of modules refuse it
        place = f'"{marked}_%s//:rules_python_wheel_entry_point_%s" % (_folder(pkg), script or pkg)'
        lines.append(f"def entry_point(pkg, script = None):\n    return {place}\n")
    lines.append("def install_deps(**kwargs):\n    pass\n")
    return utf8("".join(lines))


def maven_hub(_hub: str, held: Sequence[Held]) -> HubFiles:
    """``@maven//:com_google_guava_guava``, with the dependencies that the lock file knows."""
    names = {pinned.name for pinned, _ in held}
    calls: dict[str, tuple[int, str]] = {}
    for pinned, _ in _in_one_file(held):
        deps = [f":{_maven_name(each)}" for each in pinned.needs if each in names]
        coordinates = [f"maven_coordinates={pinned.name}:{pinned.version}"]
        name = _maven_name(pinned.name)
        calls.setdefault(name, (pinned.line, _call("jvm_import", name=name, deps=deps, tags=coordinates)))
    path = held[0].path if held else ""
    return HubFiles({"": Overlay(_on_lines(list(calls.values())), path)}, {}, ("jvm_import",))


def _maven_name(name: str) -> str:
    return re.sub(r"[-.:]", "_", name)


def crates_hub(hub: str, held: Sequence[Held]) -> HubFiles:
    """``@crates//:serde`` and ``@crates//:serde-1.0.2``."""
    calls: dict[str, tuple[int, str]] = {}
    for pinned, _ in _in_one_file(held):
        for name in (pinned.name, *([f"{pinned.name}-{pinned.version}"] if pinned.version else [])):
            calls.setdefault(name, (pinned.line, _alias(name, _shown(pinned), hub)))
    return HubFiles({"": Overlay(_on_lines(list(calls.values())), held[0].path if held else "")}, {})


def go_repository(_hub: str, _held: Sequence[Held]) -> HubFiles:
    """Nothing: which packages a Go module has no go.mod tells."""
    return HubFiles({}, {})


def go_repository_name(path: str) -> str:
    """The name of a Go module's repository.

    >>> go_repository_name("github.com/bazelbuild/rules_go"), go_repository_name("gopkg.in/yaml.v3")
    ('com_github_bazelbuild_rules_go', 'in_gopkg_yaml_v3')
    """
    host, *rest = path.lower().split("/")
    return re.sub(r"[-.~]", "_", "_".join([*reversed(host.split(".")), *rest]))


def _in_one_file(held: Sequence[Held]) -> Iterator[Held]:
    """The packages as one BUILD file tells their places: by their lines in the first file, others in its first line."""
    for each in held:
        yield each if each.path == held[0].path else each._replace(pinned=each.pinned._replace(line=1))


def _shown(pinned: Pinned, part: str = "") -> str:
    return " ".join(filter(None, (pinned.name, pinned.version, part)))


def _alias(name: str, shown: str, hub: str) -> str:
    """An alias of something unknown."""
    return f"alias(name = {json.dumps(name)}, actual = {placeholder(shown, f'@{hub}')}, {_PUBLIC})"


def _call(rule: str, **attributes: object) -> str:
    written = ", ".join(f"{name} = {json.dumps(value)}" for name, value in attributes.items())
    return f"{rule}({written}, {_PUBLIC})"


def _on_lines(calls: Sequence[tuple[int, str]]) -> bytes:
    """Statements, each on its line; those of one line are one statement after another on it."""
    lines: list[str] = []
    for far, call in sorted(calls, key=lambda pair: pair[0]):
        line = min(far, MAX_LINE)
        lines += [""] * (line - len(lines))
        lines[line - 1] = f"{lines[line - 1]}; {call}" if lines[line - 1] else call
    return utf8("\n".join(lines)) + b"\n"
