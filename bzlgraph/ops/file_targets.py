"""A source file -> the targets that build it, and under which conditions of their selects.

Rules
1. The file belongs to one package; the rules of that package whose sources or headers name it build it (globs and the
   prefixes of macros are long evaluated).
2. Where no library does, the packages above are asked, to which a file may be exported; where nothing does at all, the
   packages of the same top-level folder whose BUILD files have the file's label.
3. A ``filegroup`` is followed to the rules that use it, and named only when there are none; so is a ``genrule`` that
   only copies the file (``cp $< $@``), to the rules that use its copy.
4. Of the twins that one macro call makes (``tf_kernel_library`` makes ``conv_ops`` and ``libtfkernel_conv_ops.so``) the
   library is named.
5. A target that has the file only where a condition holds (``//tensorflow:mobile``) comes after those that always have
   it, tests come last. What a rule of unknown kind has among its sources it may well build: it counts as a library,
   and its sources are what is in attributes that are called so (``gpu_srcs``), labels or not.
6. Where no library is sure to have the file, calls of unknown macros in the packages that were looked through may hide
   one: their gaps are told with the answer.

``owner()`` of the query language answers another question: it names every rule that has an edge to the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import cast

from bzlgraph.base.codec import Codec
from bzlgraph.base.gap import HIDING_TARGETS, Gap, GapKind
from bzlgraph.base.label import Label, LabelError, parse
from bzlgraph.base.words import utf8
from bzlgraph.bazel.conditional import branches
from bzlgraph.bazel.model import Package, Rule
from bzlgraph.cache.freshness import key_of
from bzlgraph.cache.store import READINGS, Store
from bzlgraph.loading.loader import Loader
from bzlgraph.ops.model import OR, on_request

Owner = Callable[[str], tuple[str, ...]]
"""The targets that a file of the tree is built into."""
Hidden = Callable[[], Iterable[Gap]]
"""What may hide targets of the files that an ``Owner`` was asked for."""
ATTRIBUTES = ("srcs", "hdrs", "textual_hdrs", "gpu_srcs", "additional_header_files")
ENDINGS = ("srcs", "hdrs")
"""How the names of attributes of unknown rules end that hold sources or headers."""
LIBRARY = "_library"
"""How the names of rules end that build what other targets depend on: of native rules, and by habit of others."""
GROUPS = frozenset({"filegroup", "alias"})
_COPY = re.compile(
    r"cp\s+(?:-\w+\s+)*\"?\$(?:<|\(SRCS\)|\(location[^)]*\))\"?\s+\"?\$(?:@|\(OUTS\)|\(location[^)]*\))\"?"
)
"""The command of a genrule that makes a copy."""
MAX_GROUPS = 4
HIDING = HIDING_TARGETS | {GapKind.PACKAGE.value}


@dataclass(frozen=True, slots=True)
class BuildingTarget:
    """One target that builds a file; ``condition`` are the select keys it stands under (``a or b``), "" for none."""

    rule: Rule
    condition: str = ""

    @property
    def label(self) -> str:
        """Its label as text."""
        return str(self.rule.label)

    @property
    def is_library(self) -> bool:
        """Whether it is what other targets depend on for the file; a rule of unknown kind is taken for that."""
        return self.rule.rule_class.unknown or self.rule.rule_class.name.endswith(LIBRARY)

    @property
    def is_group(self) -> bool:
        """Whether it only names the file for others, or copies it for them."""
        return self.rule.rule_class.name in GROUPS or self._copies

    @property
    def _copies(self) -> bool:
        command = self.rule.get("cmd") if self.rule.rule_class.name == "genrule" else None
        return isinstance(command, str) and _COPY.fullmatch(command.strip()) is not None

    @property
    def handed_on(self) -> list[str]:
        """The labels under which others have the file."""
        outputs = self.rule.get("outs") if self._copies else None
        return [str(each) for each in outputs] if isinstance(outputs, list | tuple) else [self.label]

    @property
    def is_special(self) -> bool:
        """Whether it has the file only when somebody asks for it: under no select's default."""
        return bool(on_request(self.condition))

    @property
    def rank(self) -> tuple[object, ...]:
        """The order in which targets are named (rule 5)."""
        is_test = self.rule.rule_class.test
        by_label = self.label if self.is_library else ""
        return is_test, self.is_special, not self.is_library, bool(self.condition), by_label

    def also(self, condition: str) -> BuildingTarget:
        """The same target, which has the file under another condition too."""
        keys = dict.fromkeys((*self.condition.split(OR), condition))
        return replace(self, condition=OR.join(keys) if self.condition and condition else "")


