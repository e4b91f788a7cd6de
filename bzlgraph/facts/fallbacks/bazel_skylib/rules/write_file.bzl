"""write_file: a file with given lines."""

def _impl(ctx):
    pass

_ATTRS = {
    "out": attr.output(mandatory = True),
    "content": attr.string_list(),
    "newline": attr.string(),
    "is_executable": attr.bool(),
}

_write_file = rule(implementation = _impl, attrs = _ATTRS)
_write_xfile = rule(implementation = _impl, executable = True, attrs = _ATTRS)

def write_file(name, out, content = [], is_executable = False, newline = "auto", **kwargs):
    """Writes content to out."""
    make = _write_xfile if is_executable else _write_file
    make(name = name, content = content, out = out, newline = newline or "auto", is_executable = is_executable, **kwargs)
