"""``parquet`` and data frames: rows as columns. pandas and pyarrow are imported here, when they are asked for."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.gap import Completeness
from bzlgraph.export.row_formats.json_text import completeness_data
from bzlgraph.export.row_formats.row_table import Row, RowTable

if TYPE_CHECKING:
    import pandas
    import pyarrow

_ROWS_AT_ONCE = 65_536


def frame(table: RowTable, completeness: Completeness | None = None) -> pandas.DataFrame:
    """A DataFrame with the table's columns. Cells without a value are None. ``attrs`` has what the answer lacks:
    ``problems``, ``gaps`` and ``complete``, as JSON has them."""
    import pandas

    names = table.names
    columns: list[list[Any]] = [[] for _ in names]
    for row in table.rows():
        for column, cell in zip(columns, row, strict=True):
            column.append(cell)
    made = pandas.DataFrame(
        {
            column.name: pandas.Series(cells, dtype=_pandas_type(column.type, cells))
            for column, cells in zip(table.columns, columns, strict=True)
        },
        columns=list(names),
    )
    known = completeness or table.completeness
    if known is not None:
        made.attrs.update(completeness_data(known))
    return made


def _pandas_type(name: str, cells: list[Any]) -> str:
    """Numbers and truth values are such when there is one in every row."""
    plain = {"integer": "int64", "boolean": "bool"}.get(name)
    return plain if plain is not None and None not in cells else "object"


def parquet(table: RowTable) -> Iterator[bytes]:
    """A Parquet file, piece by piece. Raises UsageProblem when pyarrow is not installed."""
    require_pyarrow("--output=parquet")
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    types = arrow_types()
    schema = pyarrow.schema([(column.name, types[column.type]) for column in table.columns])
    file, rows = _Pieces(), table.rows()
    with ParquetWriter(file, schema) as writer:
        while batch := list(islice(rows, _ROWS_AT_ONCE)):
            writer.write_table(arrow_table(batch, schema))
            yield file.taken()
    yield file.taken()


def require_pyarrow(what: str) -> None:
    """Raises UsageProblem when pyarrow is not installed, which ``what`` needs."""
    try:
        import pyarrow  # noqa: F401 - asked for, so that nothing is done in vain
    except ImportError:
        raise UsageProblem(f"{what} needs pyarrow: pip install pyarrow") from None


def arrow_types() -> dict[str, pyarrow.DataType]:
    """What Arrow calls each type of a ``Column``."""
    import pyarrow

    text = pyarrow.string()
    return {"text": text, "integer": pyarrow.int32(), "boolean": pyarrow.bool_(), "texts": pyarrow.list_(text)}


def arrow_table(rows: Sequence[Row], schema: pyarrow.Schema) -> pyarrow.Table:
    """Rows as columns."""
    import pyarrow

    columns = zip(*rows, strict=True) if rows else [()] * len(schema)
    arrays = [_array(cells, field.type) for cells, field in zip(columns, schema, strict=True)]
    return pyarrow.Table.from_arrays(arrays, schema=schema)


def _array(cells: Sequence[object], kind: pyarrow.DataType) -> pyarrow.Array:
    import pyarrow

    try:
        return pyarrow.array(cells, kind)
    except UnicodeEncodeError:
        return pyarrow.array(map(_storable, cells), kind)


class _Pieces(io.RawIOBase):
    """A file that keeps only what was not taken yet: a long answer is never whole in memory."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._size

    def write(self, data: Any) -> int:
        """Keep a copy of ``data``."""
        piece = bytes(data)
        self._pieces.append(piece)
        self._size += len(piece)
        return len(piece)

    def taken(self) -> bytes:
        """What was written since the last time."""
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)


def _storable(cell: Any) -> Any:
    """Parquet's text is UTF-8: bytes of a checkout that are not become question marks."""
    if isinstance(cell, list):
        return [_storable(each) for each in cell]
    return cell.encode("utf-8", "replace").decode() if isinstance(cell, str) and not cell.isascii() else cell
