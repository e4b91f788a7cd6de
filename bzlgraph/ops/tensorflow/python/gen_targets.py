"""A module of generated wrappers (``gen_nn_ops``) -> the target that writes it, the macro call behind that, its ops.

The module's path is a file that some rule of the nearest package declares as output
(``tf_gen_op_wrapper_private_py(name = "nn_ops_gen")`` writes ``ops/gen_nn_ops.py``). The name that people use is the
library that has the file among its sources, when the same macro call made one.

The program that writes the module (a tool of the rule) writes a function for each op that it is linked with: those of
the libraries that it depends on, behind aliases too, and of what these depend on; libraries whose sources register no
op are not gone into.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from bzlgraph.base.label import Label
from bzlgraph.bazel.conditional import plain_values
from bzlgraph.bazel.model import OutputFile, Package, Rule
from bzlgraph.loading.loader import Loader
from bzlgraph.ops.model import GenTarget

PYTHON = ".py"


@dataclass(slots=True)
class GenTargets:
    """Looks targets up, each module once."""

    loader: Loader
    registered_in: Callable[[Collection[str]], Collection[str]]
    """The ops that some files register."""
    _found: dict[str, GenTarget | None] = field(default_factory=dict)
    _ops: dict[str, Collection[str] | None] = field(default_factory=dict)

    def of(self, module: str) -> GenTarget | None:
        """The target behind a dotted module name, None when no rule says that it writes the file."""
        if module not in self._found:
            self._found[module] = self._find(f"{module.replace('.', '/')}.py")
        return self._found[module]

    def ops(self, module: str) -> Collection[str] | None:
        """The ops that a module has functions of, None where no rule says that it writes the file, or with what."""
        if module not in self._ops:
            written = self._written_by(f"{module.replace('.', '/')}.py")
            self._ops[module] = (self._linked(_tools_of(written[1])) or None) if written is not None else None
        return self._ops[module]

    def beside(self, path: str, op: str) -> str:
        """The dotted name of the module that has the function of an op, of those that the package of a file writes; ""
        for none."""
        name = self.loader.workspace.repository("").tree.package_of(path)
        package = self.loader.find("", name) if name is not None else None
        targets = package.targets.values() if package is not None else ()
        files = (each.label for each in targets if isinstance(each, OutputFile) and each.label.name.endswith(PYTHON))
        modules = (each.path.removesuffix(PYTHON).replace("/", ".") for each in files)
        return next((each for each in modules if op in (self.ops(each) or ())), "")

    def _linked(self, tools: list[Label]) -> Collection[str]:
        """The ops that programs are linked with."""
        waiting = [library for tool in tools for library in self._listed(tool, "deps")]
        seen: set[Label] = set()
        found: set[str] = set()
        while waiting:
            label = waiting.pop()
            if label in seen:
                continue
            seen.add(label)
            files = [each.path for each in self._listed(label, "srcs")]
            ops = self.registered_in(files)
            found.update(ops)
            waiting += self._listed(label, "deps" if ops else "actual")
        return found

    def _listed(self, label: Label, attribute: str) -> list[Label]:
        """What an attribute of a rule of the main repository lists."""
        package = self.loader.find("", label.package) if not label.repo else None
        rule = package.targets.get(label.name) if package is not None else None
        return _labels(rule.get(attribute)) if isinstance(rule, Rule) else []

    def _find(self, path: str) -> GenTarget | None:
        found = self._written_by(path)
        if found is None:
            return None
        package, rule, file = found
        generator = rule.generator
        label = _library(package, rule, file) or rule.label
        macro = generator.function if generator else rule.rule_class.name
        return GenTarget(path, str(label), macro, generator.location if generator else rule.location)

    def _written_by(self, path: str) -> tuple[Package, Rule, Label] | None:
        """The package of a file, the rule that writes it, and the file's label."""
        name = self.loader.workspace.repository("").tree.package_of(path)
        package = self.loader.find("", name) if name is not None else None
        if package is None or name is None:
            return None
        written = path[len(name) + 1 :] if name else path
        output = package.targets.get(written)
        rule = package.targets.get(output.rule.name) if isinstance(output, OutputFile) else None
        return (package, rule, output.label) if isinstance(rule, Rule) and isinstance(output, OutputFile) else None


def _library(package: Package, made_by: Rule, file: Label) -> Label | None:
    """The library of the same macro call whose sources have the file."""
    for rule in package.rules():
        if rule.generator is None or made_by.generator is None or rule.rule_class.name == made_by.rule_class.name:
            continue
        if rule.generator.location == made_by.generator.location and file in (_labels(rule.get("srcs"))):
            return rule.label
    return None


def _tools_of(rule: Rule) -> list[Label]:
    return [each for attribute in ("tools", "exec_tools") for each in _labels(rule.get(attribute))]


def _labels(value: object) -> list[Label]:
    """The labels in a value, of all branches of its selects."""
    parts = (part if isinstance(part, list) else [part] for part in plain_values(value))
    return [each for part in parts for each in part if isinstance(each, Label)]
