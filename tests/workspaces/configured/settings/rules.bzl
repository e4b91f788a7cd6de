"""Build settings and a rule with tools, written for these tests."""

def _nothing(ctx):
    return []

bool_flag = rule(implementation = _nothing, build_setting = config.bool(flag = True))
int_flag = rule(implementation = _nothing, build_setting = config.int(flag = True))
string_flag = rule(implementation = _nothing, build_setting = config.string(flag = True))
string_list_flag = rule(implementation = _nothing, build_setting = config.string_list(flag = True))
string_setting = rule(implementation = _nothing, build_setting = config.string())

uses = rule(
    implementation = _nothing,
    attrs = {
        "deps": attr.label_list(allow_files = True),
        "exec_tools": attr.label_list(allow_files = True, cfg = "exec"),
        "host_tools": attr.label_list(allow_files = True, cfg = "host"),
        "options": attr.string_list(),
        "word": attr.string(default = "nothing"),
        "_always": attr.label(default = "//tools:always", cfg = "exec"),
    },
)

def all_of(name, settings):
    """A setting that holds when all of these do: each alias asks one and hands on to the next."""
    for place, setting in enumerate(settings):
        here = name if place == 0 else "%s_%d" % (name, place)
        if place + 1 == len(settings):
            native.alias(name = here, actual = setting, visibility = ["//visibility:public"])
        else:
            native.alias(
                name = here,
                actual = select({setting: "%s_%d" % (name, place + 1), "//conditions:default": setting}),
                visibility = ["//visibility:public"],
            )

def any_of(name, settings):
    """A setting that holds when one of these does."""
    for place, setting in enumerate(settings):
        here = name if place == 0 else "%s_%d" % (name, place)
        if place + 1 == len(settings):
            native.alias(name = here, actual = setting, visibility = ["//visibility:public"])
        else:
            native.alias(
                name = here,
                actual = select({setting: setting, "//conditions:default": "%s_%d" % (name, place + 1)}),
                visibility = ["//visibility:public"],
            )

def probes(settings):
    """For each setting a target that shows whether it holds."""
    for setting in settings:
        yes, no = "%s.yes" % setting, "%s.no" % setting
        native.filegroup(name = yes)
        native.filegroup(name = no)
        native.filegroup(name = "if_" + setting, srcs = select({":" + setting: [yes], "//conditions:default": [no]}))
    native.filegroup(
        name = native.package_name().split("/")[-1],
        srcs = ["if_" + setting for setting in settings],
        visibility = ["//visibility:public"],
    )
