"""A question -> its answer, from the graph that an earlier question kept, or the full way.

This module is imported before anything heavy is: nothing but built-in modules here.
"""

from __future__ import annotations

import sys

from bzlgraph.base.causes import problem_texts, told_lines
from bzlgraph.base.words import Prose, location_text, visible
from bzlgraph.cache import answers, counters
from bzlgraph.cache.looks import Looks
from bzlgraph.cache.private import is_private_folder
from bzlgraph.cache.seal import NoKey
from bzlgraph.snapshot import command_line, place
from bzlgraph.snapshot.evaluation.evaluate import is_known, names_packages
from bzlgraph.snapshot.evaluation.expression import parse
from bzlgraph.snapshot.evaluation.found import found_by
from bzlgraph.snapshot.evaluation.run import Run
from bzlgraph.snapshot.kept import GROUP, KIND_WORDS, VISIBILITY, KeptGraph, NotLoaded, Unanswered
from bzlgraph.snapshot.mapped import DamagedFile, Mapped
from bzlgraph.snapshot.nodes.walk import Many, runs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from bzlgraph.base.causes import Told
    from bzlgraph.snapshot.command_line import Asked
    from bzlgraph.snapshot.evaluation.expression import Tree
    from bzlgraph.snapshot.evaluation.run import KeptGap

_WALKS = ("deps", "rdeps", "allrdeps", "same_pkg_direct_rdeps", "allpaths", "somepath", "buildfiles", "rbuildfiles")
OF_EXPRESSIONS = ("query", "select")
"""The commands that tell of the targets of an expression."""
PLAIN = ("label", "label_kind", "package")
"""The forms of answers that need no more than columns."""
AT_ONCE = 256
"""More labels are checked together, with those between them."""
_NO_FILE = (OSError, NoKey, ValueError, TypeError, EOFError)


class _Gap:
    """A gap as ``base.causes`` wants it."""

    __slots__ = ("hides", "kind", "location", "repository", "what")

    def __init__(self, gap: KeptGap) -> None:
        self.kind, self.what, self.hides, place, self.repository = gap
        self.location = location_text(*place) if place is not None else ""


class KeptAnswer:
    """What is printed for a question: pieces of stdout, lines of stderr, the exit code. ``run``: the evaluation, of an
    expression."""

    def __init__(self, out: bytes, told: list[str], code: int) -> None:
        self.out = out
        self.told = told
        self.code = code
        self.run: Run | None = None


def answer(arguments: Sequence[str], laid_out: Callable[[bytes, Asked], bytes]) -> int | None:
    """Answer a command line from a kept graph; its exit code, None when it has to go the full way.

    ``laid_out``: what is printed as a terminal gets it.

    Raises OSError when stdout cannot take the answer.
    """
    asked = command_line.read(arguments)
    if asked is None or sys.stdout is None:
        return None
    given = find(answers.folder_named(arguments), asked)
    if given is None:
        return None
    if asked.profile:
        left = "what" if asked.command == "flags" else "the graph that"
        given.told += counters.lines(f"answered from {left} an earlier question kept")
    shown = given.out
    if isinstance(shown, Prose) or sys.stdout.isatty():
        shown = laid_out(shown, asked)
    sys.stdout.buffer.write(shown)
    sys.stdout.flush()
    if sys.stderr is not None:
        sys.stderr.buffer.write(
            "".join(f"{visible(each)}\n" for each in given.told).encode("utf-8", "backslashreplace")
        )
        sys.stderr.flush()
    return given.code


def find(cache: str | None, asked: Asked) -> KeptAnswer | None:
    """The answer to a question, None when there is no graph for it, or it is not answered here."""
    if asked.command == "flags":
        return _of_switches(cache, asked)
    tree = _tree(asked)  # before anything is read
    if cache is None or tree is None:
        return None
    few = asked.command in OF_EXPRESSIONS and names_packages(tree)
    graph = open_kept(cache, asked, unchanged=not few)
    if graph is None:
        return None
    try:
        found = answer_from(graph, cache, asked, tree)
        if few and found.run is not None:
            from bzlgraph.snapshot.stale import looks_around

            return found if _hold(looks_around(graph, found.run.packages())) else None
        return found
    except (Unanswered, DamagedFile, RecursionError):
        return None


