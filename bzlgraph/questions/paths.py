"""The question ``why``, from texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import QueryProblem, UsageProblem
from bzlgraph.base.label import Label, LabelError
from bzlgraph.base.phase import working
from bzlgraph.base.words import counted, enumerated
from bzlgraph.bazel.model import Rule
from bzlgraph.graph.model import NodeKind
from bzlgraph.graph.view import GraphView
from bzlgraph.graph.visibility import Visibilities
from bzlgraph.query.names import suggestion, undeclared
from bzlgraph.query.patterns import expand, parse_pattern
from bzlgraph.questions.reply import Checkout, Reply, notes_on
from bzlgraph.why.answer import StepVisibility, WhyAnswer
from bzlgraph.why.ask import why
from bzlgraph.why.visibility import step_visibility, visibility_on

if TYPE_CHECKING:
    from bzlgraph.config.arguments import ConfigArguments
    from bzlgraph.config.configured.view import AnyGraph
    from bzlgraph.questions.session import Session

EVERYWHERE = "//..."
"""Where paths start if nobody says it."""
_ROOM = 160
"""How many letters the names of the other nearest targets may take."""


def ask_why(
    session: Session,
    target: str,
    from_: str = EVERYWHERE,
    arguments: ConfigArguments | None = None,
    *,
    paths: int = 0,
    keep_going: bool = False,
    assume_declared: bool = False,
    depth: int = 1,
) -> Reply[WhyAnswer]:
    """Why the targets of the patterns ``from_`` need ``target``; a repository that has no target of its name stands for
    the nearest target of it that they need. ``assume_declared``: a label that nothing is known to declare is a target.
    ``depth``: how many steps outwards dependents are told, where ``from_`` is several targets; ``paths``: how many
    other paths are told, the best first.

    Raises LoadProblem for what does not exist, QueryProblem for what is no label, UsageProblem for options that Bazel
    refuses and for a target that is a pattern.
    """
    working("Looking for paths")
    view: AnyGraph = session.graph
    if arguments is not None:
        session = session.under(arguments)
        view = session.view(arguments)
    return why_reply(
        session,
        view,
        target,
        from_,
        paths=paths,
        keep_going=keep_going,
        assume_declared=assume_declared,
        depth=depth,
    )


def why_reply(
    checkout: Checkout,
    view: AnyGraph,
    target: str,
    from_: str,
    *,
    paths: int,
    keep_going: bool,
    assume_declared: bool = False,
    depth: int,
) -> Reply[WhyAnswer]:
    """``ask_why`` in a view of a graph. Raises as it does."""
    repository = _bare_repository(checkout, view, target)
    end = _target(checkout, view, target) if repository is None else -1
    starts, missing = checkout.targets(from_.split(), view, keep_going, assume_declared)
    about, is_there = "", False
    if repository is not None:
        end, about, is_loaded = _of_repository(view, starts, repository)
        is_there = is_loaded or checkout.origin(repository.repo) is not None
    answer = why_in(checkout, view, end, starts, paths=paths, depth=depth)
    notes = (*notes_on(view), *filter(None, (about,)), *_without_configuration(view, answer))
    if not (assume_declared or is_there):  # whether something names it is known only now
        for problem in undeclared([end], view).values():
            raise problem
    if answer.no_way is not None and repository is not None:  # nobody typed the name of a target
        answer = answer._replace(no_way=answer.no_way._replace(similar=()))
    if answer.no_way is not None and from_ == EVERYWHERE:  # nobody chose where paths start: nothing can be swapped
        answer = answer._replace(no_way=answer.no_way._replace(reversed=False))
    completeness = checkout.completeness((*missing, *answer.problems), (*answer.gaps, *answer.other_gaps))
    origin = checkout.origin(view.labels[end].repo)
    answer = answer._replace(problems=completeness.problems, origin=origin, among=tuple(from_.split()))
    answer = answer.within(completeness.gaps)
    return Reply(answer, completeness, notes)


def why_in(checkout: Checkout, view: AnyGraph, end: int, starts: list[int], *, paths: int, depth: int) -> WhyAnswer:
    """Why nodes of a view need another one; where there is no path the whole workspace is searched for dependents."""

    def widen() -> None:
        checkout.targets(["//..."], view, keep_going=True)

    answer = why(view, end, starts, paths=paths, depth=depth, widen=widen)
    answer = answer._replace(visibility=tuple(_visibility(checkout, view, answer, starts, end)))
    if view.configuration is not None:
        from bzlgraph.questions.toolchains import toolchain_reasons

        if answer.no_way is not None and not answer.no_way.missing:
            from bzlgraph.why.near_miss import near_misses

            misses = near_misses(view, view.base, starts, end)
            answer = answer._replace(no_way=answer.no_way._replace(misses=misses))
        answer = answer._replace(toolchains=tuple(toolchain_reasons(view, answer, starts)))
    return answer


def _visibility(
    checkout: Checkout, view: AnyGraph, answer: WhyAnswer, starts: list[int], end: int
) -> Iterator[StepVisibility]:
    """Of the steps of the path; where there is none, of the target, for the only source."""
    asked = Visibilities(checkout.written(view), checkout.mapping, checkout.root_is_everything)
    if answer.found:
        yield from visibility_on(view, answer.steps, asked)
    elif len(starts) == 1 and (found := step_visibility(view, starts[0], end, asked)) is not None:
        yield found


def _without_configuration(view: AnyGraph, answer: WhyAnswer) -> tuple[str, ...]:
    """That toolchains are found in a configuration only, where one was asked about and none is given."""
    if answer.no_way is None or view.configuration is not None:
        return ()
    hint = "note: toolchains depend on the configuration: give one, such as -c fastbuild"
    return (hint,) if _is_toolchain(view, answer.target.label) else ()


def _is_toolchain(view: AnyGraph, label: Label) -> bool:
    """Whether a label is a toolchain, a type of toolchains or what implements one, in the packages that are loaded."""
    named = view.find(label)
    if named is not None and view.class_name(named) in ("toolchain", "toolchain_type"):
        return True
    rules = (view.target(node) for node in range(len(view)) if view.class_name(node) == "toolchain")
    return any(isinstance(rule, Rule) and rule.get("toolchain") == label for rule in rules)


def _bare_repository(checkout: Checkout, view: AnyGraph, text: str) -> Label | None:
    """What ``@zlib`` stands for, if it names a repository without a target ``@zlib//:zlib``; else None."""
    if not text.startswith("@") or "/" in text or ":" in text:
        return None
    try:
        label = checkout.label(text)
    except LabelError:
        return None
    kind = view.kinds[view.resolve(label)]
    if kind == NodeKind.UNLOADED:  # of a repository that nothing defines, too: an edge may name it all the same
        return label
    return label if kind == NodeKind.MISSING and checkout.origin(label.repo) is not None else None


