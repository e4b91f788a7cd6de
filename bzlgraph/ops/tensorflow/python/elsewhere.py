"""Public names that users get from another package than this tree: ``tf.keras`` of the package ``keras``; and modules
that have two public names: ``tf.losses`` is ``tf.keras.losses``.

What the public package imports, or loads when it is asked for (``lazy_modules``), is in the templates of its
``__init__.py``. A name that a template takes from a package that the checkout does not hold is not what the tree's own
files export under it: those are a copy that nobody imports.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field

from bzlgraph.base.span import Location
from bzlgraph.base.words import utf8
from bzlgraph.ops.python.tree import PythonTree
from bzlgraph.ops.tensorflow.python.lazy_modules import lazy_modules
from bzlgraph.python_source.syntax import parse_any

TEMPLATES = {
    "v1": ("tensorflow/api_template_v1.__init__.py", "tensorflow/api_template.__init__.py"),
    "v2": ("tensorflow/api_template.__init__.py",),
}
"""Version of the API -> the files that its ``__init__.py`` is made from, the first that exists."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """``name`` (``tf.keras``) is taken from a ``module`` of another package, as is said at ``location``. ``is_given``:
    that package is known, beside the checkout."""

    name: str
    module: str
    location: Location
    is_given: bool = False

    @property
    def package(self) -> str:
        """``keras`` of ``keras.api._v2.keras.losses``."""
        return self.module.partition(".")[0]

    @property
    def within(self) -> str:
        """What the package itself calls it: ``keras.losses``, as a tree with a copy exports it."""
        parts = self.module.split(".")
        return ".".join(parts[len(parts) - 1 - parts[::-1].index(self.package) :])

    def told(self, shown: str = "this tree's copy, which may differ and be unused") -> str:
        """That it is another package's, and what is shown."""
        return f"{self.missing}; what is shown is {shown}"

    @property
    def missing(self) -> str:
        """That it is another package's, and how that is read, too."""
        return f"{self.taken}, which is not in this tree (--python_path={self.package}=DIR adds it)"

    @property
    def taken(self) -> str:
        """That it is another package's."""
        return f"{self.name} is taken from the package {self.package} ({self.location.short})"


@dataclass(frozen=True, slots=True)
class Renamed:
    """``name`` (``tf.losses``) is the module that has the public name ``of`` (``tf.keras.losses``), as is said at
    ``location``."""

    name: str
    of: str
    location: Location

    def told(self) -> str:
        """What it is."""
        return f"{self.name} is {self.of} ({self.location.short})"


@dataclass(slots=True)
class OtherPackages:
    """Looks into the templates of one tree, each once."""

    tree: PythonTree
    _known: dict[str, dict[str, Elsewhere]] = field(default_factory=dict)
    _renamed: dict[str, dict[str, Renamed]] = field(default_factory=dict)

    def of(self, name: str, version: str) -> Elsewhere | None:
        """Where a public name (without ``tf.``) comes from, None for this tree."""
        if version not in self._known:
            self._known[version] = self._read(version)
        return self._known[version].get(name.partition(".")[0]) if "." in name else None

    def renamed(self, name: str, version: str) -> Renamed | None:
        """The public module that the first part of a public name (without ``tf.``) stands for, as ``losses`` does for
        ``keras.losses`` where a template assigns that to it; None for any other name."""
        if version not in self._renamed:
            path = self._template(version)
            values = self.tree.module(path).values if path is not None else {}
            named = ((local, made, made.events[0]) for local, made in values.items() if len(made.events) == 1)
            self._renamed[version] = {
                local: Renamed(f"tf.{local}", f"tf.{event.text}", Location(path or "", made.line, 0))
                for local, made, event in named
                if event.kind == "name" and event.text.endswith(f".{local}")
            }
        return self._renamed[version].get(name.partition(".")[0]) if "." in name else None

    def _template(self, version: str) -> str | None:
        return next((each for each in TEMPLATES.get(version, ()) if self.tree.source.is_file(each)), None)

    def _read(self, version: str) -> dict[str, Elsewhere]:
        path = self._template(version)
        if path is None:
            return {}
        data = self.tree.bytes_of(path)
        lines, found = data.split(b"\n"), dict[str, Elsewhere]()
        for local, module in self.tree.module(path).imports.items():
            package, name = module.partition(".")[0], local.lstrip("_")
            if name != module.rpartition(".")[2] or not self._is_outside(package):
                continue
            says = re.compile(rb"\b%s\..*\b%s\b" % (utf8(package), utf8(name)))
            line = next((number for number, text in enumerate(lines, 1) if says.search(text)), 0)
            found[name] = self._elsewhere(name, (module,), Location(path, line, 0))
        for each in lazy_modules(parse_any(data)):
            if modules := tuple(one for one in each.modules if self._is_outside(one.partition(".")[0])):
                found.setdefault(each.name, self._elsewhere(each.name, modules, Location(path, each.line, 0)))
        return found

    def _elsewhere(self, name: str, modules: tuple[str, ...], location: Location) -> Elsewhere:
        given = [each for each in modules if self.tree.path_of(tuple(each.split("."))) is not None]
        return Elsewhere(f"tf.{name}", (given or modules)[0], location, bool(given))

    def _is_outside(self, package: str) -> bool:
        files, folders = self.tree.entries("")
        known = self.tree.is_beside(package) or (package not in folders and f"{package}.py" not in files)
        return known and package not in sys.stdlib_module_names
