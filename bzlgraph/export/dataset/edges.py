"""The rows of ``edges``, column by column: a tree of a million targets has five million, so none is an object here.

The columns of the graph are gathered in the order of the sources; texts of attributes and conditions come from the
tables that edges have numbers of.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bzlgraph.export.dataset.content import Numbering
from bzlgraph.graph.model import EdgeFlag, condition_text

if TYPE_CHECKING:
    import pyarrow
    from numpy import int32, int64
    from numpy.typing import NDArray


def edge_tables(numbering: Numbering, schema: pyarrow.Schema, rows_at_once: int) -> Iterator[pyarrow.Table]:
    """The edges of the targets that match, of some packages at a time: so many that there are ``rows_at_once``."""
    import pyarrow

    columns = numbering.graph.columns
    attributes = pyarrow.array(list(columns.attributes), pyarrow.string())
    conditions = pyarrow.array([condition_text(each) or None for each in columns.conditions], pyarrow.string())
    for nodes in _many(numbering, rows_at_once):
        edges = _edges_of(numbering, nodes)
        flags = _column(columns.edge_flags, edges)
        table = {
            "source": pyarrow.array(numbering.ids[_column(columns.edge_source, edges)]),
            "target": pyarrow.array(numbering.ids[_column(columns.edge_target, edges)]),
            "attribute": attributes.take(pyarrow.array(_column(columns.edge_attribute, edges))),
            "condition": conditions.take(pyarrow.array(_column(columns.edge_condition, edges))),
            **{str(flag.name).lower(): pyarrow.array((flags & int(flag)) != 0) for flag in EdgeFlag},
        }
        yield pyarrow.Table.from_arrays([table[name] for name in schema.names], schema=schema)


def _many(numbering: Numbering, rows_at_once: int) -> Iterator[list[int]]:
    """The nodes of as many packages as have so many edges."""
    columns, waiting, edges = numbering.graph.columns, list[int](), 0
    for _, nodes in numbering.matching_packages():
        waiting += nodes
        edges += sum(len(columns.edges_of(node)) for node in nodes)
        if edges >= rows_at_once:
            yield waiting
            waiting, edges = [], 0
    if edges:
        yield waiting


def _edges_of(numbering: Numbering, nodes: list[int]) -> NDArray[int64]:
    """The numbers of the edges of nodes, those of the first node first: each has a run of them."""
    import numpy as np

    runs = [numbering.graph.columns.edges_of(node) for node in nodes]
    first = np.fromiter((each.start for each in runs), np.int64, len(runs))
    count = np.fromiter(map(len, runs), np.int64, len(runs))
    before = np.cumsum(count) - count
    return np.repeat(first - before, count) + np.arange(int(count.sum()), dtype=np.int64)


def _column(column: object, edges: NDArray[int64]) -> NDArray[int32]:
    """What a column of the graph says of these edges."""
    import numpy as np

    found: NDArray[int32] = np.asarray(column)[edges].astype(np.int32)
    return found
