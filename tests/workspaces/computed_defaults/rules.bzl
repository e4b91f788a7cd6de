def _impl(ctx):
    pass

def _tool(language):
    return Label("//:%s_tool" % language)

def _tools(language):
    return [Label("//:%s_tool" % language)]

compile = rule(
    implementation = _impl,
    attrs = {
        "language": attr.string(default = "java"),
        "_tool": attr.label(default = _tool),
        "_tools": attr.label_list(default = _tools),
    },
)