Users = dict[str, list[tuple[str, str]]]
"""Label of a file or group -> the names of the rules of a package that name it, each with its condition."""
_USERS = Codec(Users)


@dataclass(slots=True)
class FileTargets:
    """Answers for the files of the main repository; each package is looked through once."""

    loader: Loader
    gaps: dict[Gap, None] = field(default_factory=dict)
    """What may hide targets of the files that were asked for (rule 6)."""
    _known: dict[str, tuple[BuildingTarget, ...]] = field(default_factory=dict)
    _users: dict[str, Users] = field(default_factory=dict)
    _packages: dict[str, str | None] = field(default_factory=dict)
    _build_texts: dict[str, dict[str, bytes]] = field(default_factory=dict)
    _store: Store = field(init=False)

    def __post_init__(self) -> None:
        self._store = Store(self.loader.workspace.options.cache_folder, READINGS)

    def labels(self, path: str) -> tuple[str, ...]:
        """The labels of the targets that build a file."""
        return tuple(each.label for each in self.of(path))

    def of(self, path: str) -> tuple[BuildingTarget, ...]:
        """The targets that build a file, libraries first, others as BUILD files have them; none when none is known."""
        if path not in self._known:
            self._known[path] = self._find(path)
        return self._known[path]

    def without(self, paths: Iterable[str]) -> tuple[str, ...]:
        """That nothing builds some files of packages: a macro may make a target of them in another configuration. Of a
        package that did not load to its end, or whose macros are not all known, that nothing is known to."""
        inside = {path: self._packages.get(path.rpartition("/")[0]) for path in paths}
        return tuple(
            f"no target builds {path} in this configuration"
            if self._is_known(package)
            else f"no target is known to build {path}: //{package} is not known in full"
            for path, package in inside.items()
            if package is not None
        )

    def _is_known(self, package: str) -> bool:
        """Whether all targets of a package are known."""
        loaded = self.loader.find("", package)
        return loaded is not None and not loaded.broken and all(gap.kind not in HIDING for gap in loaded.gaps)

    def _find(self, path: str) -> tuple[BuildingTarget, ...]:
        folder = path.rpartition("/")[0]
        if folder not in self._packages:
            self._packages[folder] = self.loader.workspace.repository("").tree.package_of(path)
        package = self._packages[folder]
        if package is None:
            return ()
        file = f"//{package}:{path[len(package) + 1 :] if package else path}"
        names = [(file, "")]
        found: dict[str, BuildingTarget] = {}
        asked = []
        for each in self._packages_up(package):
            asked.append(each)
            names += self._add_users(each, names, found)
            if any(target.is_library for target in found.values()):
                break
        for each in self._packages_naming(file, package) if not found else ():
            self._add_users(each, names, found)
        kept = tuple(_without_twins(list(found.values())))
        self._note_gaps(asked, kept[0] if kept else None)
        return kept

    def _note_gaps(self, packages: list[str], best: BuildingTarget | None) -> None:
        """Rule 6: all that may hide a library where none is sure; else what is unknown of the one that is named."""
        sure = best is not None and best.is_library and not best.is_special
        if best is not None and sure and not best.rule.rule_class.unknown:
            return
        for name in packages:
            loaded = self.loader.find("", name)
            for gap in loaded.gaps if loaded is not None else ():
                of_best = best is not None and gap.location in [frame.location for frame in best.rule.stack]
                if gap.kind in HIDING and (not sure or of_best):
                    self.gaps[gap] = None

    def files_of(self, label: str) -> tuple[str, ...]:
        """The files of the main repository that a target of it has as sources or headers."""
        try:
            parsed = parse(label, "", "")
        except ValueError:
            return ()
        package = self.loader.find("", parsed.package) if not parsed.repo else None
        rule = package.targets.get(parsed.name) if package is not None else None
        listed = (each for each, _condition in _sources(rule)) if isinstance(rule, Rule) else ()
        return tuple(each.path for each in listed)

    def _packages_up(self, package: str) -> Iterator[str]:
        """Rules 1 and 2: the package of a file, then those above it."""
        yield package
        tree = self.loader.workspace.repository("").tree
        while package:
            package = package.rpartition("/")[0]
            if tree.build_file(package) is not None:
                yield package

    def _packages_naming(self, file: str, package: str) -> Iterator[str]:
        """Rule 2: the packages of the same top-level folder whose BUILD files have the label of a file."""
        top = package.partition("/")[0]
        if top and top not in self._build_texts:
            tree = self.loader.workspace.repository("").tree
            texts = self._build_texts[top] = {}
            for each in tree.packages_below(top):
                with suppress(OSError):
                    texts[each] = tree.read_build_file(each)[0]
        needle = utf8(file)
        return (each for each, text in self._build_texts.get(top, {}).items() if each != package and needle in text)

    def _add_users(
        self, package: str, names: list[tuple[str, str]], found: dict[str, BuildingTarget]
    ) -> list[tuple[str, str]]:
        """Add the rules of a package that name a file, or a group that has it; the groups, with their conditions."""
        loaded, groups = self.loader.find("", package), list[tuple[str, str]]()
        if loaded is None:
            return groups
        users = self._users_in(loaded)
        waiting = names
        for _ in range(MAX_GROUPS):
            above_groups = []
            for label, above in waiting:
                for name, own in users.get(label, ()):
                    condition = above or own
                    user = BuildingTarget(cast(Rule, loaded.targets[name]), condition)
                    if user.is_group:
                        above_groups += [(label, condition) for label in user.handed_on]
                    known = found.get(user.label)
                    found[user.label] = known.also(condition) if known else user
            waiting = above_groups
            groups += above_groups
        return groups

    def _users_in(self, package: Package) -> Users:
        """The users of the files and groups that the rules of a package name, made once of a package that stays as it
        is: of most of its rules nothing else is asked, and their attributes need not be unpacked again."""
        if package.name not in self._users:
            state = self.loader.state(("", package.name))
            made = self._store.remember(key_of("users", [state]), _USERS, lambda: _users(package)) if state else None
            self._users[package.name] = _users(package) if made is None else made
        return self._users[package.name]


