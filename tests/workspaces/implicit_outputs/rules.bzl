def _impl(ctx):
    pass

compiled = rule(
    implementation = _impl,
    attrs = {"src": attr.label(allow_files = True)},
    outputs = {
        "object": "%{name}.o",
        "listing": "listings/%{name}-%{src}.lst",
    },
)

def _outputs(deep, name):
    out = {"main": "%{name}.main"}
    if deep:
        out["extra"] = "%{name}.extra"
    return out

compiled_by_function = rule(
    implementation = _impl,
    attrs = {"deep": attr.bool()},
    outputs = _outputs,
)

packed = rule(
    implementation = _impl,
    attrs = {
        "archive": attr.output(),
        "parts": attr.output_list(),
    },
)

# Outputs stand in the order of the attributes of the rule class, not of the call.
ordered = rule(
    implementation = _impl,
    attrs = {
        "third": attr.output(),
        "list": attr.output_list(),
        "first": attr.output(),
        "second": attr.output(),
    },
    outputs = {"own": "%{name}.own"},
)
