"""The questions about one repository: where it comes from, and which rule makes it of what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import LoadProblem
from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.bazel.context.contexts import RepositoryCall
from bzlgraph.bazel.repository.attribute_values import attribute_values
from bzlgraph.bazel.rules.repository_rule import RepositoryRule, RuleCall, plain_value
from bzlgraph.facts.built_in import default_workspace
from bzlgraph.facts.native import builtin_stacks
from bzlgraph.workspace.repositories.find_origin import origin_of
from bzlgraph.workspace.repositories.origin import EXTENSION, LOCAL_MODULE, MODULE, Origin
from bzlgraph.workspace.workspace import Workspace

if TYPE_CHECKING:
    from bzlgraph.mod.answer import ShownRepository


def repository_origin(workspace: Workspace, repo: str) -> Origin | None:
    """Where a repository comes from: None for the main one, and for one that nobody defines."""
    if not repo:
        return None
    call, made = workspace.repositories.definition(repo).call, None
    if call is not None and call.rule == EXTENSION:
        made = workspace.repository(repo).call  # the same where no lock file pins it
    pinned = made if made != call else None
    found = origin_of(repo, workspace.names.canonical(repo), call, workspace.resolved_modules, pinned)
    rule = default_workspace(workspace.facts.version).repositories.get(repo) if found is None else None
    return found if rule is None else Origin(repo, f"made by {rule}, which Bazel adds to every WORKSPACE")


def shown_repository(workspace: Workspace, shown_as: str, canonical: str) -> ShownRepository:
    """The rule that makes a repository, with the values that it was given. Raises LoadProblem when there is none, or
    nothing on disk tells which."""
    from bzlgraph.mod.answer import ShownRepository  # whoever asks for origins alone needs nothing of mod/

    name = workspace.names.of_canonical(canonical)
    call = _known_call(workspace, name, shown_as)
    rule, resolved = _definition(workspace, call), workspace.resolved_modules
    module = resolved.module_of(canonical) if resolved is not None else None
    given = {**(call.arguments or call.attributes)}
    if module is not None and module.registry and isinstance(urls := given.get("urls"), list):
        given["urls"] = [str(url).replace("file:///", "file:/", 1) for url in urls]  # as Java writes addresses
    values = _attributes(workspace, call, rule, given)
    attributes = {key: _canonical(workspace, value) for key, value in values.items()}
    if resolved is not None and module is None:
        attributes = {"_original_name": call.name, **attributes}
    rule_name = "local_repository" if call.rule == LOCAL_MODULE else call.rule
    defined_at = _defined_at(workspace, call, rule)
    return ShownRepository(shown_as, canonical, rule_name, attributes, defined_at, repository_origin(workspace, name))


def _known_call(workspace: Workspace, name: str, shown_as: str) -> RepositoryCall:
    definition = workspace.repositories.definition(name)
    if definition.problems:
        raise LoadProblem(definition.problems)
    call, argument = definition.call, f"In repo argument {shown_as}"
    if call is None:
        raise LoadProblem(f"{argument}: no such repo")
    if call.rule == EXTENSION and call.bzl is None:
        unknown = f"{argument}: how the extension {call.attributes['extension']} makes it is not known"
        hint = f"bzlgraph why {shown_as} shows who depends on it, and which lines of MODULE.bazel name it"
        raise LoadProblem(Diagnostic(unknown, hint=hint if shown_as.startswith("@") else None))
    if call.rule == MODULE:
        hint = "give a clone of the registry with --registry=file://DIR"
        raise LoadProblem(Diagnostic(f"{argument}: the source.json of its module is not on disk", hint=hint))
    return call


def _canonical(workspace: Workspace, value: object) -> object:
    """A value with the canonical names of repositories in its labels."""
    if isinstance(value, Label):
        return value._replace(repo=workspace.names.canonical(value.repo))
    if isinstance(value, list):
        return [_canonical(workspace, each) for each in value]
    if isinstance(value, dict):
        return {_canonical(workspace, key): _canonical(workspace, each) for key, each in value.items()}
    return value


def _definition(workspace: Workspace, call: RepositoryCall) -> RepositoryRule | None:
    """The rule of a call, where its file is on disk or one of ours stands in for it."""
    if call.bzl is None:
        return None
    if isinstance(call, RuleCall):
        return call.definition
    found = workspace.bzl_loader.file(call.bzl).names.get(call.rule)
    return found if isinstance(found, RepositoryRule) else None


def _defined_at(workspace: Workspace, call: RepositoryCall, rule: RepositoryRule | None) -> Location | None:
    """The place of a rule's definition; inside of Bazel's own tools, that in the Bazel that somebody asked for."""
    if call.bzl is None:
        return None
    if workspace.repository(call.bzl.repo).tree.source.is_file(call.bzl.path):
        return rule.location if rule is not None else None
    facts = workspace.facts
    frames = () if facts.tolerant else builtin_stacks(facts.version, f"{call.bzl}%{call.rule}").defined
    return Location(*frames[0][1:]) if frames else None


def _attributes(
    workspace: Workspace, call: RepositoryCall, rule: RepositoryRule | None, given: dict[str, object]
) -> dict[str, object]:
    """The values that were written, in the order of the rule's attributes; labels as where the call stands."""
    if rule is None:
        return given
    home = call.home or workspace.context
    typed = attribute_values(rule.attrs, given, home.label).fields
    return {name: plain_value(typed[name]) for name in rule.attrs if given.get(name) is not None}
