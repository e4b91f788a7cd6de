"""``bzlgraph mod SUBCOMMAND``: the modules of a workspace, with Bazel's arguments, options and output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import click

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.spell import nearest_words
from bzlgraph.cli.config_options import BazelCommand
from bzlgraph.cli.global_options import GlobalOptions
from bzlgraph.cli.outcome import Outcome
from bzlgraph.cli.printing import (
    PICTURES,
    ROWS_ONLY,
    format_for,
    json_bytes,
    output_options,
    prose_bytes,
    row_bytes,
    text_bytes,
)
from bzlgraph.cli.query_options import KEEP_GOING

if TYPE_CHECKING:
    from bzlgraph.base.gap import Completeness
    from bzlgraph.base.span import Location
    from bzlgraph.config.arguments import ConfigArguments
    from bzlgraph.export.row_formats.row_table import RowTable
    from bzlgraph.mod.answer import ModOptions, ModTree
    from bzlgraph.questions.reply import Reply
    from bzlgraph.questions.session import Session

ROWS_OF_TREES = tuple(name for name in ROWS_ONLY if name != "html")
"""The formats of rows that show a tree: its html is a picture."""
TREES = ("graph", "deps", "path", "all_paths", "explain")
_OF_MODULES = ("deps", "path", "all_paths", "explain")
"""Subcommands that are about modules which are named."""
FORMATS = ("text", "json", "graph", *PICTURES, "html", *ROWS_OF_TREES)
LISTS = ("text", "json", *ROWS_ONLY)
"""The formats of what is no tree."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a subcommand is asked, and how it is printed."""

    subcommand: str
    arguments: tuple[str, ...]
    options: ModOptions
    output: str
    charset: str
    reasons: bool


class Printed(NamedTuple):
    """An answer as bytes, and what is to be told of it."""

    pieces: Iterator[bytes]
    completeness: Completeness
    notes: tuple[str, ...]


@click.command("mod", cls=BazelCommand)
@click.argument("subcommand", default="", metavar="SUBCOMMAND")
@click.argument("arguments", nargs=-1, metavar="[ARG]...")
@output_options(FORMATS)
@click.option("--reasons/--noreasons", default=False, help="Show the line that requests each module or repository.")
@click.option("--from", "from_", default="<root>", metavar="M,M,...", help="Modules at which the tree starts.")
@click.option("--base_module", default="<root>", metavar="M", help="Module in which @NAME is resolved.")
@click.option(
    "--depth", type=int, default=-1, metavar="N", help="Number of levels to show. [default: all; explain 1, deps 2]"
)
@click.option("--cycles/--nocycles", default=True, help="Mark modules that depend on themselves.")
@click.option("--verbose/--noverbose", default=False, help="Show which versions were replaced, and why.")
@click.option("--include_unused/--noinclude_unused", default=False, help="Also show versions that were not selected.")
@click.option("--include_builtin/--noinclude_builtin", default=False, help="Also show Bazel's built-in modules.")
@click.option(
    "--extension_info",
    type=click.Choice(["hidden", "usages", "repos", "all"], case_sensitive=False),
    default="hidden",
    show_default=True,
    help="Show extensions (usages), the repositories imported from them (repos), or all their repositories.",
)
@click.option(
    "--extension_filter",
    metavar="E,E,...",
    help='Show only paths to modules that use these extensions; "": any extension.',
)
@click.option("--extension_usages", default="", metavar="M,M,...", help="Modules whose usages show_extension lists.")
@click.option(
    "--charset",
    type=click.Choice(["utf8", "ascii"], case_sensitive=False),
    default="utf8",
    help="Characters that the tree is drawn with.",
)
@KEEP_GOING
@click.pass_obj
def command(
    options: GlobalOptions, /, subcommand: str, arguments: tuple[str, ...], output: str | None,
    output_file: Path | None, reasons: bool, charset: str, keep_going: bool, configured: ConfigArguments,
    **values: object,
) -> Outcome:  # fmt: skip
    """Show the modules of a workspace with MODULE.bazel. SUBCOMMAND is one of:

    \b
    graph                  all modules below the root, or below --from
    deps M...              the dependencies of modules
    path M...              one path from the root to each module
    all_paths M...         all paths from the root to the modules
    explain M...           what depends on the modules
    show_repo R...         how repositories are created
    show_extension E...    the repositories of extensions, and the tags that request them
    dump_repo_mapping C... the repository names visible from repositories

    M is <root>, MODULE, MODULE@VERSION, @NAME or @@CANONICAL. R is an M or another repository. E is
    M//PACKAGE:FILE.bzl%NAME. C is a canonical name, "" for the main repository.

    Example: bzlgraph -C jax mod explain rules_cc --reasons
    """
    name = subcommand.lower().replace("-", "_")
    ask = _asker(name)
    chosen = format_for(output, output_file, FORMATS)
    if name not in TREES and chosen not in LISTS:
        raise UsageProblem(f"--output={chosen}: the formats of {name} are {', '.join(LISTS)}")
    asked = Asked(name, arguments, _options(values), options.row_format(chosen), charset, reasons)
    printed = ask(options.session(configured), asked)
    return Outcome(printed.pieces, printed.completeness, printed.notes, output_file, keep_going)


