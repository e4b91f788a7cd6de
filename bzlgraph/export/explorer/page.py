"""Exploration -> one HTML file that opens from disk: its script, its style and its data are in it, nothing is fetched.

The data is JSON, compressed (gzip) and written as base64: a twentieth of its size, and no text of a checkout stands in
the page where a browser might read it as markup. The policy of the page (CSP) allows the one script that is known by
its hash, its styles and pictures, and no address whatsoever.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Iterable
from functools import cache
from html import escape
from pathlib import Path

from bzlgraph.explore.exploration import Exploration
from bzlgraph.export.explorer.columns import page_data
from bzlgraph.export.pictures.palette import DARK, LOOKS, TARGETS
from bzlgraph.export.row_formats.html_text import fill, page_template
from bzlgraph.export.row_formats.row_table import Row

_BUILT = Path(__file__).parent / "built"
"""What ``make web`` writes."""


def packed(exploration: Exploration, evidence: Iterable[Row] = ()) -> bytes:
    """The data as the page holds it: gzip over JSON. The same exploration gives the same bytes."""
    text = json.dumps(page_data(exploration, evidence), separators=(",", ":"), ensure_ascii=True)
    return gzip.compress(text.encode("ascii"), compresslevel=9, mtime=0)


def page(exploration: Exploration, evidence: Iterable[Row] = (), *, served: bool = False) -> bytes:
    """The file; one that is ``served`` may be asked for under other options. ``evidence`` of ops is where it starts."""
    return _filled(exploration.title, "yes" if served else "no", packed(exploration, evidence))


def asking_page(title: str) -> bytes:
    """The page of an exploration that is too large to be in it: it asks the server for what is looked at."""
    return _filled(title, "parts", b"", "'self'")


def _filled(title: str, served: str, data: bytes, asks: str = "'none'") -> bytes:
    script, style = ((_BUILT / name).read_text(encoding="utf-8") for name in ("explorer.js", "explorer.css"))
    parts = {
        "title": escape(title or "explore"),
        "policy": escape(policy(script, asks)),
        "served": served,
        "links": page_template(),
        "style": style + family_style(),
        "script": script,
        "data": base64.b64encode(data).decode("ascii"),
    }
    return "".join(fill("explorer.html", **parts)).encode()


@cache
def family_style() -> str:
    """The colours of boxes, which are those of pictures: a rule per family."""
    rules = []
    for name in TARGETS:
        look, word = LOOKS[name], re.sub(r"\W+", "-", name, flags=re.ASCII)
        fill, edge = (f"light-dark({color}, {DARK[color]})" for color in (look.fill, look.border))
        rules.append(f".of-{word} {{ --fill: {fill}; --edge: {edge} }}")
        if "dashed" in look.style:
            rules.append(f".of-{word} > rect {{ stroke-dasharray: 4 3 }}")
    return "\n".join([*rules, ""])


def policy(script: str, asks: str = "'none'") -> str:
    """The content security policy of a page with this script; ``asks`` is whom it may ask for data."""
    known = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    return (
        f"default-src 'none'; script-src 'sha256-{known}'; style-src 'unsafe-inline'; img-src data: blob:; "
        f"connect-src {asks}; base-uri 'none'; form-action 'none'"
    )
