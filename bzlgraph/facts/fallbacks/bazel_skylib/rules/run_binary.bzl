"""run_binary: the outputs of a program."""

def _impl(ctx):
    pass

run_binary = rule(
    implementation = _impl,
    attrs = {
        "tool": attr.label(executable = True, allow_files = True, mandatory = True, cfg = "exec"),
        "env": attr.string_dict(),
        "srcs": attr.label_list(allow_files = True),
        "outs": attr.output_list(mandatory = True),
        "args": attr.string_list(),
    },
)
