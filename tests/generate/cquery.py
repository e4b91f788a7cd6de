"""Configurations of generated workspaces: what `bazel cquery` says with a command line, and the same of bzlgraph.

The rules of all workspaces of a tree are asked about at once, with --keep_going. Of those that Bazel can analyze all
that they depend on is compared, with the configuration that it is in, and what attributes with selects come to. Of the
others it is compared whether a select() without a branch that holds, or a toolchain that is missing, is the reason.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from subprocess import CompletedProcess

from bzlgraph.bazel.model import Rule
from bzlgraph.config.configuration import Configuration
from bzlgraph.config.configured.nodes import TARGET
from bzlgraph.config.settings import Settings
from bzlgraph.config.transitions.evaluate import with_plain_flags
from tests.differential.configured.names import comparable, named, read_configured, targets_in
from tests.differential.configured.ours import Ours, aliases, configured_labels, platform_labels
from tests.differential.configured.recorded import chosen, read_printed, value_lines
from tests.differential.facts.compare import Difference
from tests.differential.facts.proto_answer import read_proto
from tests.differential.facts.records import Answer, Select
from tests.differential.real.bazel import DEBIAN_VERSION, UNSTABLE_VERSION, Bazel

_FILES = ("null", "0")
_FAILED = re.compile(r"errors encountered while analyzing target '([^']+)'")
_LABEL = r"(//[^\s:]*:\S+?)"
_REFUSED = (
    re.compile(rf"{_LABEL}: Configurable attribute"),
    re.compile(rf"Configurable attribute \"\S+\" in {_LABEL} doesn't match"),
    re.compile(
        rf"[Ww]hile resolving toolchains for target {_LABEL}(?: \(\w+\))?: "
        r"[Nn]o matching toolchains found for types? @?//"
    ),
)
"""How Bazels say that they refuse a target for what bzlgraph decides, too. Of toolchains that Bazel registers by itself
its built-in model knows nothing, which is a gap of every answer with native rules."""
_CRASHED = re.compile(rf"Unrecoverable error while evaluating node '{_LABEL} ")
"""How Bazels before 4 refuse an alias of None: they end with an internal error."""
_NAMES = re.compile(
    r"^(BuildConfiguration |Skyframe Key: | *(transition directory name fragment|affected by starlark transition): )"
    r".*\n",
    re.MULTILINE,
)
"""What is no option in what Bazel 4 says of a configuration."""
_WORKSPACE = re.compile(r"//(w\d+)[/:]")
_SAME = {UNSTABLE_VERSION: ("--notrim_test_configuration",)}
"""Bazel 7 has targets that are no tests in a configuration without options of tests."""
_MORE = "--define=asked=first"
_BAZEL, _OURS = "Bazel only", "bzlgraph only"
_LOSES = (UNSTABLE_VERSION,)
"""Who does not find a target by its label when the transition of its rule leads elsewhere a second time: its key says
that the transition was followed, and no label means such a key. Who depends on the target shows it."""
_NO_ROOTS = (
    *("test_suite", "package_group", "genquery"),
    *("toolchain", "toolchain_type", "implementation"),
    "config_setting",
)
"""Rules that stand for others, or that Bazel evaluates anyway: in each configuration where toolchains are looked for,
in each that a rule with selects is in before its transition. They are compared where the roots lead to them."""


Facts = Mapping[str, Collection[str]]
"""Those of each workspace."""


@dataclass(frozen=True, slots=True)
class Said:
    """What Bazel says with a command line: the roots that it cannot analyze, the targets that it refuses for a reason
    that bzlgraph knows, and the facts about the other roots, but for those that it analyzes and does not find."""

    line: str
    failed: Collection[str]
    refused: Collection[str]
    roots: Collection[str]
    facts: Facts
    lost: Collection[str] = ()


def roots(targets: Answer) -> list[str]:
    """The rules that are asked about."""
    rules = (each for each in targets.values() if each.kind.endswith(" rule"))
    return sorted(each.label for each in rules if each.kind.split()[0] not in _NO_ROOTS and each.label[:3] == "//w")


def selects(targets: Answer) -> frozenset[str]:
    """``label attribute`` of all attributes that hold selects."""
    return frozenset(
        f"{label} {name}"
        for label, target in targets.items()
        for name, attribute in target.attributes.items()
        if isinstance(attribute.value, Select)
    )


def ask_bazel(bazel: Bazel, ours: Ours, line: str, labels: Sequence[str], known: frozenset[str]) -> Said:
    """What Bazel says about these roots.

    It is asked which it can analyze with an option more, so that it forgets all when it is asked about those: a label
    would mean the configurations in which the others have been looking for it, too. Some Bazels do not say whose
    transition failed, and go on without it: ``ours`` knows.
    """
    first, refused, failed = _attempt(bazel, ours, f"{line} {_MORE}", labels)
    errors = first.stderr.decode("utf-8", "replace")
    refused |= {label for pattern in _REFUSED for label in pattern.findall(errors)}
    failed |= set(_FAILED.findall(errors))
    if "Starlark transition" in errors:
        failed |= {each for each, why in refusals(ours, line, labels).items() if why.startswith("the transition of")}
    shown = {each.partition(" ")[0] for each in first.stdout.decode().splitlines()}
    lost = [each for each in labels if each not in failed | shown] if bazel.version in _LOSES else []
    left = [each for each in labels if each not in failed.union(lost)]
    return Said(line, sorted(failed), sorted(refused), left, _facts(bazel, line, left, known), lost)


def _attempt(
    bazel: Bazel, ours: Ours, line: str, labels: Sequence[str]
) -> tuple[CompletedProcess[bytes], set[str], set[str]]:
    """What it says, the targets that it ends at with an internal error, the roots that lead there: it is asked again
    without them."""
    crashed, leading = set[str](), set[str]()
    while True:
        asked = [each for each in labels if each not in leading]
        done = _ask(bazel, line, _joined(asked)) if asked else CompletedProcess((), 0, b"", b"")
        errors = done.stderr.decode("utf-8", "replace")
        new = set(_CRASHED.findall(errors)) - crashed
        if not new:
            if not set(asked) <= set(_FAILED.findall(errors)):
                _check(bazel, line, done)
            return done, crashed, leading
        crashed |= new
        view = ours.view(line)
        for each in labels:
            reached = ours.reached(view, ours.nodes(view, [each]))
            leading |= set() if crashed.isdisjoint(str(view.labels[node]) for node in reached) else {each}


def _facts(bazel: Bazel, line: str, labels: Sequence[str], known: frozenset[str]) -> Facts:
    """About roots that it can analyze. A label means all configurations in which it is evaluated."""
    if not labels:
        return {}
    newest = bazel.version == UNSTABLE_VERSION
    deps = _run(bazel, line, f"deps({_joined(labels)})", *(["--output=proto"] if newest else [])).stdout
    describe = _describing(bazel)
    found, tools = read_configured(deps) if newest else read_printed(deps.decode(), describe)
    found = [pair for pair in found if pair[0].startswith("//w")]
    here = chosen(found, "")
    if bazel.version == DEBIAN_VERSION:
        found, tools = alike(found, tools, lambda each: _NAMES.sub("", describe(each)), here)
    values = targets_in(_run(bazel, line, _joined(labels), "--output=proto").stdout, here)
    facts = _by_workspace(found, (here, *_FILES), tools)
    for each in value_lines(read_proto(values, str), known):
        facts[_of(each.split()[1])].add(_text(each))
    return {name: sorted(each) for name, each in facts.items()}


def _run(bazel: Bazel, line: str, expression: str, *options: str) -> CompletedProcess[bytes]:
    done = _ask(bazel, line, expression, *options)
    _check(bazel, line, done)
    return done


def _ask(bazel: Bazel, line: str, expression: str, *options: str) -> CompletedProcess[bytes]:
    options = (
        "--keep_going",
        "--noshow_progress",
        *bazel.repository_options(),
        *_SAME.get(bazel.version, ()),
        *line.split(),
        *options,
    )
    return bazel.run("cquery", expression, *options)


def _check(bazel: Bazel, line: str, done: CompletedProcess[bytes]) -> None:
    if not done.stdout:
        errors = done.stderr.decode("utf-8", "replace")[-2000:]
        raise RuntimeError(f"Bazel {bazel.version} cquery {line}: exit code {done.returncode}\n{errors}")


def _joined(labels: Iterable[str]) -> str:
    return " + ".join(f'"{each}"' for each in labels)


def _text(fact: str) -> str:
    """Bazel's protos have each byte of a text that is not ASCII as a character."""
    try:
        return fact.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return fact


