"""``deps`` and ``rdeps`` of a kept graph: the same functions as the full way runs, on another view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bzlgraph.base.errors import BzlgraphError
from bzlgraph.base.words import Prose, Visible, visible_bytes
from bzlgraph.questions.parts.trees import TreeQuestion, tree_reply
from bzlgraph.questions.reply import Reply
from bzlgraph.snapshot.commands.why_and_expand import told_of
from bzlgraph.snapshot.commands.written import query_reply
from bzlgraph.snapshot.evaluation.run import Run
from bzlgraph.snapshot.kept import Unanswered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bzlgraph.snapshot.command_line import Asked
    from bzlgraph.snapshot.commands.why_and_expand import Told
    from bzlgraph.snapshot.kept import KeptGraph
    from bzlgraph.why.answer import TreeAnswer

DEPTH = 3
"""That of the commands."""


def tree(graph: KeptGraph, cache: str, asked: Asked) -> Told:
    """Raises Unanswered, DamagedFile."""
    some = not asked.whole and asked.output == "text"
    wanted = TreeQuestion(asked.command, asked.text, asked.from_, asked.depth or DEPTH, asked.whole, some)
    try:
        reply = tree_reply(lambda text: query_reply(Run(graph, asked.excluded, cache), text), wanted)
        shown = b"".join(_pieces(reply, asked.output))
    except BzlgraphError:
        raise Unanswered from None  # the full way says what is wrong
    kind = Prose if asked.output == "text" else Visible if asked.output == "json" else bytes
    return kind(shown), reply.notes, *told_of(reply.completeness), ()


def _pieces(reply: Reply[TreeAnswer], output: str) -> Iterator[bytes]:
    if output == "text":
        from bzlgraph.export.why_formats.tree_text import tree_text

        return visible_bytes(f"{line}\n" for line in tree_text(reply.answer))
    from bzlgraph.export.why_formats.tree_data import to_dict, tree_table

    if output == "json":
        from bzlgraph.export.plain_data import json_text

        return visible_bytes([json_text(to_dict(reply.answer, reply.completeness))])
    from dataclasses import replace

    from bzlgraph.export.row_formats.formats import write_rows

    return write_rows(output, replace(tree_table(reply.answer, reply.completeness), completeness=reply.completeness))
