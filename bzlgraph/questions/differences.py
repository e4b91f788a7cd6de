"""The question ``diff-config``, from texts: what one configuration has and the other does not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from bzlgraph.base.phase import working
from bzlgraph.config.arguments import LEADING, ConfigArguments, chosen_configuration, option_table
from bzlgraph.config.assumed import OPTION
from bzlgraph.config.configured.view import ConfiguredView
from bzlgraph.config.option_use import ON_COMMAND_LINE, OptionUse, parse_options
from bzlgraph.config.settings import settings_for
from bzlgraph.diff.changes import WITHOUT, reaches
from bzlgraph.diff.compare import Comparison
from bzlgraph.diff.model import DiffAnswer, OptionChange, Side
from bzlgraph.query.language.parser import is_pattern
from bzlgraph.questions.reply import Reply, notes_on
from bzlgraph.questions.session import QueryOptions, Session, query_in
from bzlgraph.workspace.workspace import Workspace


def ask_diff(
    session: Session,
    text: str,
    left: ConfigArguments,
    right: ConfigArguments,
    options: QueryOptions,
) -> Reply[DiffAnswer]:
    """What changes in the targets of an expression; a plain pattern stands for ``deps(pattern)``.

    No options of Bazel on a side are its defaults and the .bazelrc. Raises as ``targets.ask_query``.
    """
    working("Comparing configurations")
    asked = f"deps({text})" if is_pattern(text) else text
    sessions = [session.under(arguments) for arguments in (left, right)]
    views = [_view(each, arguments) for each, arguments in zip(sessions, (left, right), strict=True)]
    sides = [_side(each, view, text, asked, options) for each, view in zip(sessions, views, strict=True)]
    completeness = sides[0].completeness.with_more(sides[1].completeness.problems, sides[1].completeness.gaps)
    ours, theirs = (replace(side.answer, words=str(said)) for side, said in zip(sides, (left, right), strict=True))
    comparison = Comparison(ours, asked)
    whole = comparison.with_other(theirs)

    def alone(arguments: ConfigArguments) -> DiffAnswer:
        other = session.under(arguments)
        view = _view(other, arguments)
        if other is sessions[0] and views[0].decides_like(view):
            return comparison.with_other(ours)
        return comparison.with_other(_side(other, view, text, asked, options).answer)

    changes = tuple(_changes(session.loader.workspace, (left, right), whole, alone))
    return Reply(replace(whole, changes=changes), completeness, notes_on(*views))


def _changes(
    workspace: Workspace,
    arguments: tuple[ConfigArguments, ConfigArguments],
    whole: DiffAnswer,
    alone: Callable[[ConfigArguments], DiffAnswer],
) -> Iterator[OptionChange]:
    """What each option does by itself that only one side has; one alone does all of it."""
    left, right = (parse_options(each.tokens, option_table(workspace), ON_COMMAND_LINE) for each in arguments)
    before, after = ({str(use): use.written for use in uses} for uses in (left, right))
    before |= {f"{OPTION}={each}": f"{OPTION}={each}" for each in arguments[0].assumed}
    after |= {f"{OPTION}={each}": f"{OPTION}={each}" for each in arguments[1].assumed}
    single = len(before.keys() ^ after.keys()) == 1
    here = _values(workspace, arguments[0])
    places = {(use.name, use.value): str(use.origin) for use in _uses(workspace, arguments[0])}
    for word, written in after.items():
        if word not in before:
            more = _saying(arguments[0], (*before, word)).reading(arguments[1])  # it may be theirs alone
            sets = [pair for pair in _values(workspace, more) if pair not in here]
            named = [(use.name, use.value) for use in right if str(use) == word]
            already = tuple(dict.fromkeys(places[pair] for pair in named if pair in places and not sets))
            differences = whole.differences if single else alone(more).differences
            told = tuple(f"--{name}={value}" for name, value in sets)
            yield OptionChange(written, told, differences, tuple(reaches(sets, whole.right)), already)
    for word, written in before.items():
        if word not in after:
            less = _saying(arguments[0], (each for each in before if each != word))
            differences = whole.differences if single else alone(less).differences
            meant = {(use.name, use.value) for use in left if str(use) == word}
            still = (str(use.origin) for use in _uses(workspace, less) if (use.name, use.value) in meant)
            yield OptionChange(f"{WITHOUT}{written}", (), differences, (), tuple(dict.fromkeys(still)))


def _saying(arguments: ConfigArguments, words: Iterable[str]) -> ConfigArguments:
    """Arguments with other options."""
    listed = list(words)
    assumed = tuple(each.partition("=")[2] for each in listed if each.startswith(f"{OPTION}="))
    tokens = tuple(each for each in listed if not each.startswith(f"{OPTION}="))
    return replace(arguments, tokens=tokens, assumed=assumed)


def _values(workspace: Workspace, arguments: ConfigArguments) -> list[tuple[str, str]]:
    """The options of a configuration with their values, expanded."""
    return [(use.name, use.value) for use in _uses(workspace, arguments)]


def _uses(workspace: Workspace, arguments: ConfigArguments) -> list[OptionUse]:
    return [use for use in chosen_configuration(workspace, arguments).uses if use.name not in LEADING]


def _view(session: Session, arguments: ConfigArguments) -> ConfiguredView:
    configuration = chosen_configuration(session.loader.workspace, arguments)
    return ConfiguredView(session.graph, settings_for(session.graph, session.loader.workspace, configuration))


def _side(session: Session, view: ConfiguredView, text: str, asked: str, options: QueryOptions) -> Reply[Side]:
    # The pattern first: its faults are told in what was typed.
    roots = frozenset(query_in(session, view, text, options).answer) if asked != text else frozenset()
    reply = query_in(session, view, asked, options)
    answer = reply.answer
    side = Side(
        answer.graph,
        answer.nodes,
        view.configuration,
        "",
        answer.excluded_flags,
        view.is_built,
        view.settings_of_label,
        roots,
    )
    return Reply(side, reply.completeness)
