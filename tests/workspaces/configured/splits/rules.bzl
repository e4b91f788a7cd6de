"""Rules whose attributes lead to several configurations."""

OPTION = "//command_line_option:"
_ALLOWED = {"_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist")}

def _nothing(ctx):
    return []

string_flag = rule(_nothing, build_setting = config.string(flag = True))

def _colors(settings, attr):
    return {color: {"//:color": color} for color in attr.colors}

def _modes(settings, attr):
    return [{OPTION + "compilation_mode": mode} for mode in ["opt", "dbg"]]

def _same_twice(settings, attr):
    return [{"//:color": "red"}, {"//:color": "red"}]

def _longer(settings, attr):
    return {str(n): {"//:color": settings["//:color"] + "s" * n} for n in range(attr.many)}

def _by_name(settings, attr):
    return {"x": {"//:color": attr.name}, "y": {"//:color": "blue" if attr.chosen else "red"}}

def _split(function, inputs, outputs):
    return transition(implementation = function, inputs = inputs, outputs = outputs)

_COLORS = _split(_colors, [], ["//:color"])
_MODES = _split(_modes, [], [OPTION + "compilation_mode"])
_TWICE = _split(_same_twice, [], ["//:color"])
_LONGER = _split(_longer, ["//:color"], ["//:color"])
_BY_NAME = _split(_by_name, [], ["//:color"])

plain = rule(_nothing, attrs = {"deps": attr.label_list(allow_files = True), "tools": attr.label_list(cfg = "exec")})

def _leading(cfg, attrs = {}):
    return rule(_nothing, attrs = dict(dict({
        "part": attr.label(cfg = cfg, allow_files = True),
        "parts": attr.label_list(cfg = cfg, allow_files = True),
        "keyed": attr.label_keyed_string_dict(cfg = cfg),
        "_private": attr.label(cfg = cfg, default = "//:private"),
        "tools": attr.label_list(cfg = "exec"),
        "deps": attr.label_list(),
    }, **attrs), **_ALLOWED))

by_color = _leading(_COLORS, {"colors": attr.string_list(default = ["red", "blue"])})
by_mode = _leading(_MODES)
twice = _leading(_TWICE)
longer = _leading(_LONGER, {"many": attr.int(default = 2)})
by_name = _leading(_BY_NAME, {"chosen": attr.bool()})
