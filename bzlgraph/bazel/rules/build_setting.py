"""``config``: build settings (``config.bool(flag = True)``) and configurations (``config.exec()``).

Doc: https://bazel.build/rules/lib/toplevel/config
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import ClassVar

from bzlgraph.bazel.context.scope import facts
from bzlgraph.bazel.model import Attribute, AttrType, BuildSettingKind
from bzlgraph.bazel.rules.transition import exec_transition, none_transition, target_transition
from bzlgraph.bazel.values.versioned import versioned_builtin
from bzlgraph.facts import predeclared
from bzlgraph.starlark.builtin import Builtin
from bzlgraph.starlark.lib.struct import Namespace
from bzlgraph.starlark.value import Value

KINDS = ("bool", "int", "string", "string_list", "string_set")


@dataclass(slots=True, eq=False)
class BuildSetting(Value):
    """``config.bool(flag = True)`` and the like: what makes a rule a flag or setting."""

    type_name: ClassVar[str] = "BuildSetting"
    model: BuildSettingKind
    """What the rule class keeps of it."""

    def hashable(self) -> bool:
        return False

    def to_repr(self) -> str:
        return f"<build_setting.{self.model.kind}>"


def build_setting_attributes(setting: object) -> dict[str, Attribute]:
    """The attributes that ``build_setting = config.bool(...)`` adds to a rule: the default of the setting first."""
    if not isinstance(setting, BuildSetting):
        return {}
    kind = AttrType(predeclared.build_setting_type(setting.model.kind))
    found = {"build_setting_default": Attribute("build_setting_default", kind, mandatory=True, configurable=False)}
    known = facts()
    for name, default in predeclared.build_setting_attributes(known.version, known.tolerant).items():
        found[name] = Attribute(name, AttrType.STRING, default=default, configurable=False)
    return found


class ConfigModule(Namespace):
    """The global ``config``."""

    __slots__ = ()
    type_name: ClassVar[str] = "config"

    def hashable(self) -> bool:
        return False


def config_module(absent: Container[str]) -> ConfigModule:
    """``config`` with its functions, without those that are absent."""
    functions = (*map(_setting, KINDS), exec_transition, none_transition, target_transition)
    return ConfigModule({each.name: each for each in functions if each.name not in absent})


def _setting(kind: str) -> Builtin:
    @versioned_builtin(f"config.{kind}")
    def make(
        *, flag: bool = False, allow_multiple: bool = False, repeatable: bool = False, scope: object = None
    ) -> BuildSetting:
        return BuildSetting(BuildSettingKind(kind, bool(flag), bool(allow_multiple or repeatable)))

    return make