def _describing(bazel: Bazel) -> Callable[[str], str]:
    return cache(lambda configuration: bazel.run("config", *bazel.repository_options(), configuration).stdout.decode())


def alike(
    found: Iterable[tuple[str, str]], tools: Collection[str], options: Callable[[str], Hashable], here: str
) -> tuple[list[tuple[str, str]], set[str]]:
    """Configurations with the same options are one: those of Bazel 4 have names of output folders, too, which remember
    what transitions have changed, and which flags were named by those that led there in one step. Those alike ``here``,
    that of the command line, get its name: it is what the values are asked for."""
    names = {each for _, each in found} - {"null", "", "HOST"}
    first: dict[Hashable, str] = {}
    known = {
        each: first.setdefault(options(each), each) for each in sorted(names, key=lambda each: (each != here, each))
    }
    return [(label, known.get(each, each)) for label, each in found], {known.get(each, each) for each in tools}


def ask_ours(ours: Ours, line: str, labels: Collection[str], shown: Container[tuple[str, str]]) -> Facts:
    """What bzlgraph says. Of what people cannot set, only the attributes that Bazel's facts are about: it has no select
    in some computed defaults (`query` is compared in that), and leaves out those that are no label."""
    view = ours.view(line)
    found, tools = configured_labels(view, ours.reached(view, ours.nodes(view, labels)))
    if view.configuration.facts.transitions_leave_marks:
        found, tools = alike(found, tools, lambda each: _options(view.reached[int(each)]), str(TARGET))
    facts = _by_workspace([pair for pair in found if pair[0].startswith("//w")], ("", "0"), tools)
    for each in ours.values(view, labels):
        label, name = each.split()[1:3]
        if name[0] != "$" or (label, name) in shown:
            facts[_of(label)].add(each)
    return {name: frozenset(each) for name, each in facts.items()}


