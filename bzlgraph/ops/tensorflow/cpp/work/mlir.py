"""Where the work of a kernel goes on that MLIR does: what generates its code, or what rewrites its op for XLA.

kernel -> ``Work``.

Rules
1. A kernel whose class calls a function of MLIR (``KernelRegistration.generated``) goes on in the template below its
   folder that defines that function: ``func @Abs_platform_elem_type_output_type`` in ``abs.mlir.tmpl`` is the one of
   ``Abs_GPU_DT_FLOAT_DT_FLOAT``; of several the one for its type, as the file is called (``VARIANTS``). The target is
   what the kernel's own target depends on of all that the rules of that package make of the template, for the kernel's
   platform where they name one; none where they do not make it.
2. A kernel of XLA that computes in ``MlirXlaOpKernel`` has its op rewritten by the patterns of MLIR's bridge
   (``LEGALIZING``), and by those patterns of ``LOWERING`` that the bridge runs with them: ``RUN_BEFORE`` lists them.
   What none of these rewrites was made another op before (``CANONICALIZING``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from bzlgraph.base.label import Label, parse
from bzlgraph.base.span import Location
from bzlgraph.bazel.conditional import branches
from bzlgraph.bazel.model import Package, Rule
from bzlgraph.bazel.selects import elements
from bzlgraph.cpp.text import is_test_file
from bzlgraph.ops.model import KernelRegistration, Work
from bzlgraph.ops.tensorflow.mlir_patterns import Pattern, patterns_in
from bzlgraph.workspace.tree import RepositoryTree

TEMPLATE = ".mlir.tmpl"
LEGALIZED = "MlirXlaOpKernel"
LEGALIZING = (
    "tensorflow/compiler/mlir/tf2xla/transforms/legalize_tf",
    "tensorflow/compiler/mlir/xla/transforms/legalize_tf",
    "tensorflow/compiler/mlir/quantization/stablehlo/passes/bridge/convert_tf_quant_ops",
)
"""How the paths of its files begin: in newer trees, in older ones, for quantized types."""
CANONICALIZING = (
    "tensorflow/compiler/mlir/tensorflow/ir/tf_ops",
    "tensorflow/compiler/mlir/tensorflow/transforms/canonicalize",
)
LOWERING = "tensorflow/compiler/mlir/tensorflow/transforms/lower_tf"
RUN_BEFORE = re.compile(r"^void PopulateTFLoweringBeforeHLOPatterns\(.*?^\}", re.MULTILINE | re.DOTALL)
"""The function of LOWERING's files that lists patterns for the bridge."""
VARIANTS = {
    "cmplx": ("COMPLEX",),
    "float": ("HALF", "FLOAT", "DOUBLE"),
    "unsigned": ("UINT",),
    "f16": ("HALF",),
    "f32": ("FLOAT",),
    "f64": ("DOUBLE",),
}
"""The types that a template is for, by the last word of its name."""
_TYPE = re.compile(r"_DT_([A-Z]+)")
_FUNCTION = re.compile(r"^\s*func(?:\.func)?\s+@(\w+)", re.MULTILINE)
_WORD = re.compile(r"\w+")
_FILLED_IN = re.compile("platform|elem_type|output_type|scalar_type")
"""What stands in the name of a template's function for the words of one kernel."""


@dataclass(slots=True)
class _Template:
    path: str
    line: int
    function: str

    @property
    def variant(self) -> str:
        """The last word of its name: ``float`` of ``relu_float.mlir.tmpl``."""
        return self.path.removesuffix(TEMPLATE).rpartition("_")[2]

    def makes(self, generated: str) -> bool:
        """Whether a function is made from it."""
        return re.fullmatch(_FILLED_IN.sub(r"\\w+", self.function), generated) is not None


