"""A module of generated wrappers (``gen_nn_ops``) -> the target that writes it, and the macro call behind that.

The module's path is a file that some rule of the nearest package declares as output
(``tf_gen_op_wrapper_private_py(name = "nn_ops_gen")`` writes ``ops/gen_nn_ops.py``). The name that people use is the
library that has the file among its sources, when the same macro call made one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import OutputFile, Package, Rule
from bzlgraph.loading.loader import Loader
from bzlgraph.ops.model import GenTarget


@dataclass(slots=True)
class GenTargets:
    """Looks targets up, each module once."""

    loader: Loader
    _found: dict[str, GenTarget | None] = field(default_factory=dict)

    def of(self, module: str) -> GenTarget | None:
        """The target behind a dotted module name, None when no rule says that it writes the file."""
        if module not in self._found:
            self._found[module] = self._find(f"{module.replace('.', '/')}.py")
        return self._found[module]

    def _find(self, path: str) -> GenTarget | None:
        name = self.loader.workspace.repository("").tree.package_of(path)
        package = self.loader.find("", name) if name is not None else None
        if package is None or name is None:
            return None
        written = path[len(name) + 1 :] if name else path
        output = package.targets.get(written)
        if not isinstance(output, OutputFile):
            return None
        rule = package.targets.get(output.rule.name)
        if not isinstance(rule, Rule):
            return None
        generator = rule.generator
        label = _library(package, rule, output.label) or rule.label
        macro = generator.function if generator else rule.rule_class.name
        return GenTarget(path, str(label), macro, generator.location if generator else rule.location)


def _library(package: Package, made_by: Rule, file: Label) -> Label | None:
    """The library of the same macro call whose sources have the file."""
    for rule in package.rules():
        if rule.generator is None or made_by.generator is None or rule.rule_class.name == made_by.rule_class.name:
            continue
        if rule.generator.location == made_by.generator.location and file in (_labels(rule.get("srcs"))):
            return rule.label
    return None


def _labels(value: object) -> list[Label]:
    parts = value if isinstance(value, list) else getattr(value, "parts", ())
    flat = [each for part in parts for each in (part if isinstance(part, list) else [part])]
    return [each for each in flat if isinstance(each, Label)]
