def _impl(ctx):
    pass

holder = rule(
    implementation = _impl,
    attrs = {
        "words": attr.string_dict(),
        "number": attr.int(default = 5),
        "flag": attr.bool(),
        "names": attr.string_list(),
        "keyed": attr.label_keyed_string_dict(),
        "one": attr.label(default = "//other:default_lib"),
    },
)
