"""Build settings, and rules whose transitions read what they are given."""

_ALLOWED = {"_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist")}

def _nothing(ctx):
    return []

string_flag = rule(_nothing, build_setting = config.string(flag = True))
bool_flag = rule(_nothing, build_setting = config.bool(flag = True))
plain = rule(_nothing, attrs = {"deps": attr.label_list(), "word": attr.string()})

def _changing(function, output):
    cfg = transition(implementation = function, inputs = [], outputs = [output])
    return rule(_nothing, cfg = cfg, attrs = dict({
        "deps": attr.label_list(),
        "word": attr.string(default = "plain"),
        "words": attr.string_list(),
    }, **_ALLOWED))

def _seen(attr):
    if not hasattr(attr, "word"):
        return "hidden"
    return attr.word if type(attr.word) == "string" else "a " + type(attr.word)

def _color(settings, attr):
    return {"//:color": _seen(attr)}

def _colour(settings, attr):
    return {"//:colour": _seen(attr)}

def _count(settings, attr):
    return {"//:color": str(len(attr.words)) if hasattr(attr, "words") else "hidden"}

def _mode(settings, attr):
    return {"//command_line_option:compilation_mode": attr.word if hasattr(attr, "word") else "opt"}

colored = _changing(_color, "//:color")
coloured = _changing(_colour, "//:colour")
counted = _changing(_count, "//:color")
with_mode = _changing(_mode, "//command_line_option:compilation_mode")