def _users(package: Package) -> Users:
    users: Users = {}
    for rule in package.rules():
        for label, condition in _sources(rule):
            users.setdefault(str(label), []).append((rule.label.name, condition))
    return users


def _sources(rule: Rule) -> Iterator[tuple[Label, str]]:
    """The labels in a rule's sources and headers, each with the select key it stands under."""
    unknown = rule.rule_class.unknown
    for name in [each for each in rule.values if each.endswith(ENDINGS)] if unknown else ATTRIBUTES:
        for conditions, labels in branches(rule.get(name)):
            for label in labels if isinstance(labels, list | tuple) else ():
                if unknown and isinstance(label, str):
                    with suppress(LabelError):  # any text: nobody knows that the attribute holds labels
                        label = parse(label, "", rule.label.package)
                if isinstance(label, Label):
                    yield label, str(conditions[0]) if conditions else ""


def _without_twins(found: list[BuildingTarget]) -> list[BuildingTarget]:
    """Rules 3 to 5."""
    generators = ((each, each.rule.generator) for each in found)
    calls = {generator.location for each, generator in generators if each.is_library and generator is not None}
    kept = []
    for each in found:
        generator = each.rule.generator
        twin = not each.is_library and generator is not None and generator.location in calls
        if not twin and not (each.is_group and len(found) > 1):
            kept.append(each)
    return sorted(kept, key=lambda each: each.rank)
