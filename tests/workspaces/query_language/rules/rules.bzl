load("//rules:names.bzl", "NAMES")

def _impl(ctx):
    return []

_ATTRS = {
    "srcs": attr.label_list(allow_files = True),
    "deps": attr.label_list(),
    "mode": attr.string(default = "quick", values = NAMES),
    "level": attr.int(default = 2),
    "checks": attr.string_list(),
    "env": attr.string_dict(),
    "_compiler": attr.label(
        default = Label("//rules:compiler"),
        cfg = "host",
        executable = True,
    ),
    "_runtime": attr.label(default = Label("//rules:runtime")),
}

compile = rule(
    implementation = _impl,
    attrs = _ATTRS,
)

compile_test = rule(
    implementation = _impl,
    attrs = _ATTRS,
    test = True,
)
