"""``html``: one page that stands alone, a table to search in. Nothing is fetched.

A long answer is the same few texts over and over: the page holds each text once and rows as numbers, and draws what
is searched for, so that a hundred thousand rows open at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from itertools import islice

from bzlgraph.export.row_formats.row_table import RowTable, cell_text

_ROWS_AT_ONCE = 2048

_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>
body {{ margin: 0; font: 13px Helvetica, Arial, sans-serif; color: #1d2329; background: #fff; }}
header {{ position: sticky; top: 0; padding: 8px 12px; background: #fff; border-bottom: 1px solid #d5dae0;
  display: flex; gap: 14px; align-items: center; flex-wrap: wrap; }}
header b {{ overflow-wrap: anywhere; }}
input {{ font: inherit; padding: 3px 7px; box-sizing: border-box; }}
header input {{ width: 24em; }}
table {{ border-collapse: collapse; width: 100%; }}
th, td {{ text-align: left; vertical-align: top; padding: 3px 8px; border-bottom: 1px solid #e8ecf0; }}
th input {{ width: 100%; min-width: 4em; font-weight: normal; }}
td {{ overflow-wrap: anywhere; font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 12px; }}
button {{ font: inherit; margin: 10px; }}
</style></head><body>
<header><b>{title}</b><input id="search" type="search" placeholder="search in all columns"
 aria-label="search in all columns"><span id="count" aria-live="polite"></span></header>
<noscript>This table needs JavaScript; --output=markdown gives one that does not.</noscript>
<table><thead><tr>{names}</tr><tr>{filters}</tr></thead><tbody></tbody></table>
<button id="more" hidden>more rows</button>
<script type="application/json" id="rows">["""

_TAIL = """</script>
<script>
const read = id => JSON.parse(document.getElementById(id).textContent);
const rows = read("rows"), texts = read("texts"), lower = texts.map(t => t.toLowerCase()), PAGE = 400;
const body = document.querySelector("tbody"), more = document.getElementById("more");
const search = document.getElementById("search"), filters = [...document.querySelectorAll("th input")];
let found = rows, shown = 0;
function draw() {
  const part = document.createDocumentFragment();
  for (const row of found.slice(shown, shown + PAGE)) {
    const line = document.createElement("tr");
    for (const cell of row) line.appendChild(document.createElement("td")).textContent = texts[cell];
    part.appendChild(line);
  }
  body.appendChild(part);
  shown = Math.min(shown + PAGE, found.length);
  more.hidden = shown === found.length;
}
function having(word) { return new Uint8Array(lower.map(text => text.includes(word) ? 1 : 0)); }
function filter() {
  const word = search.value.trim().toLowerCase(), any = word && having(word);
  const wanted = filters.map((f, n) => [n, f.value.trim().toLowerCase()]).filter(([, w]) => w)
    .map(([n, w]) => [n, having(w)]);
  found = rows.filter(row => (!any || row.some(cell => any[cell])) && wanted.every(([n, has]) => has[row[n]]));
  document.getElementById("count").textContent =
    `${found.length.toLocaleString("en")} of ${rows.length.toLocaleString("en")} rows`;
  body.replaceChildren(); shown = 0; draw();
}
[search, ...filters].forEach(each => each.addEventListener("input", filter));
more.addEventListener("click", draw);
filter();
</script></body></html>
"""


def html(table: RowTable) -> Iterator[str]:
    """The page."""
    names = "".join(f"<th>{escape(name)}</th>" for name in table.names)
    filters = "".join(f'<th><input type="search" aria-label="filter {escape(name)}"></th>' for name in table.names)
    yield _HEAD.format(title=escape(table.title), names=names, filters=filters)
    numbers: dict[str, int] = {}
    rows, before = table.rows(), "\n"
    while chunk := list(islice(rows, _ROWS_AT_ONCE)):
        listed = [[numbers.setdefault(cell_text(cell), len(numbers)) for cell in row] for row in chunk]
        yield before + ",\n".join(json.dumps(row, separators=(",", ":")) for row in listed)
        before = ",\n"
    yield ']</script>\n<script type="application/json" id="texts">['
    texts, before = iter(numbers), "\n"
    while chunk_of_texts := list(islice(texts, _ROWS_AT_ONCE)):
        yield before + ",\n".join(_script_text(text) for text in chunk_of_texts)
        before = ",\n"
    yield "]" + _TAIL


def _script_text(text: str) -> str:
    """A string that cannot end the script it stands in."""
    return json.dumps(text).replace("<", "\\u003c")
