def dep_macro(name):
    native.filegroup(
        name = name,
        srcs = ["//:uses", Label("//:tool"), str(Label("//sub:other"))],
    )
    native.filegroup(name = name + "_marker", visibility = ["//visibility:public"])

def _impl(ctx):
    pass

dep_rule = rule(
    implementation = _impl,
    attrs = {
        "_tool": attr.label(default = Label("//:tool")),
        "_text": attr.label(default = "//sub:other"),
    },
)