def answer_from(graph: KeptGraph, cache: str, asked: Asked, tree: Tree | None = None) -> KeptAnswer:
    """The answer to a question, whatever became of what the graph was made from. Raises Unanswered, DamagedFile."""
    tree = tree or _tree(asked)
    if tree is None:
        raise Unanswered
    return reply(graph, cache, tree, asked) if asked.command in OF_EXPRESSIONS else _of_view(graph, cache, asked)


def _tree(asked: Asked) -> Tree | None:
    """What is asked, if that is answered here."""
    if asked.command == "flags" or asked.command in command_line.LATER:
        return None
    tree = parse(asked.text) if asked.command not in ("why", "expand") else ("word", asked.text)
    return tree if tree is not None and is_known(tree) else None


def open_kept(cache: str | None, asked: Asked, unchanged: bool = True) -> KeptGraph | None:
    """The kept graph for a question, if it is to be ``unchanged`` only if everything it was made from is as it was."""
    try:
        file = _open(cache, asked, unchanged)
        return KeptGraph(file) if file is not None else None
    except _NO_FILE:
        return None


def _open(cache: str | None, asked: Asked, unchanged: bool = True) -> Mapped | None:
    """What is kept for a question. Raises what is in ``_NO_FILE``."""
    if cache is None or not is_private_folder(cache):
        return None
    key = place.key_of(asked)
    file = Mapped(place.path_of(cache, key), place.seal(), key)
    return file if not unchanged or _hold(Looks(file.table("looks"))) else None


def _hold(looks: Looks) -> bool:
    counters.count(counters.LOOKED_AT, len(looks.states))
    return looks.hold()


def _of_switches(cache: str | None, asked: Asked) -> KeptAnswer | None:
    """What is known of a name that can be switched."""
    try:
        file = _open(cache, asked)
        if file is None:
            return None
        from bzlgraph.snapshot.commands.switches import Refused, switches

        try:
            return _told(asked, *switches(file, asked))
        except Refused as refused:
            return KeptAnswer(b"", problem_texts(refused.texts), 7)
    except (*_NO_FILE, Unanswered):
        return None


def _of_view(graph: KeptGraph, cache: str, asked: Asked) -> KeptAnswer:
    if asked.command == "why" and asked.output == "text":
        from bzlgraph.snapshot.commands.why import why_text

        try:
            return _told(asked, *why_text(graph, cache, asked))
        except NotLoaded:
            raise
        except Unanswered:
            pass
    if asked.command == "why":
        from bzlgraph.snapshot.commands.why_and_expand import why as ask
    elif asked.command == "expand":
        from bzlgraph.snapshot.commands.why_and_expand import expand as ask
    else:
        from bzlgraph.snapshot.commands.trees import tree as ask

    return _told(asked, *ask(graph, cache, asked))


def _told(
    asked: Asked,
    out: bytes,
    notes: Iterable[str],
    problems: Collection[str],
    gaps: Collection[Told],
    shown: Collection[Told] = (),
) -> KeptAnswer:
    """``cli.conclude``, of what is asked here. ``shown``: the gaps that stdout tells of."""
    told = told_lines(
        notes, problems, [gap for gap in gaps if gap not in shown], quiet=asked.quiet, verbose=asked.verbose
    )
    partial = asked.keep_going if problems else asked.strict and bool(gaps)
    return KeptAnswer(out, told, 3 if partial else 7 if problems else 0)


def reply(graph: KeptGraph, cache: str, tree: Tree, asked: Asked) -> KeptAnswer:
    """The answer to an expression. Raises Unanswered, DamagedFile."""
    run = Run(graph, asked.excluded, cache)
    found = found_by(run, tree, asked.text)
    notes = found.notes
    if asked.command == "select":
        from bzlgraph.snapshot.commands.select_answer import select

        out, more = select(run, asked, found)
        notes += more
    elif asked.output not in PLAIN:
        from bzlgraph.snapshot.commands.written import written

        out = b"".join(written(run, asked, found))
    else:
        out = b"".join(_printed(run, found.nodes, asked, found.is_path))
        if not out.isascii():
            out = visible(out.decode("utf-8", "surrogatepass")).encode()
    answered = _told(asked, out, notes, found.problems, [_Gap(each) for each in found.gaps])
    answered.run = run
    return answered


