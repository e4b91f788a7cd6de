"""Other repositories: folders that WORKSPACE or MODULE.bazel names, some of whose packages are missing."""

from __future__ import annotations

from tests.generate.scope import Callee, Scope, Target
from tests.generate.text import call, string, strings

_PACKAGES = ("", "sub", "deep/er")


def repositories(scope: Scope) -> None:
    """Writes up to two repositories; what they have, and a little more, is known from now on."""
    for number in range(scope.draw.number(0, 2)):
        name = f"{scope.root or 'own'}_other{number}"
        path = f"repos/{name}"
        if scope.modules:
            scope.declare(call("bazel_dep", name=string(name)))
            scope.declare(call("local_path_override", module_name=string(name), path=string(path)))
            scope.files[f"{path}/MODULE.bazel"] = (call("module", name=string(name)),)
        else:
            scope.declare(call("local_repository", name=string(name), path=string(path)))
            scope.files[f"{path}/WORKSPACE"] = (call("workspace", name=string(name)),) if scope.draw.chance(70) else ()
        for package in _PACKAGES:
            _package(scope, name, path, package)


def _package(scope: Scope, repository: str, path: str, package: str) -> None:
    draw, number = scope.draw, scope.number()
    here = "/".join(part for part in (path, package) if part)
    missing = draw.chance(25)
    known = [
        Target(package, "group", "files", f"@{repository}"),
        Target(package, "file.txt", "files", f"@{repository}"),
    ]
    scope.targets += draw.some(known, 2)
    scope.files[f"{here}/file.txt"] = ()
    if missing:
        return
    inside = draw.one((":file.txt", "file.txt", f"//{package}:file.txt", f"@{repository}//{package}:file.txt"))
    outside = [string(f"@//{scope.path('')}:group")] if draw.chance(10) and scope.root else []
    seen = strings(["//visibility:public"]) if draw.chance(80) else ""
    group = call("filegroup", name=string("group"), srcs=f"[{', '.join([string(inside), *outside])}]", visibility=seen)
    condition = call("config_setting", name=string("dbg"), values='{"compilation_mode": "dbg"}')
    scope.targets.append(Target(package, "dbg", "condition", f"@{repository}"))
    exported = [call("exports_files", strings(["file.txt"]))] if draw.chance(50) else []
    scope.files[f"{here}/BUILD"] = (*exported, group, condition)
    if draw.chance(40):
        label = draw.one(('Label("//:group")', 'str(Label("//:group"))', '"//:group"'))
        body = f"native.filegroup(name = name, srcs = [{label}], **kwargs)"
        scope.files[f"{here}/other.bzl"] = (f"def from_{number}(name, **kwargs):\n    {body}",)
        file = f"@{repository}//{package}:other.bzl"
        scope.callees.append(Callee(file, f"from_{number}", "files", (("tags", "strings"),)))
