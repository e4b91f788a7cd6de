"""Build settings, and rules that change them."""

_ALLOWED = {"_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist")}

def _nothing(ctx):
    return []

string_flag = rule(_nothing, build_setting = config.string(flag = True))
string_setting = rule(_nothing, build_setting = config.string())
bool_setting = rule(_nothing, build_setting = config.bool())
int_flag = rule(_nothing, build_setting = config.int(flag = True))
list_setting = rule(_nothing, build_setting = config.string_list())
plain = rule(_nothing, attrs = {"deps": attr.label_list(), "tools": attr.label_list(cfg = "exec")})

def _changing(function, inputs, outputs):
    cfg = transition(implementation = function, inputs = inputs, outputs = outputs)
    return rule(_nothing, cfg = cfg, attrs = dict({
        "deps": attr.label_list(),
        "to": attr.string(),
        "library": attr.label(),
    }, **_ALLOWED))

def _color(settings, attr):
    return {"//:color": attr.to}

def _colour(settings, attr):
    return {"//:colour": attr.to}

def _twice(settings, attr):
    return {"//:colour_again": settings["//:colour_again"] + settings["//:colour_again"]}

def _two_names(settings, attr):
    return {"//:colour": settings["//:color"]}

def _inner(settings, attr):
    return {"//:inner": attr.to, "//:on": not settings["//:on"], "//:words": settings["//:words"] + [attr.to]}

def _library(settings, attr):
    return {"//:library": attr.library}

def _hidden(settings, attr):
    return {"//:hidden": attr.library if attr.library else settings["//:library"]}

def _count(settings, attr):
    return {"//:count": settings["//:count"] + len(attr.to)}

colored = _changing(_color, [], ["//:color"])
coloured = _changing(_colour, [], ["//:colour"])
twice = _changing(_twice, ["//:colour_again"], ["//:colour_again"])
two_names = _changing(_two_names, ["//:color"], ["//:colour"])
inner = _changing(_inner, ["//:on", "//:words"], ["//:inner", "//:on", "//:words"])
with_library = _changing(_library, [], ["//:library"])
with_hidden = _changing(_hidden, ["//:library"], ["//:hidden"])
counted = _changing(_count, ["//:count"], ["//:count"])
