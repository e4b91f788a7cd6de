"""``@bazel_tools//tools/cpp:compiler``: the flag whose value is the name of the C++ toolchain's compiler.

Rules
- The toolchain is what ``--crosstool_top`` has for ``CPU|COMPILER``, or for the CPU when no ``--compiler`` is given;
  the ``compiler`` of its toolchain_config is the value, where all of them are on disk.
- Where Bazel configures the toolchain from the machine (``@local_config_cc``), it is what ``--compiler`` says, else
  what Bazel usually finds: msvc-cl for Windows, clang for macOS, and what it calls gcc elsewhere. Answers of bzlgraph
  must not depend on a machine.
- Of any other toolchain only ``--compiler`` tells; without it, the compiler is unknown.
- With ``--incompatible_enable_cc_toolchain_resolution``, which Bazel 7 sets, none of these options counts: it is the
  registered toolchain that fits the target platform, where the workspace registers any, else what Bazel usually finds
  for the system of that platform.

Mirrors compiler_flag.bzl and cc_toolchain_suite of Bazel.
"""

from __future__ import annotations

from collections.abc import Mapping

from bzlgraph.base.label import Label, LabelError, parse
from bzlgraph.bazel.model import Rule
from bzlgraph.config.kinds.alias import actual_of
from bzlgraph.config.kinds.platform import compare_constraint, target_platform
from bzlgraph.config.option_use import Origin
from bzlgraph.config.value import Evaluation
from bzlgraph.config.verdict import Truth

COMPILER_FLAG = "compiler_flag"
LABEL = Label("bazel_tools", "tools/cpp", "compiler")
_DEFAULT_TOP = Label("bazel_tools", "tools/cpp", "toolchain")
_CONFIGURED = "local_config_cc"
_RESOLUTION = "incompatible_enable_cc_toolchain_resolution"
_TYPE = Label("bazel_tools", "tools/cpp", "toolchain_type")
_BY_SYSTEM = (("windows", "msvc-cl"), ("macos", "clang"), ("ios", "clang"))
_BY_CPU = (("x64_windows", "msvc-cl"), ("arm64_windows", "msvc-cl"), ("darwin", "clang"), ("ios_", "clang"))


def compiler_name(evaluation: Evaluation) -> tuple[str, Origin | None, str]:
    """(the compiler, who says so, the fact that is missing when it is unknown)."""
    configuration = evaluation.configuration
    if configuration.value(_RESOLUTION).value == "true":
        return _by_platform(evaluation)
    if doubt := next(filter(None, map(configuration.doubt, ("cpu", "compiler", "crosstool_top"))), ""):
        return "", None, doubt
    wanted, cpu = configuration.value("compiler"), configuration.value("cpu")
    top = configuration.value("crosstool_top")
    try:
        label = parse(top.value or "", "", "", evaluation.mapping)
    except LabelError:
        label = _DEFAULT_TOP
    actual = actual_of(label, evaluation) or label
    found = _of_suite(actual, cpu.value or "", wanted.value or "", evaluation)
    if found:
        return found, wanted.origin if wanted.value else cpu.origin, ""
    if wanted.value:
        return wanted.value, wanted.origin, ""
    if label != _DEFAULT_TOP and actual.repo != _CONFIGURED:
        return "", top.origin, f"the compiler of the C++ toolchain {label} is unknown (set it with --compiler)"
    known = next((name for start, name in _BY_CPU if (cpu.value or "").startswith(start)), "")
    return known or evaluation.facts.linux_compiler, cpu.origin, ""


def _by_platform(evaluation: Evaluation) -> tuple[str, Origin | None, str]:
    for label, certain in evaluation.chosen_toolchains(_TYPE):
        found = _of_toolchain(_rule(label, evaluation), evaluation) if certain else ""
        return found, None, "" if found else f"the compiler of the C++ toolchain {label} is unknown"
    platform = target_platform(evaluation)
    for system, name in _BY_SYSTEM:
        compared = compare_constraint(Label("platforms", "os", system), platform, evaluation)
        if compared.truth is Truth.UNKNOWN:
            return "", platform.origin, compared.missing
        if compared.truth is Truth.YES:
            return name, platform.origin, ""
    return evaluation.facts.linux_compiler, platform.origin, ""


def _of_suite(label: Label, cpu: str, compiler: str, evaluation: Evaluation) -> str:
    """The name that a cc_toolchain_suite gives, "" when some part of it is not on disk."""
    suite = evaluation.target(label)
    toolchains = suite.get("toolchains") if isinstance(suite, Rule) else None
    if not isinstance(toolchains, Mapping):
        return ""
    chosen = toolchains.get(f"{cpu}|{compiler}" if compiler else cpu)
    return _of_toolchain(_rule(chosen, evaluation), evaluation)


def _of_toolchain(toolchain: Rule | None, evaluation: Evaluation) -> str:
    """The name that a cc_toolchain gives, "" when some part of it is not on disk."""
    config = _rule(toolchain.get("toolchain_config"), evaluation) if toolchain is not None else None
    name = config.get("compiler") if config is not None else None
    return name if isinstance(name, str) else ""


def _rule(label: object, evaluation: Evaluation) -> Rule | None:
    actual = actual_of(label, evaluation) if isinstance(label, Label) else None
    target = evaluation.target(actual) if actual is not None else None
    return target if isinstance(target, Rule) else None
