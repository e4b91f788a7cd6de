"""SVG -> one HTML file that stands alone: pan by dragging, zoom by wheel, search by name. Nothing is fetched."""

from __future__ import annotations

from html import escape

from bzlgraph.export.pictures.picture import Picture

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>
body {{ margin: 0; font: 13px Helvetica, Arial, sans-serif; color: #1d2329; background: #fff; }}
header {{ position: fixed; top: 0; left: 0; right: 0; padding: 8px 12px; background: #ffffffe8;
  border-bottom: 1px solid #d5dae0; z-index: 1; display: flex; gap: 14px; align-items: center; flex-wrap: wrap; }}
header b {{ overflow-wrap: anywhere; }}
header small {{ color: #66717c; }}
input {{ font: inherit; padding: 3px 7px; width: 20em; }}
#stage {{ position: fixed; inset: 0; overflow: hidden; cursor: grab; touch-action: none; }}
#stage svg {{ position: absolute; left: 0; top: 0; transform-origin: 0 0; }}
.found > :is(path, polygon, ellipse) {{ stroke: #c0392b; stroke-width: 3; }}
.dim {{ opacity: .18; }}
</style></head><body>
<header><b>{title}</b><input id="search" type="search" placeholder="find a target" aria-label="find a target">
<span id="count" aria-live="polite"></span><small>{notes}</small></header>
<div id="stage">{svg}</div>
<script>
const stage = document.getElementById("stage"), svg = stage.querySelector("svg");
const box = svg.viewBox.baseVal, view = {{ x: 0, y: 0, k: 1 }};
svg.setAttribute("width", box.width); svg.setAttribute("height", box.height);
function show() {{ svg.style.transform = `translate(${{view.x}}px,${{view.y}}px) scale(${{view.k}})`; }}
function fit() {{
  const top = document.querySelector("header").offsetHeight;
  view.k = Math.min(stage.clientWidth / box.width, (stage.clientHeight - top) / box.height, 1.6);
  view.x = (stage.clientWidth - box.width * view.k) / 2; view.y = top; show();
}}
function zoom(x, y, by) {{
  const k = Math.min(Math.max(view.k * by, .02), 20), f = k / view.k;
  view.x = x - (x - view.x) * f; view.y = y - (y - view.y) * f; view.k = k; show();
}}
stage.addEventListener("wheel", e => {{ e.preventDefault(); zoom(e.clientX, e.clientY, Math.exp(-e.deltaY / 400)); }},
  {{ passive: false }});
stage.addEventListener("pointerdown", e => {{
  stage.setPointerCapture(e.pointerId); stage.style.cursor = "grabbing"; }});
stage.addEventListener("pointermove", e => {{
  if (e.buttons & 1) {{ view.x += e.movementX; view.y += e.movementY; show(); }} }});
stage.addEventListener("pointerup", () => stage.style.cursor = "grab");
stage.addEventListener("dblclick", fit);
const nodes = [...svg.querySelectorAll("g.node")].map(g => [g, g.querySelector("title").textContent.toLowerCase()]);
document.getElementById("search").addEventListener("input", e => {{
  const wanted = e.target.value.trim().toLowerCase(); let count = 0;
  for (const [g, name] of nodes) {{
    const hit = wanted && name.includes(wanted);
    count += hit ? 1 : 0; g.classList.toggle("found", !!hit); g.classList.toggle("dim", !!wanted && !hit);
  }}
  document.getElementById("count").textContent = wanted ? `${{count}} of ${{nodes.length}}` : "";
}});
addEventListener("resize", fit); fit();
</script></body></html>
"""


def to_html(picture: Picture, svg: bytes) -> str:
    """The page."""
    text = svg.decode()
    return _PAGE.format(
        title=escape(picture.title or "bzlgraph"),
        notes=escape(" · ".join(picture.notes)),
        svg=text[text.index("<svg") :],
    )