def _options(settings: Settings) -> Configuration:
    """What a configuration has for values: the command line may set a flag to its default, or write it otherwise than
    a transition does."""
    return replace(with_plain_flags(settings), marks=frozenset())


def refusals(ours: Ours, line: str, labels: Collection[str]) -> dict[str, str]:
    """Label -> why, of what bzlgraph would refuse among the dependencies of these."""
    view = ours.view(line)
    found = ((node, view.problems_of([node])) for node in ours.reached(view, ours.nodes(view, labels)))
    return {str(view.labels[node]): problems[0].message for node, problems in found if problems}


def turning(ours: Ours, line: str, labels: Iterable[str]) -> frozenset[str]:
    """Which of these have rules whose transition leads elsewhere when it is followed a second time."""
    view = ours.view(line)
    nodes = ours.nodes(view, labels)
    view.closure(nodes)
    found = ((view.target(node), view.configured_in[node]) for node in nodes)
    return frozenset(
        str(rule.label)
        for rule, here in found
        if isinstance(rule, Rule) and view.reached.moves(rule.rule_class)
        if view.reached.behind(rule, "", here).numbers != (here,)
    )


def _by_workspace(
    found: Iterable[tuple[str, str]], here: Collection[str], tools: Collection[str]
) -> defaultdict[str, set[str]]:
    """Configurations that are no tools' and not of the command line have numbers in each workspace."""
    pairs: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for label, configuration in found:
        pairs[_of(label)].append((label, configuration))
    facts: defaultdict[str, set[str]] = defaultdict(set)
    facts.update({each: set(named(members, here, tools)) for each, members in pairs.items()})
    return facts


def _of(label: str) -> str:
    found = _WORKSPACE.match(label)
    return found[1] if found else ""


def differing(ours: Ours, theirs: Said, version: str) -> Iterator[Difference]:
    """What differs with a command line."""
    line, labels = theirs.line, [*theirs.roots, *theirs.failed]
    missing = set(theirs.refused) - refusals(ours, line, labels).keys()
    yield from (_difference(_BAZEL, f"refused {each}", line) for each in sorted(missing))
    wrong = sorted(refusals(ours, line, theirs.roots).items())
    yield from (_difference(_OURS, f"refused {label} {why}", line) for label, why in wrong)
    explained = turning(ours, line, theirs.lost)
    yield from (_difference(_OURS, f"found {each}", line) for each in theirs.lost if each not in explained)
    values = (fact.split() for about in theirs.facts.values() for fact in about if fact.startswith("value "))
    mine = ask_ours(ours, line, theirs.roots, {(words[1], words[2]) for words in values})
    apart = platform_labels(ours.view(line))
    apart |= aliases(ours.graph) if version.startswith(("0.", "1.", "2.")) else frozenset()
    for name in sorted(theirs.facts.keys() | mine.keys()):
        left, right = (comparable(facts.get(name, ()), apart) for facts in (theirs.facts, mine))
        yield from (_difference(_BAZEL, fact, line) for fact in sorted(left - right))
        yield from (_difference(_OURS, fact, line) for fact in sorted(right - left))


def _difference(who: str, fact: str, line: str) -> Difference:
    kind, *words = fact.split()
    place = {"value": 0, "other": 1}.get(kind, 0)
    theirs, ours = (fact, line) if who == _BAZEL else (line, fact)
    what = words[1] if kind == "value" else ""
    return Difference(f"cquery: {who}", kind, what, words[place], theirs, ours)
