"""``config``: build settings (``config.bool(flag = True)``) and configurations (``config.exec()``).

Doc: https://bazel.build/rules/lib/toplevel/config
"""

from __future__ import annotations

from bzlgraph.bazel.rules.rule import BuildSetting
from bzlgraph.bazel.rules.transition import exec_transition, none_transition, target_transition
from bzlgraph.starlark.builtin import Builtin

KINDS = ("bool", "int", "string", "string_list", "string_set")


def config_fields() -> dict[str, object]:
    """The fields of ``config``, by name."""
    configurations = (exec_transition, none_transition, target_transition)
    return {**{kind: _setting(kind) for kind in KINDS}, **{function.name: function for function in configurations}}


def _setting(kind: str) -> Builtin:
    def make(*, flag: bool = False, allow_multiple: bool = False, repeatable: bool = False) -> BuildSetting:
        return BuildSetting(kind, bool(flag), bool(allow_multiple or repeatable))

    make.__qualname__ = kind
    return Builtin(make, kind)
