"""The options of ``bzlgraph query`` that say how an answer is printed: Bazel's names and defaults, one function.

Used as a decorator: ``@output_options`` adds them; ``answer_bytes`` writes an answer as they want it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import click

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.cli import printing

if TYPE_CHECKING:
    from bzlgraph.export.bazel_view.place import Places
    from bzlgraph.query.answer import QueryAnswer
    from bzlgraph.questions.session import Session
    from bzlgraph.workspace.workspace import Workspace

Command = TypeVar("Command", bound=Callable[..., Any])

OUTPUTS = (
    "label", "label_kind", "build", "minrank", "maxrank", "package", "location", "graph", "xml",
    "proto", "streamed_proto", "jsonproto", "streamed_jsonproto",
    "json", "jsonl", "table", "csv", "markdown", "html", "parquet", "sqlite", "graphml",
)  # fmt: skip
"""Bazel's formats, then ours: the names of ``export.query_formats.FORMATS``, which is not imported for --help."""


def _flag(name: str, default: bool, text: str) -> Callable[[Command], Command]:
    """Bazel's ``--[no]x:y``."""
    return click.option(f"--{name}/--no{name}", name.replace(":", "_"), default=default, help=text)


_OPTIONS = (
    click.option(
        "--order_output", type=click.Choice(["no", "deps", "auto", "full"]), default="auto", show_default=True,
        help="full, deps: dependents first; no: by label; auto: the default of the emulated Bazel version.",
    ),
    _flag("consistent_labels", False, "Write labels of the main repository as @//a:b (with modules, @@//a:b)."),
    _flag("relative_locations", False, "Show locations relative to the root of the repository."),
    click.option(
        "--null", "--line_terminator_null/--noline_terminator_null", "line_terminator_null", default=False,
        help="End lines with a NUL byte.",
    ),
    _flag("graph:factored", True, "Draw targets with the same neighbours as one node."),
    click.option(
        "--graph:node_limit", "graph_node_limit", type=int, default=512, metavar="N",
        help="Maximum length of a node's text; -1: no limit.",
    ),
    click.option(
        "--graph:conditional_edges_limit", "graph_conditional_edges_limit", type=int, default=4, metavar="N",
        help="Show up to N-1 conditions on an edge; -1: all, 0: none.",
    ),
    _flag("xml:line_numbers", True, "Include line numbers in the locations of XML."),
    _flag("xml:default_values", False, "Include unset attributes in XML."),
    _flag("proto:default_values", True, "Include unset attributes in proto."),
    _flag("proto:flatten_selects", True, "Show all branches of a select() as one list in proto."),
    _flag("proto:locations", True, "Include locations in proto."),
    _flag("proto:rule_inputs_and_outputs", True, "Include rule_input and rule_output in proto."),
    _flag("proto:instantiation_stack", False, "Include the calls that created a rule in proto."),
    _flag("proto:definition_stack", False, "Include the call of rule() in proto."),
    _flag("proto:include_attribute_source_aspects", False, "Include the aspect that an attribute comes from in proto."),
    click.option(
        "--proto:output_rule_attrs", "proto_output_rule_attrs", default="all", metavar="A,A,...",
        help="Include only these attributes in proto.",
    ),
)  # fmt: skip


def output_options(command: Command) -> Command:
    """Add the options to a click command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return printing.output_options(OUTPUTS, default="label")(command)


def answer_bytes(name: str, answer: QueryAnswer, session: Session, values: dict[str, Any]) -> Iterator[bytes]:
    """An answer in a format, as ``values``, those of ``output_options``, want it. Raises UsageProblem."""
    from bzlgraph.export.query_formats.formats import OURS, write
    from bzlgraph.export.query_formats.options import OutputOptions, QueryOutput

    if values["consistent_labels"] and name in OURS:
        hint = "only Bazel's formats support it, such as --output=label, build, xml, proto"
        raise UsageProblem(Diagnostic(f"--consistent_labels cannot be combined with --output={name}", hint=hint))
    chosen = dict(values)
    chosen["line_terminator"] = "\0" if chosen.pop("line_terminator_null") else "\n"
    attributes = chosen.pop("proto_output_rule_attrs")
    chosen["proto_output_rule_attrs"] = tuple(each for each in attributes.split(",") if each)
    workspace = session.loader.workspace
    places, canonical = workspace_places(workspace), workspace.map_repository.canonical
    return write(name, QueryOutput(answer, OutputOptions(**chosen), workspace.facts, places, canonical))


def workspace_places(workspace: Workspace) -> Places:
    """Where the repositories of a workspace are."""
    from bzlgraph.export.bazel_view.place import Places

    def folder_of(repo: str) -> str:
        name = workspace.map_repository.of_canonical(repo)
        return str(getattr(workspace.repository(name).tree.source, "root", ""))

    return Places(str(workspace.root), folder_of)
