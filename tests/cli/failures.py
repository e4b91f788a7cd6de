"""Every kind of failure that the project knows, each as a small workspace, and what each command must say of it.

``//top:top`` depends on ``//bad:a``, and so does the library of the op ``Blur``; every command is asked about one of
them. The table in docs/exit_codes.md is ``table()``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

FIRST = 'filegroup(name = "a")\n'
NOT_A_LIBRARY = "tensorflow/core/kernels"
GOOD: Mapping[str, str | bytes] = {
    "WORKSPACE": "",
    "top/BUILD": 'filegroup(name = "top", srcs = ["//bad:a", ":end"])\nfilegroup(name = "end")\n',
    "bad/BUILD": FIRST,
    "tensorflow/core/framework/op.h": "",
    "tensorflow/core/ops/blur_ops.cc": 'REGISTER_OP("Blur").Input("x: float").Output("y: float");\n',
    "tensorflow/core/kernels/blur_op.cc": (
        "class BlurOp : public OpKernel {\n  void Compute(OpKernelContext* context) override {}\n};\n"
        'REGISTER_KERNEL_BUILDER(Name("Blur").Device(DEVICE_CPU), BlurOp);\n'
    ),
    "tensorflow/core/kernels/BUILD": 'filegroup(name = "blur_op", srcs = ["blur_op.cc", "//bad:a"])\n',
    "tensorflow/python/ops/math_ops.py": "",
}

COMMANDS: Mapping[str, tuple[str, ...]] = {
    "query": ("deps(//top)",),
    "select": ("deps(//top)",),
    "diff-config": ("//top", "--vs", "-c", "opt"),
    "why": ("//top:end", "--from=//top"),
    "deps": ("//top",),
    "rdeps": ("//top:end", "--from=//top"),
    "graph": ("deps(//top)",),
    "flags": ("settings",),
    "expand": ("//bad:a", "//top:end"),
    "op": ("Blur", "--needs"),
    "doctor": (),
}
"""The commands about a workspace, each with a question that reaches ``//bad:a``."""

WALKERS = frozenset(COMMANDS) - {"flags"}
"""The commands that follow dependencies; ``flags`` loads packages and stops there."""


@dataclass(frozen=True)
class Failure:
    """``files`` replace those of ``GOOD``, ``absent`` ones are not there; ``links`` lead nowhere.

    ``said`` is a word of the message. ``reached_by``: the commands that meet it. ``gap``: it is no problem, but
    something that cannot be known. ``parsed``, ``run``: the exit codes of ``parse`` and ``starlark`` on bad/BUILD.
    """

    files: Mapping[str, str | bytes] = field(default_factory=dict)
    said: str = ""
    absent: tuple[str, ...] = ()
    links: Mapping[str, str] = field(default_factory=dict)
    reached_by: frozenset[str] = frozenset(COMMANDS)
    gap: bool = False
    parsed: int = 0
    run: int = 1

    def write(self, root: Path) -> None:
        """Make the workspace."""
        for name, content in {**GOOD, **self.files}.items():
            if name in self.absent:
                continue
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        for name, target in self.links.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).symlink_to(target)


def broken(text: str | bytes, said: str, *, parsed: int = 0, **files: str) -> Failure:
    """A BUILD file that breaks behind its first target."""
    return Failure(
        {"bad/BUILD": text, **{f"bad/{name}.bzl": body for name, body in files.items()}}, said, parsed=parsed
    )


def macro(body: str, said: str) -> Failure:
    """A macro that a BUILD file calls."""
    return broken(FIRST + 'load(":m.bzl", "m")\nm()\n', said, m=f"def m():\n    {body}\n")


