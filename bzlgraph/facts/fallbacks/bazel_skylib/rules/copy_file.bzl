"""copy_file: a file under another name."""

def _impl(ctx):
    pass

_ATTRS = {
    "src": attr.label(mandatory = True, allow_single_file = True),
    "out": attr.output(mandatory = True),
    "is_executable": attr.bool(),
    "allow_symlink": attr.bool(),
}

_copy_file = rule(implementation = _impl, attrs = _ATTRS)
_copy_xfile = rule(implementation = _impl, executable = True, attrs = _ATTRS)

def copy_file(name, src, out, is_executable = False, allow_symlink = False, **kwargs):
    """Copies src to out."""
    make = _copy_xfile if is_executable else _copy_file
    make(name = name, src = src, out = out, is_executable = is_executable, allow_symlink = allow_symlink, **kwargs)
