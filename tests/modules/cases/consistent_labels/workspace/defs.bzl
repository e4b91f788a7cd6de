def _impl(_ctx):
    pass

all_kinds = rule(
    implementation = _impl,
    attrs = {
        "dictionary": attr.label_keyed_string_dict(allow_files = True),
        "one": attr.label(allow_single_file = True),
        "many": attr.label_list(allow_files = True),
        "out": attr.output(),
        "outs": attr.output_list(),
        "text": attr.string(),
        "_hidden": attr.label(default = "@blatt//:leaf"),
    },
)
