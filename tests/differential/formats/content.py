"""The content of every output format, on whole trees: per target for label_kind, location, xml, build and proto, per
node and edge for graph, per target's rank for minrank and maxrank. Not the bytes of the whole: orders differ.

workspace, Bazel's answers (recorded beside its others) -> one Tally per format. `test_outputs.py` compares bytes, on
the fixtures.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from tests.differential.facts.compare import Difference, where
from tests.differential.formats import texts
from tests.differential.formats.texts import Element, Elements, readable
from tests.differential.real.answers import folder_of, stubs_of
from tests.differential.real.bazel import LINKED, OUR_OPTIONS, Bazel, Reply, cache_folder
from tests.differential.real.module_registry import Modules
from tests.differential.trees import REPOSITORY, Workspace

Place = Callable[[str], str]
SHARE = 0.995
"""The part of Bazel's elements that must be equal in each format of each tree."""

# The conditions of an edge stand in the order of a hash table, and those of a factored edge run into one another: all
# of them are asked for, since the first few would be any, and compared as a set.
_CONDITIONS = "--graph:conditional_edges_limit=-1"
_OWN = "--noimplicit_deps"
_UNFACTORED = ("--nograph:factored", "--graph:node_limit=-1", _CONDITIONS)
QUESTIONS: dict[str, tuple[str, ...]] = {
    "label_kind": ("//...:*", "--output=label_kind"),
    "location": ("//...:*", "--output=location"),
    "build": ("//...", "--output=build"),
    "xml": ("//...:*", "--output=xml"),
    "proto": ("//...:*", "--output=proto"),
    "minrank": ("deps(//...)", "--output=minrank", _OWN),
    "maxrank": ("deps(//...)", "--output=maxrank", _OWN),
    "graph": ("deps(//...)", "--output=graph", _OWN, *_UNFACTORED),
    "factored graph": ("//...", "--output=graph", "--graph:node_limit=-1", "--order_output=full", _CONDITIONS),
}
_OF_SINGLE_TARGETS = ("label_kind", "location", "build", "xml", "proto")
"""What these print of a target does not depend on which others there are."""
_READERS: dict[str, tuple[tuple[str, Callable[[str], Elements]], ...]] = {
    "label_kind": (("label_kind", texts.label_kinds),),
    "location": (("location", texts.locations),),
    "build": (("build", texts.build),),
    "xml": (("xml", texts.xml),),
    "minrank": (("minrank", texts.ranks),),
    "maxrank": (("maxrank", texts.ranks),),
    "graph": (("graph: nodes", texts.nodes), ("graph: edges", texts.edges)),
    "factored graph": (
        ("factored graph: nodes", texts.nodes),
        ("factored graph: edges", texts.edges),
    ),
}
NAMES = tuple(name for question in QUESTIONS for name in dict(_READERS.get(question, ((question, texts.xml),))))
"""The tallies of a tree, in order."""


@dataclass(frozen=True, slots=True)
class Tally:
    """One format of one tree: Bazel's elements (rules, where it prints kinds), how many are equal, what differs."""

    name: str
    compared: int
    equal: int
    differences: tuple[Difference, ...]

    def named(self, *, share: bool) -> Iterator[tuple[Difference, Difference]]:
        """Each difference under the name of the format, and as any comparison calls it; one more for a low share."""
        for each in self.differences:
            yield replace(each, cause=f"{self.name}: {each.cause}"), each
        if share and not self.enough:
            low = Difference("less than 99.5 %", self.name, "", self.name, str(self.compared), str(self.equal))
            yield low, low

    @property
    def enough(self) -> bool:
        """Whether so much is equal that the rest may be explained."""
        return self.equal >= SHARE * self.compared


def record(bazel: Bazel, folder: Path, *, refresh: bool) -> None:
    """Asks Bazel what the folder does not have yet."""
    for question in QUESTIONS.values():
        path = _path(folder, question)
        if refresh or not path.is_file():
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(gzip.compress(bazel.query(*question).output, 3, mtime=0))


def recorded(folder: Path) -> bool:
    """Whether the folder has all of Bazel's answers."""
    return all(_path(folder, question).is_file() for question in QUESTIONS.values())


def _path(folder: Path, question: tuple[str, ...]) -> Path:
    name = hashlib.sha256("\0".join(question).encode()).hexdigest()[:16]
    return folder / "formats" / f"{name}.gz"


def tallies(workspace: Workspace, version: str, fetched: Mapping[str, Path], *, refresh: bool) -> Iterator[Tally]:
    """Every format. `fetched` are Bazel's own repositories, which bzlgraph is given."""
    assert workspace.tree is not None
    folder, overrides = folder_of(workspace, version), {**fetched, **stubs_of(workspace)}
    if refresh or not recorded(folder):
        with Bazel(version, workspace.tree, stubs_of(workspace)) as bazel:
            record(bazel, folder, refresh=refresh)
    place = placer(workspace.tree, overrides)
    theirs = {name: gzip.decompress(_path(folder, question).read_bytes()) for name, question in QUESTIONS.items()}
    with tempfile.TemporaryDirectory(prefix="bzlgraph-formats-") as outputs:
        ask = partial(ask_ours, workspace.tree, version, overrides, Path(outputs))
        ours = {name: reply.output for name, reply in ask(QUESTIONS).items()}
        extra = only_ours(theirs, ours)
        if extra:
            ours |= {name: reply.output for name, reply in ask(narrowed(extra)).items()}
    for name in QUESTIONS:
        yield from compare_format(name, theirs[name], ours[name], place)


