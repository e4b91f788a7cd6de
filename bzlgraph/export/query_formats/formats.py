"""The table of output formats: the name that ``--output`` takes -> what writes it.

A writer gives pieces of text (written as UTF-8) or of bytes, in order; none of them holds the whole answer in memory
longer than its format needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bzlgraph.export.query_formats import build_text, dot_text, plain, proto, records, rows, xml_text
from bzlgraph.export.query_formats.options import Output
from bzlgraph.export.row_formats.formats import FORMATS as ROW_FORMATS
from bzlgraph.export.row_formats.row_table import RowTable
from bzlgraph.graph.networkx_view import graphml_text

Writer = Callable[[Output], Iterator[str] | Iterator[bytes]]


@dataclass(frozen=True, slots=True)
class Format:
    """One value of ``--output``. ``own`` ones are not Bazel's; ``consistent`` ones know --consistent_labels."""

    name: str
    write: Writer
    own: bool = False
    consistent: bool = False


def _graphml(output: Output) -> Iterator[str]:
    yield graphml_text(output.graph, output.answer.nodes, output.answer.excluded_flags)


def _rows(name: str, table: Callable[[Output], RowTable]) -> Format:
    return Format(name, lambda output: ROW_FORMATS[name](table(output)), own=True)


_CONTROL = {code: f"&#{code};" for code in range(127, 160)}
"""What XML 1.1 writes as references; in texts that Bazel encodes twice there may be such characters."""

FORMATS = {
    each.name: each
    for each in (
        Format("label", plain.label, consistent=True),
        Format("label_kind", plain.label_kind, consistent=True),
        Format("build", build_text.build),
        Format("minrank", plain.minrank, consistent=True),
        Format("maxrank", plain.maxrank, consistent=True),
        Format("package", plain.package, consistent=True),
        Format("location", plain.location, consistent=True),
        Format("graph", dot_text.graph),
        Format("xml", xml_text.xml),
        Format("proto", proto.proto),
        Format("streamed_proto", proto.streamed_proto),
        Format("jsonproto", proto.jsonproto),
        Format("streamed_jsonproto", proto.streamed_jsonproto),
        _rows("json", records.whole),
        _rows("jsonl", records.lines),
        _rows("table", rows.output_table),
        _rows("csv", rows.output_table),
        _rows("markdown", rows.output_table),
        _rows("parquet", rows.wide_table),
        Format("graphml", _graphml, own=True),
    )
}


def write(name: str, output: Output) -> Iterator[bytes]:
    """The answer in a format, as bytes."""
    twice = name in ("graph", "xml") and output.encodes_twice(name)
    for piece in FORMATS[name].write(output):
        if isinstance(piece, str):
            data = piece.encode("utf-8", "surrogateescape")
            yield data if not twice or data.isascii() else data.decode("latin-1").translate(_CONTROL).encode()
        else:
            yield piece
