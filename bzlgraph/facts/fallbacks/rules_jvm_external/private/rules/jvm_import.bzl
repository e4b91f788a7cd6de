"""A jar that was fetched."""

def _impl(ctx):
    pass

jvm_import = rule(
    implementation = _impl,
    attrs = {
        "jar": attr.label(),
        "jars": attr.label_list(allow_files = True),
        "srcjar": attr.label(allow_files = True),
        "deps": attr.label_list(),
        "runtime_deps": attr.label_list(),
        "exports": attr.label_list(),
        "neverlink": attr.bool(),
    },
)