def only_ours(theirs: Mapping[str, bytes], ours: Mapping[str, bytes]) -> list[str]:
    """The targets that bzlgraph has more than Bazel. Each is a difference of `//...:*` or of `deps(//...)`, which are
    compared as questions, and needs its reason there; it would change the ranks and the classes of all around it."""
    found: set[str] = set()
    for name, reader in (("label_kind", texts.label_kinds), ("minrank", texts.ranks)):
        found |= reader(ours[name].decode()).keys() - reader(theirs[name].decode()).keys()
    return sorted(found)


def narrowed(unwanted: list[str]) -> dict[str, tuple[str, ...]]:
    """The questions about ranks and graphs, over the rest of the workspace."""
    these = "set(" + " ".join(f'"{label}"' for label in unwanted) + ")"
    return {
        name: (expression.replace("//...", f"(//... - {these})") + f" - {these}", *options)
        for name, (expression, *options) in QUESTIONS.items()
        if name not in _OF_SINGLE_TARGETS
    }


def ask_ours(
    tree: Path,
    version: str,
    overrides: Mapping[str, Path],
    folder: Path,
    questions: Mapping[str, tuple[str, ...]],
    modules: Modules | None = None,
) -> dict[str, Reply]:
    """bzlgraph's answers; that one is incomplete stands among its errors."""
    answers = {name: folder / name for name in questions}
    stubs = [f"--override_repository={name}={path}" for name, path in overrides.items()]
    stubs += [f"--allow_outside={folder}" for folder in LINKED]
    head = ["-C", str(tree), f"--cache_dir={folder / 'cache'}", "--bazel_version", version, *stubs, "query", "-k"]
    head += (*modules.options, "--noenable_workspace") if modules else OUR_OPTIONS.get(version, ())
    lines = []
    for name, (expression, *options) in questions.items():
        answers[name].write_bytes(b"")
        lines.append([*head, *options, f"--output_file={answers[name]}", "--", expression])
    command = [sys.executable, "-m", "tests.differential.formats.ours"]
    done = subprocess.run(
        command, input=json.dumps(lines), text=True, cwd=REPOSITORY, check=True, capture_output=True, encoding="utf-8"
    )
    ends = dict(zip(answers, json.loads(done.stdout), strict=True))
    return {name: Reply(path.read_bytes(), tuple(ends[name][1]), ends[name][0]) for name, path in answers.items()}


def placer(tree: Path, overrides: Mapping[str, Path]) -> Place:
    """Makes paths relative to the tree; those in other repositories begin with `external/NAME/`, for both."""
    output = re.compile(re.escape(f"{cache_folder() / 'output'}/") + r"[^/]+/[0-9a-f]{32}/external/")
    roots = {f"{each}/": f"external/{name}/" for name, path in overrides.items() for each in (path, path.resolve())}
    known = re.compile("|".join(map(re.escape, sorted(roots, key=len, reverse=True))) or "(?!)")
    own = f"{tree}/"

    def place(text: str) -> str:
        return output.sub("external/", known.sub(lambda match: roots[match[0]], text)).replace(own, "")

    return place


def compare_format(question: str, theirs: bytes, ours: bytes, place: Place) -> Iterator[Tally]:
    """The tallies of one answer: two for a graph, one for anything else."""
    if question == "proto":
        yield _tally(question, texts.proto(theirs, place), texts.proto(ours, place))
        return
    left, right = (place(each.decode("utf-8", "surrogateescape")) for each in (theirs, ours))
    for name, reader in _READERS[question]:
        yield _tally(name, reader(left), reader(right))


def _tally(name: str, theirs: Elements, ours: Elements) -> Tally:
    differences: list[Difference] = []
    compared = equal = 0
    for label, left in theirs.items():
        found = tuple(_differences(label, left, ours.get(label)))
        differences += found
        if not left.kind or left.kind.endswith(" rule"):
            compared += 1
            equal += not found
    for label, right in ours.items():
        if label not in theirs:
            differences.append(Difference("target too many", right.kind, "", label, "", _text(right)))
    return Tally(name, compared, equal, tuple(differences))


def _differences(label: str, left: Element, right: Element | None) -> Iterator[Difference]:
    if right is None:
        yield Difference("target missing", left.kind, "", label, _text(left), "")
    elif left.kind != right.kind:
        yield Difference("kind", left.kind, "", label, left.kind, right.kind)
    elif left.parts != right.parts:
        for name in left.parts.keys() | right.parts.keys():
            one, other = left.parts.get(name), right.parts.get(name)
            if one != other:
                cause = _place_cause(one, other) if name == "location" else _cause(one, other)
                yield Difference(cause, left.kind, name, label, readable(one), readable(other))
    elif list(left.parts) != list(right.parts):
        yield Difference("order of parts", left.kind, "", label, " ".join(left.parts), " ".join(right.parts))


def _cause(one: str | bytes | None, other: str | bytes | None) -> str:
    if one is None or other is None:
        return "part missing" if other is None else "part too many"
    return "order in part" if sorted(readable(one)) == sorted(readable(other)) else "part"


def _place_cause(one: str | bytes | None, other: str | bytes | None) -> str:
    """As the comparison of targets calls it: two places differ for the same reasons in every format."""
    return where(readable(one), readable(other))


def _text(element: Element) -> str:
    return " ".join(f"{name}={readable(part)}" for name, part in element.parts.items())
