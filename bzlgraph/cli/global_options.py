"""The global options of one run, and how the workspace they name is opened."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.phase import loading
from bzlgraph.base.span import Location
from bzlgraph.base.words import printable
from bzlgraph.cli import transcript
from bzlgraph.cli.printing import say
from bzlgraph.cli.terminal.layout import Look, look_now

if TYPE_CHECKING:
    from bzlgraph.cli.outcome import Outcome
    from bzlgraph.config.arguments import ConfigArguments
    from bzlgraph.defaults.files import Defaults
    from bzlgraph.questions.session import Session
    from bzlgraph.starlark.evaluation.budget import Budget


@dataclass(frozen=True, slots=True)
class GlobalOptions:
    """The global options, as given."""

    directory: str
    overrides: dict[str, Path]
    bazel_version: str
    strict: bool
    jobs: int
    executor: str
    cache_dir: str | None
    use_cache: bool
    color: str
    host_os: str
    host_arch: str
    output_base: str | None
    repository_folders: tuple[str, ...]
    stay_inside: bool
    allow_outside: tuple[str, ...]
    csv_raw: bool
    profile: bool
    quiet: bool
    verbose: bool
    defaults: Defaults
    """What files set; the other fields have it already."""
    limits: Mapping[str, float | None]
    """What evaluating a package may take, as far as it was given."""

    def session(self, arguments: ConfigArguments, of_any_build: bool = False) -> Session:
        """The workspace of ``-C``, or what ``of_any_build`` takes for one, opened. Raises UsageProblem."""
        from bzlgraph.cache.folder import default_folder
        from bzlgraph.questions.session import open_session
        from bzlgraph.workspace.options import Options, RepositoryOptions

        named = Path(os.path.abspath(os.path.expanduser(self.cache_dir))) if self.cache_dir else default_folder()
        cached = named if self.use_cache else None
        places = RepositoryOptions(
            host_os=self.host_os,
            host_arch=self.host_arch,
            output_base=folder(self.output_base) if self.output_base else None,
            repository_folders=tuple(map(folder, self.repository_folders)),
            stay_inside=self.stay_inside,
            allow_outside=tuple(map(folder, self.allow_outside)),
        )
        most = self.budget()
        options = Options(
            *(self.overrides, self.bazel_version, cached, self.jobs, show_print),
            repositories=places,
            budget=most,
            executor=self.executor,
            note=show_note,
            of_any_build=of_any_build,
        )
        session = open_session(self.directory, options, arguments)
        session.loader.progress = loading
        cache = session.loader.workspace.cache
        if (noted := transcript.current()) is not None:
            noted.opened(session)
        if cache.unsafe:
            say(f"The cache is off: {cache.refused}")
        return session

    def session_after_an_edit(self, arguments: ConfigArguments) -> tuple[Session, Outcome | None]:
        """The workspace, opened; and the answer that the kept graph gives once what an edit concerns was loaded anew,
        and what the graph lacks was added, if it gives one. Raises UsageProblem."""
        from bzlgraph.cli.outcome import ExitCode, Outcome

        session, noted = self.session(arguments), transcript.current()
        kept = noted.answer_after_an_edit() if noted is not None else None
        if kept is not None:
            return session, Outcome((kept.out,), notes=tuple(kept.told), code=ExitCode(kept.code))
        if session.graph.packages:  # what was loaded for that has nothing to do with this answer
            session = self.session(arguments)
        return session, None

    def budget(self) -> Budget:
        """What evaluating a package may take. Raises UsageProblem for a limit of nothing."""
        from bzlgraph.starlark.evaluation.budget import DEFAULT

        given = {name: limit for name, limit in self.limits.items() if limit is not None}
        for name, limit in given.items():
            if limit <= 0:
                raise UsageProblem(f"--max_{name}={limit:g}: expected more than 0")
        return replace(DEFAULT, **given)  # type: ignore[arg-type]  # click has read each as its type

    def row_format(self, name: str) -> str:
        """The name of a format of rows, as ``--csv_raw`` wants it."""
        return "csv_raw" if name == "csv" and self.csv_raw else name

    def look(self) -> Look:
        """How stdout shows text."""
        return look_now(self.color)


def parse_override(text: str) -> tuple[str, Path]:
    """``name=path`` -> (name, path). Raises UsageProblem."""
    name, equals, path = text.partition("=")
    if not equals or not name or not path:
        raise UsageProblem(f"--override_repository={text}: expected NAME=PATH")
    return name.lstrip("@"), folder(path)


def folder(path: str) -> Path:
    """A folder as typed, absolute."""
    return Path(path).expanduser().resolve()


def show_print(text: str, location: Location) -> None:
    """``print()`` of Starlark code, as Bazel shows it; further lines are indented: they pass for nothing else."""
    say(f"DEBUG: {printable(str(location))}: " + "\n    ".join(text.split("\n")), passing=True)


def show_note(text: str) -> None:
    """What is told of the work that an answer took; it is no part of the answer."""
    say(f"note: {printable(text)}", passing=True)