FAILURES: Mapping[str, Failure] = {
    # a package that breaks: the targets before the error are kept
    "syntax error": broken(FIRST + "x = [\n", "bad/BUILD:2", parsed=7),
    "evaluation error": broken(FIRST + "x = 1 + 'a'\n", "int + string"),
    "fail()": broken(FIRST + "fail('no more')\n", "no more"),
    "out of steps": macro("[0 for a in range(99999) for b in range(99999)]", "too many steps"),
    "out of memory": macro("x = 'x' * 100000000000", "bad/m.bzl:2"),
    "recursion": macro("m()", "recursively"),
    "target defined twice": broken(FIRST + FIRST, "bad/BUILD:2"),
    "unknown attribute": broken(FIRST + "filegroup(name = 'b', srx = [])\n", "srx"),
    "binary BUILD file": broken(bytes(range(256)) * 8, "binary", parsed=7),
    "BUILD file in UTF-16": broken((FIRST + "x = 1\n").encode("utf-16"), "UTF-16", parsed=7),
    "missing .bzl file": broken(FIRST + "load(':none.bzl', 'x')\n", "none.bzl"),
    ".bzl file that breaks": broken(FIRST + "load(':m.bzl', 'm')\n", "bad/m.bzl:1", m="def (:\n"),
    ".bzl file without the loaded symbol": broken(FIRST + "load(':m.bzl', 'x')\n", "'x'", m="m = 1\n"),
    ".bzl file that is a folder": Failure({"bad/BUILD": FIRST + "load(':m.bzl', 'm')\n", "bad/m.bzl/x": ""}, "m.bzl"),
    "load cycle": broken(
        FIRST + "load(':m.bzl', 'm')\n", "cycle", m="load(':n.bzl', 'n')\nm = n\n", n="load(':m.bzl', 'm')\nn = m\n"
    ),
    # labels that lead nowhere
    "missing target": Failure({"bad/BUILD": ""}, "//bad:a", reached_by=WALKERS, run=0),
    "missing package": Failure(absent=("bad/BUILD",), said="//bad", reached_by=WALKERS, parsed=2),
    "BUILD file that is a folder": Failure({"bad/BUILD/x": ""}, "//bad", ("bad/BUILD",), reached_by=WALKERS, parsed=2),
    "BUILD file that is a dangling link": Failure(
        absent=("bad/BUILD",), said="//bad", links={"bad/BUILD": "nowhere"}, reached_by=WALKERS, parsed=2
    ),
    "target that depends on itself": Failure(
        {"bad/BUILD": "filegroup(name = 'a', srcs = [':a'])\n"},
        "cycle in dependency graph",
        reached_by=frozenset({"diff-config", "doctor"}),
    ),
    # the workspace itself
    "broken WORKSPACE": Failure({"WORKSPACE": "workspace(name = 'w'\n"}, "WORKSPACE:1"),
    "WORKSPACE that fails": Failure({"WORKSPACE": "fail('no')\n"}, "no"),
    "WORKSPACE out of steps": Failure({"WORKSPACE": "[0 for a in range(99999) for b in range(99999)]\n"}, "steps"),
    "broken MODULE.bazel": Failure({"MODULE.bazel": "module(name = )\n"}, "MODULE.bazel:1"),
    # what cannot be known
    "missing repository": Failure(
        {"bad/BUILD": 'filegroup(name = "a", srcs = ["@absent//:x"])\n'},
        "@absent",
        gap=True,
        reached_by=WALKERS - {"expand"},
    ),
    "unknown macro": Failure(
        {"bad/BUILD": 'load("@absent//:m.bzl", "m")\nm(name = "b")\n' + FIRST}, "@absent", gap=True
    ),
    "unknown value of an attribute": Failure(
        {"bad/BUILD": 'load("@absent//:m.bzl", "m")\nfilegroup(name = "a", srcs = m())\n'}, "@absent", gap=True
    ),
    "unknown condition": Failure(
        {"bad/BUILD": FIRST + 'load("@absent//:m.bzl", "m")\n[filegroup(name = "b") for x in [1] if m()]\n'},
        "@absent",
        gap=True,
    ),
    "glob in sources that are not on disk": Failure(
        {
            "WORKSPACE": 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
            'http_archive(name = "far", build_file = "//bad:far.BUILD", url = "https://example.org/far.zip")\n',
            "bad/far.BUILD": 'filegroup(name = "x", srcs = glob(["*.c"]))\n',
            "bad/BUILD": 'filegroup(name = "a", srcs = ["@far//:x"])\n',
        },
        "@far",
        gap=True,
        reached_by=WALKERS - {"expand"},
    ),
    "error in .bazelrc": Failure({".bazelrc": "import %workspace%/none.rc\n"}, "none.rc", gap=True),
}

