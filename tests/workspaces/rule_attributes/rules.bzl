def _impl(ctx):
    pass

_Info = provider()

everything = rule(
    implementation = _impl,
    attrs = {
        "must": attr.string(mandatory = True),
        "a_bool": attr.bool(default = False),
        "an_int": attr.int(default = 42),
        "an_int_list": attr.int_list(default = [4, 2]),
        "a_string": attr.string(default = "default", values = ["default", "text", "other"]),
        "a_string_list": attr.string_list(default = ["d"]),
        "a_string_dict": attr.string_dict(default = {"dk": "dv"}),
        "a_string_list_dict": attr.string_list_dict(),
        "a_label": attr.label(default = "//:src.txt", allow_single_file = True),
        "a_label_list": attr.label_list(allow_files = [".txt"], default = [Label("//:src.txt")]),
        "label_keyed": attr.label_keyed_string_dict(allow_files = True),
        "an_output": attr.output(),
        "an_output_list": attr.output_list(),
        "single": attr.label(allow_single_file = True),
        "_private_label": attr.label(default = Label("//:default_tool")),
        "_private_text": attr.label(default = "//:default_tool"),
        "_private_list": attr.label_list(default = ["//:default_tool", "//:src.txt"], allow_files = True),
        "_private_string": attr.string(default = "hidden"),
    },
)

my_binary = rule(
    implementation = _impl,
    executable = True,
    attrs = {"_compiler": attr.label(default = Label("//:default_tool"), cfg = "host")},
)

my_test = rule(
    implementation = _impl,
    test = True,
    attrs = {},
)

_my_aspect = aspect(
    implementation = _impl,
    attr_aspects = ["deps"],
    attrs = {"_aspect_tool": attr.label(default = Label("//:default_tool"))},
)

my_library = rule(
    implementation = _impl,
    attrs = {"deps": attr.label_list()},
)

with_aspect = rule(
    implementation = _impl,
    attrs = {"deps": attr.label_list(aspects = [_my_aspect], providers = [])},
)
