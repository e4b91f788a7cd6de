"""Python runtimes for two versions at once."""

def _impl(ctx):
    pass

py_runtime_pair = rule(
    implementation = _impl,
    attrs = {
        "py2_runtime": attr.label(),
        "py3_runtime": attr.label(),
    },
)
