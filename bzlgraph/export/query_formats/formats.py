"""The table of output formats: the name that ``--output`` takes -> what writes it.

A writer gives pieces of text (written as UTF-8) or of bytes, in order; none of them holds the whole answer in memory
longer than its format needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bzlgraph.export.query_formats import build_text, dot_text, plain, proto, records, rows, xml_text
from bzlgraph.export.query_formats.options import QueryOutput
from bzlgraph.export.row_formats.formats import FORMATS as ROW_FORMATS
from bzlgraph.export.row_formats.row_table import RowTable
from bzlgraph.graph.networkx_view import graphml_text

Writer = Callable[[QueryOutput], Iterator[str] | Iterator[bytes]]


def _graphml(output: QueryOutput) -> Iterator[str]:
    yield graphml_text(output.graph, output.answer.nodes, output.answer.excluded_flags)


def _rows(name: str, table: Callable[[QueryOutput], RowTable]) -> Writer:
    return lambda output: ROW_FORMATS[name](table(output))


_CONTROL = {code: f"&#{code};" for code in range(127, 160)}
"""What XML 1.1 writes as references; in texts that Bazel encodes twice there may be such characters."""

FORMATS: dict[str, Writer] = {
    "label": plain.label,
    "label_kind": plain.label_kind,
    "build": build_text.build,
    "minrank": plain.minrank,
    "maxrank": plain.maxrank,
    "package": plain.package,
    "location": plain.location,
    "graph": dot_text.graph,
    "xml": xml_text.xml,
    "proto": proto.proto,
    "streamed_proto": proto.streamed_proto,
    "jsonproto": proto.jsonproto,
    "streamed_jsonproto": proto.streamed_jsonproto,
    "json": _rows("json", records.whole),
    "jsonl": _rows("jsonl", records.lines),
    **{name: _rows(name, rows.output_table) for name in ("table", "csv", "markdown")},
    "parquet": _rows("parquet", rows.wide_table),
    "graphml": _graphml,
}
"""Bazel's formats, then ours."""
CONSISTENT = ("label", "label_kind", "minrank", "maxrank", "package", "location")
"""Those that know --consistent_labels."""


def write(name: str, output: QueryOutput) -> Iterator[bytes]:
    """The answer in a format, as bytes."""
    twice = name in ("graph", "xml") and output.encodes_twice(name)
    for piece in FORMATS[name](output):
        if isinstance(piece, str):
            data = piece.encode("utf-8", "surrogateescape")
            yield data if not twice or data.isascii() else data.decode("latin-1").translate(_CONTROL).encode()
        else:
            yield piece
