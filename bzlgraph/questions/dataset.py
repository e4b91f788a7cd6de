"""All that ``export dataset`` tells of a checkout: targets that match, settings, rc options, and the commit.

(session, expression) -> ``DatasetAnswer``, which holds what was read; ``export/dataset`` makes tables of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bzlgraph.base.gap import Completeness
from bzlgraph.config.arguments import option_table
from bzlgraph.flags.bazelrc_table import BazelrcView
from bzlgraph.flags.settings.rows import settings
from bzlgraph.flags.settings.table import SettingRow
from bzlgraph.query.answer import QueryAnswer
from bzlgraph.questions.reply import Reply
from bzlgraph.questions.session import QueryOptions, Session, ask_query
from bzlgraph.questions.switches import ask_bazelrc
from bzlgraph.workspace.workspace import Workspace

EVERYTHING = "deps(//...)"
"""What is exported unless an expression says otherwise: all of the checkout with everything that it needs."""

_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_BRANCH = re.compile(r"ref: (refs/[\w./+@-]+)")


@dataclass(frozen=True, slots=True)
class DatasetAnswer:
    """A checkout and what is to be told of it. ``revision`` is the commit, None where no folder ``.git`` tells it."""

    answer: QueryAnswer
    workspace: Workspace
    settings: Sequence[SettingRow]
    rc: BazelrcView
    completeness: Completeness
    revision: str | None


def ask_dataset(session: Session, expression: str, *, keep_going: bool) -> Reply[DatasetAnswer]:
    """What is exported of a checkout. Raises as ``ask_query``, and UsageProblem for rc files that cannot be read."""
    found, rc = ask_query(session, expression, QueryOptions(keep_going=keep_going)), ask_bazelrc(session)
    workspace = session.loader.workspace
    asked = settings(session.graph, option_table(workspace), whole=False)
    completeness = found.completeness.with_more(gaps=asked.gaps)
    answer = DatasetAnswer(found.answer, workspace, asked.rows, rc.answer, completeness, revision_of(session.root))
    return Reply(answer, completeness, tuple(dict.fromkeys((*found.notes, *rc.notes))))


def revision_of(root: Path) -> str | None:
    """The commit that is checked out, read from the folder ``.git``: no program runs, and no link out of it counts."""
    home = root / ".git"
    if home.is_symlink() or not home.is_dir():
        return None
    head = _line(home / "HEAD")
    branch = _BRANCH.fullmatch(head)
    if branch is None or ".." in head:
        return head if _COMMIT.fullmatch(head) else None
    commit = _line(home / branch.group(1))
    if not _COMMIT.fullmatch(commit):
        packed = (line.split() for line in _text(home / "packed-refs").splitlines())
        commit = next((words[0] for words in packed if words[1:] == [branch.group(1)]), "")
    return commit if _COMMIT.fullmatch(commit) else None


def _line(path: Path) -> str:
    return _text(path).strip()


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8") if path.is_file() else ""
    except (OSError, UnicodeDecodeError):
        return ""