def _asker(name: str) -> Callable[[Session, Asked], Printed]:
    """What answers a subcommand. Raises UsageProblem."""
    if name in SUBCOMMANDS:
        return SUBCOMMANDS[name]
    if name == "tidy":
        raise UsageProblem("mod tidy writes MODULE.bazel, and bzlgraph never writes into a checkout")
    known = f"subcommands: {', '.join(SUBCOMMANDS)}"
    if not name:
        raise UsageProblem(Diagnostic("mod needs a subcommand", hint=known))
    meant = nearest_words(name, SUBCOMMANDS)
    hint = f"did you mean {' or '.join(meant)}?" if meant else known
    raise UsageProblem(Diagnostic(f"mod has no subcommand '{name}'", hint=hint))


def _options(values: dict[str, object]) -> ModOptions:
    """Bazel's options as the question takes them."""
    from bzlgraph.mod.answer import ExtensionInfo, ModOptions
    from bzlgraph.mod.tree import TreeOptions

    tree = TreeOptions(
        depth=int(str(values["depth"])),
        cycles=bool(values["cycles"]),
        include_unused=bool(values["include_unused"]),
        include_builtin=bool(values["include_builtin"]),
    )
    chosen = values["extension_filter"]
    return ModOptions(
        _listed(values["from_"]),
        str(values["base_module"]),
        bool(values["verbose"]),
        ExtensionInfo(values["extension_info"]),
        None if chosen is None else _listed(chosen),
        _listed(values["extension_usages"]),
        tree,
    )


def _listed(text: object) -> tuple[str, ...]:
    return tuple(each for each in str(text).split(",") if each)


def _tree(session: Session, asked: Asked) -> Printed:
    from bzlgraph.mod.ask import TreeCommand
    from bzlgraph.questions.modules import ask_module_tree

    reply = ask_module_tree(session, TreeCommand(asked.subcommand), asked.arguments, asked.options)
    named = asked.subcommand not in _OF_MODULES or asked.arguments or asked.options.extension_filter is not None
    notes = () if named else (f"note: no module is named; for one: bzlgraph mod {asked.subcommand} MODULE",)
    return Printed(_tree_pieces(reply, asked), reply.completeness, (*notes, *reply.notes))


def _tree_pieces(reply: Reply[ModTree], asked: Asked) -> Iterator[bytes]:
    if asked.output == "json" and (asked.reasons or not reply.answer.nothing):
        from bzlgraph.export.mod_formats.as_json import tree_data

        return json_bytes(tree_data(reply.answer, reply.completeness if asked.reasons else None))
    if asked.output in ("text", "json"):
        from bzlgraph.export.mod_formats.text import tree_text

        return prose_bytes(tree_text(reply.answer, asked.charset, reasons=asked.reasons))
    if asked.output in (*ROWS_OF_TREES, "csv_raw"):
        from bzlgraph.export.mod_formats.rows import tree_rows

        return row_bytes(asked.output, tree_rows(reply.answer, reply.completeness), reply.completeness)
    if asked.output == "graph":
        from bzlgraph.export.mod_formats.dot_text import dot_text

        return text_bytes(dot_text(reply.answer))
    from bzlgraph.export.pictures.mod_picture import mod_picture
    from bzlgraph.export.save import picture_bytes

    return iter([picture_bytes(mod_picture(reply.answer), asked.output).data])


