"""Public name -> the definition behind it, and back: ``tf_export``, its kin, generated endpoints, module paths.

Rules
- ``@tf_export("a", "b", v1=["c"])``: a and b are names of API v2; of v1 too when there is no ``v1=``. It may stand
  before a definition, or be called with one: ``tf_export("a")(decorate(f))``; ``keras_export`` is the same.
- ``np_doc("f")`` exports ``tf.experimental.numpy.f``.
- A generated function is exported under the endpoints of its ApiDef, unless it is hidden; in 2.x every one that has an
  ApiDef also as ``tf.raw_ops.OpName``; neither where no public module imports its module (``public_modules``).
- ``tf.X`` is the v2 name in a 2.x tree and the v1 name in a 1.x tree; ``tf.compat.v1.X`` and ``tf.compat.v2.X`` say it.
- What nobody exports is found as a module path: ``tf.contrib.layers.conv2d``, ``tensorflow.python.ops.nn_ops.conv2d``.
Mirrors tensorflow/python/util/tf_export.py and AddExport in python_op_gen.cc.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from bzlgraph.base.span import Location
from bzlgraph.base.words import utf8
from bzlgraph.ops.model import ApiName
from bzlgraph.ops.python.resolve import Resolver, Symbol
from bzlgraph.ops.python.summary import DecoratorCall, Module
from bzlgraph.ops.tensorflow.python.api_defs import ApiDef, Visibility
from bzlgraph.ops.tensorflow.python.names import GeneratedNames, lower_case
from bzlgraph.ops.tensorflow.python.public_modules import PublicOps

NUMPY = "experimental.numpy."
EXPORTERS = {
    "tf_export": "",
    "keras_export": "",
    "estimator_export": "",
    "np_doc": NUMPY,
    "np_doc_only": NUMPY,
    "np_export": NUMPY,
}
"""Function that exports -> what it puts before the names."""
NUMPY_PACKAGE = "tensorflow.python.ops.numpy_ops"
ROOT = "tensorflow"
MARKERS = tuple(f"{name}(".encode() for name in EXPORTERS)
LITERAL = re.compile(rb"""\b_*(\w+_(?:export|doc|doc_only))\(([^()]*)\)""")
QUOTED = re.compile(rb"""["']([\w.]+)["']""")
GENERATED_PACKAGE = "tensorflow.python.ops"
UNKNOWN_MODULE = "gen_ops"
"""What stands for the module of a generated function that nobody calls."""
FIRST_API = {"v1": 1, "v2": 2}


@dataclass(frozen=True, slots=True)
class Export:
    """A definition with the public names that lead to it, and where that is said.

    ``receiver``: of a method, the class that has the public name.
    """

    symbol: Symbol
    names: tuple[ApiName, ...]
    location: Location
    how: str
    receiver: Symbol | None = None


@dataclass(slots=True)
class Exports:
    """The public API of one tree. ``default`` is the version that a bare ``tf.`` means."""

    resolver: Resolver
    names: GeneratedNames
    definitions: Mapping[str, ApiDef]
    default: str
    public: PublicOps
    _by_file: dict[str, tuple[Export, ...]] = field(default_factory=dict)

    def find(self, public: str) -> list[Export]:
        """Definitions of a public name, the one that it means first; what nobody exports is found by its module."""
        return self.exported(public) or self._by_path(self.split(public)[0])

    def exported(self, public: str) -> list[Export]:
        """The definitions that are exported under a name."""
        name, version = self.split(public)
        found = [*self._python(name), *self._generated(name)]
        full = f"tf.{name}"
        listed = [each for each in found if any(api.name == full and version in api.versions for api in each.names)]
        return listed + [each for each in found if each not in listed]

    def split(self, public: str) -> tuple[str, str]:
        """``tf.compat.v1.nn.x`` -> ("nn.x", "v1")."""
        name = re.sub(r"^(tf|tensorflow)\.", "", public)
        match = re.match(r"compat\.(v[12])\.", name)
        return (name[match.end() :], match.group(1)) if match else (name, self.default)

    def of_file(self, path: str) -> tuple[Export, ...]:
        """Everything that one file exports."""
        found = self._by_file.get(path)
        if found is None:
            module = self.resolver.tree.module(path)
            found = self._by_file[path] = tuple(self._resolved(each) for each in _exports_of(module))
        return found

    def _resolved(self, each: Export) -> Export:
        """With what a file exports of another one: ``tf_export("a")(other.f)``."""
        module = self.resolver.tree.module(each.symbol.path)
        if each.symbol.name in module.values or each.symbol.kind != "value":
            return each
        found = self.resolver.resolve(each.symbol.path, each.symbol.name)
        return Export(found, each.names, each.location, each.how) if found is not None else each

    def all_names(self) -> set[str]:
        """All public names, read from the bytes of the exporting files; for suggestions."""
        tree = self.resolver.tree
        made = {each.name.removeprefix("tf.") for op in self.definitions for each in self.of_op(op)}
        for path in tree.containing(ROOT, MARKERS):
            for call in LITERAL.finditer(tree.bytes_of(path)):
                prefix, texts = EXPORTERS.get(call.group(1).decode()), QUOTED.findall(call.group(2))
                if prefix is not None:
                    made.update(prefix + text.decode() for text in (texts[:1] if prefix else texts))
        return made

    def of_op(self, op: str) -> list[ApiName]:
        """The names under which an op's generated function itself is exported."""
        listed = self._listed(op)
        return listed if listed and self.public.has(op) else []

    def _listed(self, op: str) -> list[ApiName]:
        """The names under which its function is exported if its module is."""
        definition = self.definitions.get(op)
        listed = _generated_names_of(definition) if definition else []
        if self.default == "v2" and op in self.names.by_op and self._is_raw(op):
            listed.append(ApiName(f"tf.raw_ops.{op}", ("v1", "v2")))
        return listed

    def _is_raw(self, op: str) -> bool:
        """Whether an op is in ``tf.raw_ops``: those of the product have an ApiDef each (api_test.cc asks for it), those
        of tests, contrib and other libraries none."""
        definition = self.definitions.get(op)
        return definition is not None and definition.visibility is not Visibility.SKIP and not op.startswith("_")

    def _python(self, name: str) -> Iterator[Export]:
        tree = self.resolver.tree
        owner, _, member = name.rpartition(".")
        wanted = {text for text in (name, owner) if text}
        needles = [utf8(f"{quote}{text}{quote}") for text in wanted for quote in "\"'"]
        if name.startswith(NUMPY):
            needles = [utf8(f"{quote}{name.removeprefix(NUMPY)}{quote}") for quote in "\"'"]
        inherited: list[Export] = []
        exporting = ((path, tree.bytes_of(path)) for path in tree.containing(ROOT, MARKERS))
        for path in (path for path, data in exporting if any(needle in data for needle in needles)):
            for each in self.of_file(path):
                listed = {api.name.removeprefix("tf.") for api in each.names}
                if name in listed:
                    yield each
                elif owner in listed and (inside := self._member(each, member)):
                    inherited.append(inside)
        yield from inherited

    def methods(self, owner: Export) -> Iterator[Export]:
        """The public methods that an exported class defines itself."""
        lead = f"{owner.symbol.name}."
        for name in self.resolver.tree.module(owner.symbol.path).functions if owner.symbol.kind == "class" else ():
            member = name.removeprefix(lead)
            if member != name and not member.startswith("_") and (found := self._member(owner, member)):
                yield found

    def _member(self, owner: Export, member: str) -> Export | None:
        """A method of an exported class."""
        if owner.symbol.kind != "class":
            return None
        found = self.resolver.method(owner.symbol.path, owner.symbol.name, member)
        if found is None:
            return None
        names = tuple(ApiName(f"{each.name}.{member}", each.versions, each.deprecated) for each in owner.names)
        return Export(found, names, owner.location, f"method of {owner.symbol.name}, {owner.how}", owner.symbol)

    def _generated(self, name: str) -> Iterator[Export]:
        for op, generated in self.names.by_op.items():
            definition, listed = self.definitions.get(op), self._listed(op)
            if definition is not None and any(each.name == f"tf.{name}" for each in listed) and self.public.has(op):
                module = self.public.module_of(op) or self._generated_module(generated)
                symbol = Symbol("generated", module, generated)
                yield Export(symbol, tuple(listed), Location(definition.path, 0, 0), "exported by its ApiDef")

    def _generated_module(self, function: str) -> str:
        """The generated module of a function where no rule says it: the one through which most files call it."""
        needle = re.compile(rb"\b_?(gen_\w+)\." + re.escape(utf8(function)) + rb"\b")
        tree = self.resolver.tree
        used: dict[bytes, int] = {}
        for path in tree.containing(ROOT, (utf8(f".{function}"),)):
            for each in needle.findall(tree.bytes_of(path)):
                used[each] = used.get(each, 0) + 1
        if not used:
            return UNKNOWN_MODULE
        return f"{GENERATED_PACKAGE}.{max(used, key=lambda name: used[name]).decode()}"

    def _by_path(self, name: str) -> list[Export]:
        """A path of modules below ``tensorflow``, or from the top, or the end of one: ``nn_ops.conv2d``."""
        tried = [f"{ROOT}.{name}", name]
        if name.startswith(NUMPY):
            tried.append(f"{NUMPY_PACKAGE}.{name.removeprefix(NUMPY)}")
        head, _, rest = name.partition(".")
        if rest and head.isidentifier():
            tried += [
                f"{path.removesuffix('.py').replace('/', '.')}.{rest}"
                for path in self.resolver.tree.files(ROOT)
                if path.endswith(f"/{head}.py")
            ]
        for each in tried:
            found = self.resolver.absolute(each)
            if found is not None and found.kind != "module":
                return [Export(found, (), Location(found.path, 0, 0), "found by its module")]
        return []


def _exports_of(module: Module) -> Iterator[Export]:
    deprecated = {
        (each.symbol, name)
        for each in module.decorated
        if each.function.rpartition(".")[2] == "deprecated_endpoints"
        for name in each.names
    }
    for each in module.decorated:
        exporter = each.function.rpartition(".")[2].lstrip("_")
        if exporter not in EXPORTERS:
            continue
        names = tuple(_names(each, EXPORTERS[exporter], deprecated))
        kind = "class" if each.symbol in module.classes else "function"
        if each.symbol not in module.classes and each.symbol not in module.functions:
            kind = "value"
        how = "exported by @" if each.how == "@" else "exported by a call of "
        location = Location(module.path, each.defined_at, 0)
        yield Export(Symbol(kind, module.path, each.symbol), names, location, f"{how}{exporter}")


def _names(each: DecoratorCall, prefix: str, deprecated: set[tuple[str, str]]) -> Iterator[ApiName]:
    latest = each.names[:1] if prefix else each.names
    first = each.keyword("v1")
    old = latest if first is None else first
    for name in dict.fromkeys((*latest, *old)):
        versions = tuple(version for version, names in (("v1", old), ("v2", latest)) if name in names)
        yield ApiName(f"tf.{prefix}{name}", versions, (each.symbol, name) in deprecated)


def _generated_names_of(definition: ApiDef) -> list[ApiName]:
    """The endpoints of a visible op, those that API v2 lost with v1 only."""
    if definition.visibility is not Visibility.VISIBLE:
        return []
    latest = FIRST_API["v2"]
    made = []
    for each in definition.endpoints:
        removed = [version for version in (each.removed_in, definition.removed_in) if version]
        versions = ("v1",) if removed and min(removed) <= latest else ("v1", "v2")
        made.append(ApiName(f"tf.{lower_case(each.name)}", versions, each.deprecated or bool(removed)))
    return made