def _of_repository(view: AnyGraph, starts: list[int], label: Label) -> tuple[int, str, bool]:
    """The target that a repository's name stands for where it is needed, though nobody knows whether it is there; else
    of the repository's targets that are the fewest steps away the one that most name, and what is to be said of it.
    Where none is needed, the one that is not there, and whether something loads from the repository all the same."""
    named = view.resolve(label)
    seen, wave, nearest, named_by = set(starts), set(starts), set[int](), set[int]()
    while wave and named not in wave:
        view.reach(sorted(wave))
        nearest = nearest or {node for node in wave if view.labels[node].repo == label.repo}
        named_by = named_by if nearest else wave
        wave = {end for node in wave for end in view.ends_of(node)} - seen
        seen |= wave
    if wave:
        return named, "", False
    if not nearest:
        loading = _loading(view, starts, label.repo)
        return named, f"note: nothing depends on a target of @{label.repo}{loading}", bool(loading)
    uses = Counter(end for node in named_by for end in nearest.intersection(view.ends_of(node)))
    first, *others = sorted(view.by_label(nearest), key=lambda node: -uses[node])
    one = f"the most used of the {len(others) + 1:,} nearest targets" if others else "the nearest target"
    note = f"note: nothing depends on {label}; this is {one} in @{label.repo}"
    names = [str(view.labels[node]) for node in others]
    return first, enumerated(f"{note}, before ", names, len(note) + _ROOM) if others else note, False


def _loading(view: AnyGraph, nodes: list[int], repo: str) -> str:
    """Which BUILD files of nodes load .bzl files of a repository, which is why it is there: the first, and how many."""
    packages = {package.build_file: package for package in map(view.package_of, nodes)}
    loading = sorted(each for each, package in packages.items() if any(bzl.repo == repo for bzl in package.bzl_files))
    more = f" and {counted(len(loading) - 1, 'other BUILD file')} load" if len(loading) > 1 else " loads"
    return f", but {loading[0].shown_path(loading[0].repo)}{more} .bzl files from it" if loading else ""


def _target(checkout: Checkout, graph: GraphView, text: str) -> int:
    """The node of one label or file path. One that a gap may hide is a node too."""
    try:
        pattern = parse_pattern(text, "", checkout.folder, checkout.mapping)
    except LabelError as error:
        raise QueryProblem(Diagnostic(str(error), hint=suggestion(text, graph))) from None
    if pattern.below or pattern.wildcard:
        hint = f"bzlgraph query 'somepath(FROM, {text})' finds one path to any of them"
        raise UsageProblem(Diagnostic(f"why takes one target, and {text} is a pattern", hint=hint))
    (node,) = expand(pattern, graph)
    return node
