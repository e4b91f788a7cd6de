"""A BUILD file whose names and values mean something in HTML, SVG and dot."""

from __future__ import annotations

NAMES = [
    "<img src=x onerror=document.title='hurt'>",
    "</script><script>document.title='hurt'</script>",
    "</svg><script>document.title='hurt'</script>",
    "<!--<script>",
    "{{svg}} ]]> &lt;b&gt; 'quote'",
]
BUILD = f"""
NAMES = {NAMES!r}
[filegroup(name = name, srcs = select({{":c": [":end"], "//conditions:default": [":end"]}})) for name in NAMES]
filegroup(name = "end")
filegroup(name = "top", srcs = [":" + name for name in NAMES[:4]] + ["end"])
genrule(name = "g", outs = ["o"], cmd = "\\n".join(NAMES), message = "javascript:document.title=1" + "x" * 1000000)
config_setting(name = "c", values = {{"define": "a=<script>document.title='hurt'</script>"}})
filegroup(name = "a\u202egnihton\u2066", srcs = ["end"])
"""
