"""Programs that are there already, as rules."""

def _impl(ctx):
    pass

_ATTRS = {
    "src": attr.label(executable = True, allow_files = True, mandatory = True, cfg = "target"),
    "data": attr.label_list(allow_files = True),
    "out": attr.string(),
    "env": attr.string_dict(),
}

native_binary = rule(implementation = _impl, attrs = _ATTRS, executable = True)
native_test = rule(implementation = _impl, attrs = _ATTRS, test = True)
