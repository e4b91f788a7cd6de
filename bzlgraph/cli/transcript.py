"""What a command printed, and whether it may be printed again when the same question is asked.

``begin()`` before a command, ``finish()`` after it; in between ``outcome`` notes what it prints.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bzlgraph.base.errors import BzlgraphError
from bzlgraph.base.gap import Completeness
from bzlgraph.cache import answers, counters, looks
from bzlgraph.snapshot import command_line
from bzlgraph.snapshot.answer import open_kept
from bzlgraph.snapshot.evaluation.run import Run
from bzlgraph.snapshot.kept import Unanswered
from bzlgraph.snapshot.making.keep import bring_up_to_date, keep_graph, keep_switches
from bzlgraph.snapshot.mapped import DamagedFile

if TYPE_CHECKING:
    from bzlgraph.cli.outcome import Outcome
    from bzlgraph.flags.knowledge import Knowledge
    from bzlgraph.questions.reply import Asking
    from bzlgraph.questions.session import Session
    from bzlgraph.snapshot.answer import KeptAnswer
    from bzlgraph.snapshot.command_line import Asked
    from bzlgraph.snapshot.kept import KeptGraph

REPEATED = frozenset(
    (
        *("query", "why", "deps", "rdeps", "graph", "explore", "select", "diff-config", "flags", "op", "expand"),
        *("mod", "overview"),
    )
)
"""The commands whose answers are kept. ``doctor`` tells of the cache itself, the others take no time."""
WORTH_A_PROCESS = 20_000
"""Edges: keeping a graph of fewer takes little longer than starting a process."""


@dataclass(slots=True)
class Transcript:
    """What was printed by one command."""

    key: bytes
    cache: str
    """The cache folder that the command line names."""
    out: list[bytes] = field(default_factory=list)
    size: int = 0
    told: list[str] = field(default_factory=list)
    file: str = ""
    """Where the answer went; "" for stdout."""
    folder: Path | None = None
    """The cache folder, once a checkout was opened with one."""
    asked: Asked | None = None
    """The question, where a graph is kept for those like it."""
    session: Session | None = None
    """The checkout, once it was opened."""
    environment: tuple[str, ...] = ()
    """What had been looked at by then."""
    switches: Knowledge | None = None
    """What it has read of all that can be switched."""
    whole: bool = False
    """Whether it ended as an answer that may be given again."""
    of_graph: bool = False
    """Whether a kept graph gave the answer: this process has not looked at all that it was made from."""
    of_kept: bool = False
    """Whether a kept graph gave it, and all that this was made from is known."""
    kept_apart: Callable[[], bool] | None = None
    """What waits for the process that keeps the graph, and says whether it did."""
    packages: int = 0
    """How many packages that graph has."""

    def printed(self, piece: bytes) -> None:
        """Note a piece of the answer."""
        self.size += len(piece)
        if self.size <= answers.MAX_BYTES:
            self.out.append(piece)
        else:
            self.out.clear()  # it is not kept: no second copy of a large answer

    def opened(self, session: Session) -> None:
        """Note the checkout that the command is about, before any package is loaded."""
        self.folder, self.session = session.loader.workspace.cache.path, session
        seen = looks.recorded()
        if seen is not None and not self.environment:
            self.environment = tuple(seen.states)

    def answer_after_an_edit(self) -> KeptAnswer | None:
        """What the kept graph answers, once the packages that an edit concerns, or that it lacks, were loaded."""
        seen = looks.recorded()
        if self.asked is None or self.session is None or self.folder is None or seen is None:
            return None
        found = bring_up_to_date(self.folder, self.asked, self.session, self.environment, seen)
        self.of_graph = found is not None
        return found

    def answered_by(self, graph: KeptGraph) -> None:
        """Note that a kept graph gave the answer, which is made from all that this graph was made from."""
        self.folder, self.of_kept = Path(self.cache), True
        seen = looks.recorded()
        if seen is not None:
            seen.add(graph.table("looks"), reliable=True)

    def keep(self, seen: looks.Looks) -> None:
        """Keep the graph, or what was read of all that can be switched, for other questions."""
        if self.folder is None or self.asked is None or self.session is None or self.of_graph or self.of_kept:
            return
        self.session.loader.close()  # nothing is loaded any more, and a large graph needs their memory
        if self.asked.command != "flags":
            keep_graph(self.folder, self.asked, self.session, self.environment, seen)
        elif self.switches is not None:
            keep_switches(self.folder, self.asked, self.session, self.switches, seen)

    def is_kept(self) -> bool:
        """Whether another process has kept it, all of it. Waits for that."""
        done = self.kept_apart is not None and self.kept_apart()
        return done and self.session is not None and len(self.session.graph.packages) == self.packages

    def ends_with(self, completeness: Completeness, file: Path | None) -> None:
        """Note how complete the answer is: one with a problem, or that a limit cut short, is made anew."""
        self.file = str(file or "")
        self.whole = not completeness.problems and not looks.cut_short() and self.size <= answers.MAX_BYTES


_current: list[Transcript] = []


def begin(arguments: Sequence[str]) -> None:
    """Note what is printed and looked at from now on."""
    cache = answers.folder_named(arguments)
    if cache is None:
        return
    try:
        key = answers.question(arguments)
    except OSError:  # the current folder is gone
        return
    looks.record()
    _current[:] = [Transcript(key, cache, asked=command_line.read(arguments))]


def current() -> Transcript | None:
    """The transcript of the command that runs."""
    return _current[0] if _current else None


def forget() -> None:
    """The command reads something that its command line does not tell: its answer is not kept."""
    _current.clear()


def from_kept_graph(make: Callable[[Asking], Outcome]) -> Outcome | None:
    """What a command makes of the kept graph; None where it has to go the full way.

    ``make`` gets what answers expressions, all in one evaluation.
    """
    noted = current()
    graph = open_kept(noted.cache, noted.asked) if noted is not None and noted.asked is not None else None
    if noted is None or noted.asked is None or graph is None:
        return None
    from bzlgraph.snapshot.commands.written import query_reply

    run = Run(graph, noted.asked.excluded, noted.cache)
    try:
        outcome = make(lambda text: query_reply(run, text))
    except (BzlgraphError, Unanswered, DamagedFile, RecursionError):
        return None
    noted.answered_by(graph)
    return outcome


def keep_meanwhile() -> None:
    """Keep the graph in a process of its own while the answer is written, where that pays: the graph is large, and
    something was evaluated for it."""
    noted, seen = current(), looks.recorded()
    session = noted.session if noted is not None else None
    if noted is None or seen is None or session is None or not counters.counted(counters.EVALUATED):
        return
    if len(session.graph.columns.edge_target) >= WORTH_A_PROCESS:
        from bzlgraph.loading.executors.local import start_apart

        session.loader.close()
        noted.packages = len(session.graph.packages)
        noted.kept_apart = start_apart(partial(noted.keep, seen), session.loader.workspace.options.jobs)


def finish() -> None:
    """Keep the answer for the next time."""
    transcript, seen = current(), looks.recorded()
    _current.clear()
    if transcript is None or seen is None or transcript.folder is None:
        looks.stop()
        return
    if not transcript.is_kept():
        transcript.keep(seen)
    looks.stop()
    if transcript.whole and not transcript.of_graph:
        told = "".join(f"{each}\n" for each in transcript.told).encode("utf-8", "backslashreplace")
        answers.keep(str(transcript.folder), transcript.key, seen, b"".join(transcript.out), told, transcript.file)
