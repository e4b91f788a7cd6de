"""Questions about what can be switched (``flags``): by kind, or all that is known of one name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from bzlgraph.base.phase import working
from bzlgraph.config.arguments import ConfigArguments, option_table
from bzlgraph.flags.bazelrc_table import BazelrcView, bazelrc_view
from bzlgraph.flags.configure.questions import configure
from bzlgraph.flags.knowledge import Knowledge
from bzlgraph.flags.reading import begin_reading, read_knowledge, read_written
from bzlgraph.flags.rows import Configure, ConfigureRow, RuntimeFlag, RuntimeFlags, rows_naming
from bzlgraph.flags.runtime.runtime_flags import runtime_flags
from bzlgraph.flags.settings.rows import settings
from bzlgraph.flags.settings.table import SettingRow, SettingsAnswer, settings_naming
from bzlgraph.flags.trace import Trace, is_written, refuse_unwritten, trace_of
from bzlgraph.questions.reply import Reply
from bzlgraph.questions.session import UNCONFIGURED, Session

Source = TypeVar("Source")
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Listing(Generic[Source, Row]):
    """All that was read, and the rows of it that were asked for."""

    source: Source
    rows: Sequence[Row]


def ask_configure(session: Session, name: str) -> Reply[Listing[Configure, ConfigureRow]]:
    """What configure scripts ask. Raises LoadProblem when nothing has ``name`` in it."""
    workspace = session.loader.workspace
    found = configure(workspace.repository("").tree.source, workspace.options.cache_folder)
    rows = rows_naming(name, found.rows, lambda row: row.cells())
    return Reply(Listing(found, rows), session.completeness(gaps=found.gaps))


def ask_settings(session: Session, name: str) -> Reply[Listing[SettingsAnswer, SettingRow]]:
    """The settings of all packages. Raises LoadProblem when nothing has ``name`` in it."""
    found = _settings(session)
    rows = settings_naming(name, found.rows)
    return Reply(Listing(found, rows), session.completeness(gaps=(*found.gaps, *session.package_gaps())))


def ask_runtime(session: Session, name: str) -> Reply[Listing[RuntimeFlags, RuntimeFlag]]:
    """The flags that programs read. Raises LoadProblem when nothing has ``name`` in it."""
    workspace = session.loader.workspace
    tree = workspace.repository("").tree
    found = runtime_flags(tree.source, tree.entries, workspace.options.cache_folder)
    rows = rows_naming(name, found.rows, lambda row: (row.group, row.name, row.description))
    return Reply(Listing(found, rows), session.completeness(gaps=found.gaps))


def ask_bazelrc(session: Session, config: str = "", arguments: ConfigArguments = UNCONFIGURED) -> Reply[BazelrcView]:
    """What the rc files say, of one config or of all. Raises UsageProblem for an unknown config."""
    view = bazelrc_view(session.loader.workspace, arguments, config)
    return Reply(view, session.completeness(), tuple(each.render() for each in view.problems))


def ask_knowledge(session: Session, arguments: ConfigArguments = UNCONFIGURED) -> Reply[Knowledge]:
    """All kinds. Raises UsageProblem for rc files that cannot be read."""
    known = session.once(("knowledge", arguments), lambda: _knowledge(session, arguments))
    return Reply(known, session.completeness(gaps=(*known.gaps, *session.package_gaps())))


def _settings(session: Session) -> SettingsAnswer:
    workspace = session.loader.workspace
    return settings(session.graph, option_table(workspace), behind_aliases=workspace.facts.flags_behind_aliases)


def _knowledge(session: Session, arguments: ConfigArguments) -> Knowledge:
    workspace = session.loader.workspace
    waiting = begin_reading(workspace)
    working("Reading settings and their selects")
    listed = _settings(session)
    if waiting is not None:
        waiting()
    return read_knowledge(workspace, listed, _written(session, arguments))


def refuse_early(session: Session, name: str, arguments: ConfigArguments) -> None:
    """Raises LoadProblem for a name that only a file can make which is read in a moment, and that none makes."""
    if is_written(name):
        refuse_unwritten(name, _written(session, arguments))


def ask_trace(
    session: Session, name: str, arguments: ConfigArguments = UNCONFIGURED
) -> Reply[Listing[Knowledge, Trace]]:
    """All that is known of one name. Raises LoadProblem when nothing is called so."""
    refuse_early(session, name, arguments)
    known = ask_knowledge(session, arguments).answer
    trace = trace_of(name, known)
    return Reply(Listing(known, (trace,)), session.completeness(gaps=(*trace.gaps, *session.package_gaps())))


def _written(session: Session, arguments: ConfigArguments) -> Knowledge:
    working("Reading configure scripts and rc files")
    return session.once(("written", arguments), lambda: read_written(session.loader.workspace, arguments))