REFUSALS: Mapping[str, tuple[tuple[str, ...], int, str]] = {
    "unknown command": (("wy", "//top"), 2, "No such command"),
    "unknown option": (("query", "--outptu=json", "//top"), 2, "--outptu"),
    "no question": (("query",), 2, "missing EXPR"),
    "query syntax": (("query", "deps("), 2, "query:1"),
    "bad regular expression in a query": (("query", "kind('[', //...)"), 2, "regular expression"),
    "bad regular expression in an option": (("select", "--condition=["), 2, "regular expression"),
    "unknown config": (("query", "//top", "--config=none"), 2, "none"),
    "invalid value of an option": (("query", "//top", "--stamp=perhaps"), 2, "perhaps"),
    "-C without a folder": (("-C", "/no/such/folder", "query", "//..."), 2, "/no/such/folder"),
    "-C outside a workspace": (("-C", "/", "query", "//..."), 2, "not in a Bazel workspace"),
    "override without a folder": (("--override_repository=x=/no/such", "query", "//top"), 2, "/no/such"),
    "output file that cannot be written": (("query", "//top", "--output_file=no/such/file"), 2, "no/such/file"),
    "unsupported file extension": (("why", "//top:end", "-o", "x.odd"), 2, ".odd"),
    "list of checkouts that cannot be read": (("export", "dataset", "x", "--checkouts=no.list"), 2, "no.list"),
    "folder with other content": (("export", "dataset", "{root}"), 2, "do not belong to a dataset"),
    "pattern as a target of why": (("why", "//top/..."), 2, "pattern"),
    "file that parse cannot read": (("parse", "no.bzl"), 2, "no.bzl"),
    "program that fails": (("starlark", "{root}/bad/BUILD"), 1, ""),
    "target that does not exist: query": (("query", "//top:endd"), 7, "did you mean"),
    "target that does not exist: why": (("why", "//top:endd"), 7, "did you mean"),
    "target that does not exist: expand": (("expand", "//top:endd"), 7, "did you mean"),
    "target in an undefined repository": (("why", "@nobody//:x"), 7, "defines it"),
    "package that does not exist: graph": (("graph", "//tpo:all"), 7, "//tpo"),
    "package that does not exist: doctor": (("doctor", "//tpo/..."), 7, "tpo"),
    "unknown subcommand of mod": (("mod", "grahp"), 2, "did you mean graph?"),
    "modules of a workspace without modules": (("mod", "graph"), 7, "no MODULE.bazel"),
    "unknown op": (("op", "Blurr"), 7, "Blurr"),
    "undefined variable": (("query", "$x"), 7, "$x"),
}
"""Questions that have no answer: the words, the exit code, and a word of the message."""


def table() -> str:
    """The table of failures for docs/exit_codes.md."""
    lines = ["| failure | commands that report it | alone | with `-k` | with `--strict` |", "|---|---|---|---|---|"]
    for name, failure in FAILURES.items():
        met = failure.reached_by
        commands = "all" if met == set(COMMANDS) else f"all but {', '.join(sorted(set(COMMANDS) - met))}"
        codes = "0 | 0 | 3" if failure.gap else "7 | 3 | 7"
        lines.append(f"| {name} | {commands} | {codes} |")
    lines += ["", "| failing question | exit code |", "|---|---|"]
    lines += [f"| {name} | {code} |" for name, (_, code, _) in REFUSALS.items()]
    return "\n".join(lines) + "\n"
