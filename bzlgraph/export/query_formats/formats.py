"""The table of output formats: the name that ``--output`` takes -> what writes it.

A writer gives pieces of text (written as UTF-8) or of bytes, in order; none of them holds the whole answer in memory
longer than its format needs.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from bzlgraph.base.words import visible_bytes
from bzlgraph.export.query_formats.options import QueryOutput
from bzlgraph.graph.networkx_view import graphml_text

_CONTROL = {code: f"&#{code};" for code in range(127, 160)}
"""What XML 1.1 writes as references; in texts that Bazel encodes twice there may be such characters."""

FORMATS = {
    "label": "plain.label",
    "label_kind": "plain.label_kind",
    "build": "build_text.build",
    "minrank": "plain.minrank",
    "maxrank": "plain.maxrank",
    "package": "plain.package",
    "location": "plain.location",
    "graph": "dot_text.graph",
    "xml": "xml_text.xml",
    "proto": "proto.proto",
    "streamed_proto": "proto.streamed_proto",
    "jsonproto": "proto.jsonproto",
    "streamed_jsonproto": "proto.streamed_jsonproto",
    "json": "records.whole",
    "jsonl": "records.lines",
    **dict.fromkeys(("table", "csv", "markdown", "html"), "rows.output_table"),
    "parquet": "rows.wide_table",
    "sqlite": "rows.database_of",
    "graphml": "formats.graphml",
}
"""Bazel's formats, then ours: the module and its function, which gives text, bytes, or rows that ``row_formats``
writes. Only the module that is asked for is imported, which a query of one package would notice."""
FOR_PROGRAMS = ("build", "xml", "proto", "streamed_proto", "jsonproto", "streamed_jsonproto")
"""Those that have escapes of their own, or none: what a program reads is what a BUILD file says. A terminal gets it
with escapes."""
OURS = tuple(FORMATS)[list(FORMATS).index("json") :]
"""Those that only we have, where labels are written in one way."""


def graphml(output: QueryOutput) -> Iterator[str]:
    """The graph of the answer for other tools."""
    yield graphml_text(output.graph, output.answer.nodes, output.answer.excluded_flags)


def write(name: str, output: QueryOutput) -> Iterator[bytes]:
    """The answer in the format called ``name``, in pieces. KeyError when there is no such format."""
    module, function = FORMATS["csv" if name == "csv_raw" else name].split(".")
    answer = getattr(import_module(f"{__package__}.{module}"), function)(output)
    if name == "sqlite":
        return iter(answer)
    if module in ("records", "rows"):
        from bzlgraph.export.row_formats.formats import write_rows

        return write_rows(name, answer)
    if name in ("graph", "xml") and output.encodes_twice(name):
        return map(_twice, answer)
    if name in FOR_PROGRAMS:
        return (piece.encode("utf-8", "backslashreplace") if isinstance(piece, str) else piece for piece in answer)
    return visible_bytes(answer, keep=output.options.line_terminator)


def _twice(piece: str) -> bytes:
    """UTF-8 whose bytes were taken for characters."""
    data = piece.encode("utf-8", "backslashreplace")
    return data if data.isascii() else data.decode("latin-1").translate(_CONTROL).encode()
