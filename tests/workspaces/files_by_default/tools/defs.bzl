def _impl(ctx):
    pass

with_tools = rule(
    implementation = _impl,
    attrs = {
        "_private": attr.label(default = Label("//tools:private.sh"), allow_single_file = True),
        "own": attr.label(default = "//tools:own.sh", allow_single_file = True),
        "more": attr.label_list(default = ["//tools:one.txt", "//tools:two.txt"], allow_files = True),
        "set": attr.label(default = "//tools:not_named.sh", allow_single_file = True),
    },
)
