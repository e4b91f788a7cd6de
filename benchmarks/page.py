"""Figures -> the sections of docs/benchmarks.md and the plot beside it; what people wrote in the page stays.

A section stands between two comments that name it, and is replaced by the next run that measures the same.
"""

from __future__ import annotations

import datetime
import os
import platform
import re
from collections.abc import Iterable, Mapping, Sequence
from math import inf, isinf
from pathlib import Path
from statistics import median

from benchmarks.compare import Figure, shown

_BEGIN, _END = "<!-- made by `make bench`: {} -->", "<!-- end -->"


def table(figures: Iterable[Figure], other: str) -> str:
    """A row per figure."""
    rows = [f"| question | cores | bzlgraph | {other} | ratio | answers |", "|---|---|---|---|---|---|"]
    for each in figures:
        ratio = f"{each.ratio:.2f}" if each.ratio else ""
        rows.append(
            f"| {each.what} | {each.cores} | {shown(each.own, each.unit)} | {shown(each.other, each.unit)} "
            f"| {ratio} | {_answers(each)} |"
        )
    return "\n".join(rows)


def _answers(figure: Figure) -> str:
    if not figure.own_lines:
        return ""
    differs = figure.other and figure.other_lines != figure.own_lines
    return f"{figure.own_lines:,} lines" + (f" ({figure.other_lines:,})" if differs else "")


def machine(load: float) -> str:
    """What it was measured on, and how busy that was; the load is that before the run."""
    day = datetime.datetime.now(datetime.UTC).date()
    return (
        f"Measured on {day}: {platform.machine()}, {os.cpu_count()} cores, Linux {platform.release()}, "
        f"CPython {platform.python_version()}; {load:.1f} other processes were waiting for a core."
    )


def write_section(page: Path, name: str, text: str) -> None:
    """Put a section in its place, a new one at the end."""
    begin = _BEGIN.format(name)
    made = f"{begin}\n{text}\n{_END}"
    before = page.read_text(encoding="utf-8") if page.exists() else "# Benchmarks\n"
    pattern = re.compile(f"{re.escape(begin)}\n.*?{re.escape(_END)}", re.DOTALL)
    after = pattern.sub(lambda _: made, before) if pattern.search(before) else f"{before.rstrip()}\n\n{made}\n"
    page.write_text(after, encoding="utf-8")


def plot(path: Path, sizes: Mapping[str, Sequence[Figure]], titles: Sequence[str], other: str) -> None:
    """How figures of these titles grow with the size of the tree, as an SVG; both axes are logarithmic."""
    import pygal  # a plot is wanted by few of those who measure
    from pygal.style import CleanStyle

    chart = pygal.Line(
        logarithmic=True, style=CleanStyle, js=[], no_prefix=True, height=480, width=900, legend_at_bottom=True,
        x_title="targets", y_title="seconds", title="Seconds by size", legend_at_bottom_columns=2,
    )  # fmt: skip
    chart.x_labels = list(sizes)
    for title in titles:
        for who, values in (("bzlgraph", "own"), (other, "other")):
            found = [next((each for each in figures if each.what == title), None) for figures in sizes.values()]
            medians = [median(getattr(each, values)) if each and getattr(each, values) else inf for each in found]
            points = [None if isinf(each) else each for each in medians]
            if any(points):
                chart.add(
                    f"{title.replace('`', '')}: {who}",
                    points,
                    stroke_style={"dasharray": "2,3"} if who == other else {},
                )
    drawn = chart.render(is_unicode=True)
    path.write_text(re.sub("<script.*?</script>", "", drawn, flags=re.DOTALL), encoding="utf-8")  # it is a picture
