"""The table of output formats: name -> what writes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bzlgraph.export.query_formats import build_text, dot_text, plain, proto, ranks, xml_text
from bzlgraph.export.query_formats.options import Output

Writer = Callable[[Output], Iterator[str] | Iterator[bytes]]


@dataclass(frozen=True, slots=True)
class Format:
    """One value of ``--output``: pieces of text (UTF-8) or of bytes, in order."""

    name: str
    write: Writer


FORMATS = {
    "label": Format("label", plain.label),
    "label_kind": Format("label_kind", plain.label_kind),
    "package": Format("package", plain.package),
    "location": Format("location", plain.location),
    "build": Format("build", build_text.build),
    "graph": Format("graph", dot_text.graph),
    "minrank": Format("minrank", ranks.minrank),
    "maxrank": Format("maxrank", ranks.maxrank),
    "xml": Format("xml", xml_text.xml),
    "proto": Format("proto", proto.proto),
    "streamed_proto": Format("streamed_proto", proto.streamed_proto),
    "jsonproto": Format("jsonproto", proto.jsonproto),
    "streamed_jsonproto": Format("streamed_jsonproto", proto.streamed_jsonproto),
}