def _extensions(session: Session, asked: Asked) -> Printed:
    from bzlgraph.export.mod_formats.extension_text import extension_data, extension_text
    from bzlgraph.export.mod_formats.rows import extension_rows
    from bzlgraph.questions.modules import ask_extensions

    reply = ask_extensions(session, asked.arguments, asked.options)
    text = partial(extension_text, place_of=_places(session), reasons=asked.reasons)
    return _described(asked, "extensions", reply, extension_data, text, extension_rows)


def _repositories(session: Session, asked: Asked) -> Printed:
    from bzlgraph.export.mod_formats.repository_text import repository_data, repository_text
    from bzlgraph.export.mod_formats.rows import repository_rows
    from bzlgraph.questions.modules import ask_repositories

    reply = ask_repositories(session, asked.arguments, asked.options)
    text = partial(repository_text, place_of=_places(session), reasons=asked.reasons)
    return _described(asked, "repositories", reply, repository_data, text, repository_rows)


def _mappings(session: Session, asked: Asked) -> Printed:
    import json

    from bzlgraph.questions.modules import ask_repository_mappings

    reply = ask_repository_mappings(session, asked.arguments)
    if asked.output == "json":
        from bzlgraph.export.mod_formats.as_json import SCHEMA
        from bzlgraph.export.row_formats.json_text import completeness_data

        listed = [
            {"repository": name, "names": names} for name, names in zip(asked.arguments, reply.answer, strict=True)
        ]
        data = {"schema": SCHEMA, "mappings": listed, **completeness_data(reply.completeness)}
        return Printed(json_bytes(data), reply.completeness, reply.notes)
    if asked.output != "text":
        from bzlgraph.export.mod_formats.rows import mapping_rows

        table = mapping_rows(asked.arguments, reply.answer, reply.completeness)
        return Printed(row_bytes(asked.output, table, reply.completeness), reply.completeness, reply.notes)
    lines = (json.dumps(dict(sorted(each.items())), separators=(",", ":")) + "\n" for each in reply.answer)
    return Printed(text_bytes(lines), reply.completeness, reply.notes)


def _described(
    asked: Asked,
    name: str,
    reply: Reply[tuple[T, ...]],
    data: Callable[[T], object],
    text: Callable[[T], Iterable[str]],
    rows: Callable[[Sequence[T], Completeness], RowTable],
) -> Printed:
    """One thing after the other; for programs with how complete the list is."""
    pieces = text_bytes(line for each in reply.answer for line in text(each))
    if asked.output == "json":
        from bzlgraph.export.mod_formats.as_json import SCHEMA
        from bzlgraph.export.row_formats.json_text import completeness_data

        listed = [data(each) for each in reply.answer]
        pieces = json_bytes({"schema": SCHEMA, name: listed, **completeness_data(reply.completeness)})
    elif asked.output != "text":
        pieces = row_bytes(asked.output, rows(reply.answer, reply.completeness), reply.completeness)
    return Printed(pieces, reply.completeness, reply.notes)


def _places(session: Session) -> Callable[[Location], str]:
    """Places as Bazel shows them, by the whole path of the file. One in a registry has its address; in front of other
    repositories' folders stands nothing, since there is no output base."""
    workspace = session.loader.workspace
    modules = workspace.resolved_modules.modules.values() if workspace.resolved_modules is not None else ()
    of_registries = {each.file.path for each in modules if each.file is not None and each.registry}

    def place(location: Location) -> str:
        path = location.path
        if path.startswith("external/"):
            _, repo, inside = path.split("/", 2)
            return str(location._replace(path=f"external/{workspace.names.canonical(repo)}/{inside}"))
        whole = workspace.root / path
        return str(location._replace(path=whole.as_uri() if path in of_registries else str(whole)))

    return place


SUBCOMMANDS: dict[str, Callable[[Session, Asked], Printed]] = {
    **dict.fromkeys(TREES, _tree),
    "show_repo": _repositories,
    "show_extension": _extensions,
    "dump_repo_mapping": _mappings,
}