# ------------------------------------------------------------------------------------------------------ formats
def _printed(run: Run, nodes: list[int] | Many, asked: Asked, is_path: bool) -> Iterable[bytes | memoryview]:
    graph = run.graph
    if asked.output == "package":
        package_of = graph.whole("package_of")
        keys = map(graph.key, {package_of[node] for node in nodes})
        texts = sorted(f"@{repo}//{name}" if repo else name for repo, name in keys)
        return (f"{text}\n".encode("utf-8", "surrogatepass") for text in texts)
    by_label = graph.facts["auto_order"] == "label" or is_path
    if len(nodes) > 1 and (asked.order in ("deps", "full") or (asked.order == "auto" and not by_label)):
        nodes = _in_dependency_order(run, nodes, asked)
    if asked.output == "label":
        return _lines(graph, nodes)
    return _kinds(graph, nodes)


def _lines(graph: KeptGraph, nodes: list[int] | Many) -> Iterable[memoryview]:
    """The labels of nodes, those of consecutive ones at once."""
    at = graph.whole("text_at")
    if isinstance(nodes, Many):
        from bzlgraph.snapshot.nodes.many import runs_of_many

        texts = graph.whole("texts")
        return [texts[begin:end] for begin, end in runs_of_many(at, nodes.mask)]
    return _lines_of_few(graph, nodes)


def _lines_of_few(graph: KeptGraph, nodes: list[int]) -> Iterator[memoryview]:
    texts, at = graph.column("texts"), graph.whole("text_at")
    check = graph.file.check
    few = len(nodes) <= AT_ONCE
    if not few:
        check("texts", at[min(nodes)], at[max(nodes) + 1])
    for begin, end in runs(at, nodes):
        if few:
            check("texts", begin, end)
        yield texts[begin:end]


def _kinds(graph: KeptGraph, nodes: Iterable[int]) -> Iterator[bytes]:
    kinds, class_of, classes = graph.whole("kinds"), graph.whole("class_of"), graph.table("classes")
    words = [each.encode() + b" " for each in KIND_WORDS]
    of_class = [f"{each[1]} ".encode("utf-8", "surrogatepass") for each in classes]
    return ((words[kinds[node]] if kinds[node] else of_class[class_of[node]]) + graph.line(node) for node in nodes)


def _in_dependency_order(run: Run, nodes: Iterable[int], asked: Asked) -> list[int]:
    """``bazel_view.subgraph``: each target before its dependencies, depth first from the smallest label."""
    by_label = None if run.graph.same_order else run.graph.by_label
    unseen = set(nodes)
    named = _ends_within(run, nodes, unseen, asked)
    done: list[int] = []
    for root in sorted(nodes, key=by_label):
        if root not in unseen:
            continue
        unseen.discard(root)
        waiting = [(root, iter(sorted(named(root), key=by_label)))]
        while waiting:
            node, left = waiting[-1]
            for end in left:
                if end in unseen:
                    unseen.discard(end)
                    waiting.append((end, iter(sorted(named(end), key=by_label))))
                    break
            else:
                done.append(node)
                waiting.pop()
    done.reverse()
    return done


def _ends_within(run: Run, nodes: Iterable[int], inside: set[int], asked: Asked) -> Callable[[int], set[int]]:
    """What each of the nodes of an answer names inside of a set, which may shrink meanwhile: of what no call of the
    query walked Bazel knows less."""
    graph, walked = run.graph, _walks(asked.text)
    excluded = asked.excluded if walked else asked.excluded | VISIBILITY
    (run.check_ends if walked and not excluded else run.check_edges)(nodes)
    first, targets = graph.whole("first_edge"), graph.column("edge_target")
    flags, attributes = graph.column("edge_flags"), graph.column("edge_attribute")
    kinds, class_of, classes = graph.whole("kinds"), graph.whole("class_of"), graph.table("classes")

    def ends(node: int) -> set[int]:
        if walked and not excluded:
            return inside.intersection(targets[first[node] : first[node + 1]])
        edges = range(first[node], first[node + 1])
        if walked:
            return {targets[edge] for edge in edges if targets[edge] in inside and not flags[edge] & excluded}
        if kinds[node] == GROUP:
            return set()
        brought = classes[class_of[node]][4]
        followed = (edge for edge in edges if not flags[edge] & excluded and attributes[edge] not in brought)
        return {targets[edge] for edge in followed if targets[edge] in inside}

    return ends


def _walks(text: str) -> bool:
    """``subgraph.walks``: whether the text of a query has a call that follows edges."""
    for name in _WALKS:
        at = text.find(name)
        while at >= 0:
            before = text[at - 1 : at]
            if not (before.isalnum() or before == "_") and text[at + len(name) :].lstrip().startswith("("):
                return True
            at = text.find(name, at + 1)
    return False