@dataclass
class MlirWork:
    """Answers for the kernels of one tree. ``read`` gives the bytes of a file, ``package`` the package of a repository
    and a name."""

    tree: RepositoryTree
    read: Callable[[str], bytes]
    package: Callable[[str, str], Package | None]
    _templates: dict[str, list[_Template]] = field(default_factory=dict)

    def of(self, kernel: KernelRegistration) -> tuple[Work, ...]:
        """Where a kernel's work goes on in MLIR; nothing where it does not."""
        if kernel.generated:
            return tuple(self._generated(kernel))
        return tuple(self._legalized.get(kernel.op, ())) if _is_legalized(kernel) else ()

    def ops_of(self, file: str, kernels: Iterable[KernelRegistration]) -> set[str]:
        """The ops of those kernels whose work goes on in a file."""
        if file.endswith(TEMPLATE):
            generated = (each for each in kernels if each.generated)
            return {each.op for each in generated if any(one.path == file for one in self._templates_of(each))}
        legalized = {op for op, works in self._legalized.items() if any(_is_in(each, file) for each in works)}
        return {each.op for each in kernels if each.op in legalized and _is_legalized(each)}

    def _generated(self, kernel: KernelRegistration) -> Iterator[Work]:
        """Rule 1."""
        for each in self._templates_of(kernel):
            targets = self._making(each.path, kernel)
            yield Work(f"@{each.function}", Location(each.path, each.line, 0), targets=targets)

    def _templates_of(self, kernel: KernelRegistration) -> list[_Template]:
        known = self._templates_below(kernel.location.path.rpartition("/")[0])
        making = [each for each in known if each.makes(kernel.generated)]
        type_of = _TYPE.search(kernel.generated)
        special = [each for each in making if type_of is not None and type_of[1] in VARIANTS.get(each.variant, ())]
        return special or [each for each in making if each.variant not in VARIANTS]

    def _templates_below(self, folder: str) -> list[_Template]:
        if folder not in self._templates:
            self._templates[folder] = [
                _Template(path, text.count("\n", 0, found.start(1)) + 1, found[1])
                for path, text in self._texts(f"{folder}/", (TEMPLATE,))
                for found in _FUNCTION.finditer(text)
            ]
        return self._templates[folder]

    def _making(self, template: str, kernel: KernelRegistration) -> tuple[str, ...]:
        """The targets that the kernel's own depend on, of those that are made of a template."""
        package = self._package_of(template)
        needed = {label for target in self._rules(kernel.targets) for label in _labels(target)}
        if package is None or not needed:
            return ()
        users: dict[Label, list[Rule]] = {}
        for rule in package.rules():
            for label in _labels(rule):
                users.setdefault(label, []).append(rule)
        wave = [label for label in users if label.path == template]
        found: dict[Label, None] = {}
        while wave:
            makers = [rule for label in wave for rule in users.get(label, ()) if _is_for(rule, kernel.device)]
            wave = [made for rule in makers if rule.label not in found for made in (rule.label, *rule.outputs)]
            found.update(dict.fromkeys(wave))
        return tuple(str(label) for label in found if label in needed)

    def _rules(self, labels: Iterable[str]) -> Iterator[Rule]:
        for each in labels:
            label = parse(each, "", "")
            package = self.package(label.repo, label.package)
            target = package.targets.get(label.name) if package is not None else None
            if isinstance(target, Rule):
                yield target

    def _package_of(self, path: str) -> Package | None:
        name = self.tree.package_of(path)
        return self.package("", name) if name is not None else None

    @cached_property
    def _legalized(self) -> dict[str, list[Work]]:
        """Rule 2: op -> the patterns that rewrite it."""
        found: dict[str, list[Work]] = {}
        lists = [each for _, text in self._texts(LOWERING, (".cc",)) for each in RUN_BEFORE.findall(text)]
        run = {word for each in lists for word in _WORD.findall(each)}
        for each, work in self._patterns(LEGALIZING):
            found.setdefault(each.op, []).append(work)
        for each, work in self._patterns((LOWERING,)):
            if each.name in run:
                found.setdefault(each.op, []).append(work)
        before: dict[str, list[Work]] = {}
        for each, work in self._patterns(CANONICALIZING):
            before.setdefault(each.op, []).append(work)
        return before | found

    def _patterns(self, begins: Iterable[str]) -> Iterator[tuple[Pattern, Work]]:
        """The patterns of the files whose paths begin in some ways."""
        for path, text in (each for begin in begins for each in self._texts(begin, (".td", ".cc"))):
            for each in patterns_in(path, text):
                yield each, Work(each.name or f"pattern of TF_{each.op}Op", Location(path, each.line, 0))

    def _texts(self, begin: str, ends: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        """The files whose paths begin and end in a way, with what they hold; no tests."""
        for path in self.tree.files_below(begin, ends):
            if not is_test_file(path):
                yield path, self.read(path).decode("latin-1")


def _is_legalized(kernel: KernelRegistration) -> bool:
    return kernel.for_xla and kernel.compute_class == LEGALIZED


def _is_in(work: Work, file: str) -> bool:
    return work.location is not None and work.location.path == file


def _labels(rule: Rule) -> Iterator[Label]:
    """The labels in the values that a rule is given."""
    for value in rule.values.values():
        for _, plain in branches(value):
            yield from (each for each in elements(plain) if isinstance(each, Label))


def _is_for(rule: Rule, device: str) -> bool:
    """Whether a rule is for a device, or for any."""
    platform = rule.values.get("platform")
    return not isinstance(platform, str) or platform.upper() == device
