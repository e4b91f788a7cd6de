"""Rules with transitions of every kind."""

OPTION = "//command_line_option:"
_ALLOWED = {"_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist")}

def _nothing(ctx):
    return []

bool_flag = rule(implementation = _nothing, build_setting = config.bool(flag = True))
int_flag = rule(implementation = _nothing, build_setting = config.int(flag = True))
string_flag = rule(implementation = _nothing, build_setting = config.string(flag = True))
string_list_flag = rule(implementation = _nothing, build_setting = config.string_list(flag = True))

_COMMON = {"deps": attr.label_list(allow_files = True), "word": attr.string(default = "plain")}

holder = rule(implementation = _nothing, attrs = _COMMON)

def changing(function, inputs, outputs, attrs = {}):
    """A rule with a transition of its own."""
    return rule(
        implementation = _nothing,
        cfg = transition(implementation = function, inputs = inputs, outputs = outputs),
        attrs = dict(dict(_COMMON, **attrs), **_ALLOWED),
    )

def leading(function, inputs, outputs, attrs = {}):
    """A rule whose `parts` have a transition."""
    cfg = transition(implementation = function, inputs = inputs, outputs = outputs)
    own = {"parts": attr.label_list(allow_files = True, cfg = cfg), "part": attr.label(cfg = cfg)}
    return rule(implementation = _nothing, attrs = dict(dict(dict(_COMMON, **attrs), **own), **_ALLOWED))

# -------------------------------------------------------------------------------------------------- modes
def _mode(settings, attr):
    return {OPTION + "compilation_mode": attr.mode}

moded = changing(_mode, [], [OPTION + "compilation_mode"], {"mode": attr.string(default = "opt")})
mode_parts = leading(_mode, [], [OPTION + "compilation_mode"], {"mode": attr.string(default = "opt")})

def _other_mode(settings, attr):
    # A mode is a value of its own type, which equals no text.
    mode = settings[OPTION + "compilation_mode"]
    return {OPTION + "compilation_mode": "dbg" if mode == "opt" else "opt" if str(mode) == "dbg" else mode}

turned = changing(_other_mode, [OPTION + "compilation_mode"], [OPTION + "compilation_mode"])

# ------------------------------------------------------------------------------------------------- settings
def _paint(settings, attr):
    return {"//:color": attr.word if attr.word != "plain" else settings["//:color"] + "er"}

painted_parts = leading(_paint, ["//:color"], ["//:color"])

def _paint_by_alias(settings, attr):
    return {"//:colour": "blue"}

blue_parts = leading(_paint_by_alias, [], ["//:colour"])

def _down(settings, attr):
    level = settings["//:level"]
    return {"//:level": attr.start if attr.start else max(level - 1, 0)}

counted = changing(_down, ["//:level"], ["//:level"], {"start": attr.int()})

def _all_flags(settings, attr):
    return {
        "//:library": attr.library,
        "//:switch": not settings["//:switch"],
        "//:words": settings["//:words"] + ["b"],
    }

flagged = changing(_all_flags, ["//:switch", "//:words"], ["//:library", "//:switch", "//:words"], {
    "library": attr.label(default = "//labels:special"),
})

def _text_label(settings, attr):
    return {"//:library": "//labels:special"}

text_labelled = leading(_text_label, ["//:library"], ["//:library"])

# --------------------------------------------------------------------------------------------------- splits
def _by_cpu(settings, attr):
    return {cpu: {OPTION + "cpu": cpu} for cpu in attr.cpus}

fat = leading(_by_cpu, [], [OPTION + "cpu"], {"cpus": attr.string_list(default = ["armeabi-v7a", "ppc"])})

def _listed(settings, attr):
    return [
        {OPTION + "cpu": settings[OPTION + "cpu"], "//:color": color}
        for color in ["red", "blue", settings["//:color"]]
    ]

listed = leading(_listed, [OPTION + "cpu", "//:color"], [OPTION + "cpu", "//:color"])

# ------------------------------------------------------------------------------------------------ platforms
def _to_platform(settings, attr):
    return {OPTION + "platforms": [attr.platform] if attr.platform else settings[OPTION + "platforms"]}

moved = changing(_to_platform, [OPTION + "platforms"], [OPTION + "platforms"], {"platform": attr.label()})
move_parts = leading(_to_platform, [OPTION + "platforms"], [OPTION + "platforms"], {"platform": attr.label()})

def _text_platform(settings, attr):
    return {OPTION + "platforms": "//platform:moon"}

moon = changing(_text_platform, [], [OPTION + "platforms"])

def _to_cpu(settings, attr):
    return {OPTION + "cpu": "ppc"}

to_ppc = changing(_to_cpu, [], [OPTION + "cpu"])

# ---------------------------------------------------------------------------------------------------- lists
def _append(settings, attr):
    return {
        OPTION + "copt": settings[OPTION + "copt"] + attr.copts,
        OPTION + "features": settings[OPTION + "features"] + ["old"],
    }

appended = changing(_append, [OPTION + "copt", OPTION + "features"], [OPTION + "copt", OPTION + "features"], {
    "copts": attr.string_list(),
})

def _clear(settings, attr):
    return {OPTION + "copt": []}

cleared = changing(_clear, [], [OPTION + "copt"])

# ---------------------------------------------------------------------------------------------------- tools
with_tools = rule(implementation = _nothing, attrs = {
    "deps": attr.label_list(),
    "tools": attr.label_list(cfg = "exec"),
    "more_tools": attr.label_list(cfg = config.exec() if hasattr(config, "exec") else "exec"),
    "same": attr.label_list(cfg = "target"),
    "same_too": attr.label_list(cfg = config.target() if hasattr(config, "target") else "target"),
})

# ------------------------------------------------------------------------------------------------------ files
def _writes(ctx):
    for out in ctx.outputs.outs:
        ctx.actions.write(out, "")
    return []

def _opt(settings, attr):
    return {OPTION + "compilation_mode": "opt"}

writer = rule(
    implementation = _writes,
    cfg = transition(implementation = _opt, inputs = [], outputs = [OPTION + "compilation_mode"]),
    attrs = dict({"outs": attr.output_list(), "deps": attr.label_list()}, **_ALLOWED),
)

# ---------------------------------------------------------------------------------------------------- nothing
def _empty(settings, attr):
    return {}

empty = changing(_empty, [], [OPTION + "compilation_mode"])
empty_parts = leading(_empty, [], [OPTION + "compilation_mode"])

def _same(settings, attr):
    return {"//:color": settings["//:color"], "//:level": settings["//:level"]}

same = changing(_same, ["//:color", "//:level"], ["//:color", "//:level"])

# ---------------------------------------------------------------------------------------------------- refused
def _undeclared(settings, attr):
    return {OPTION + "compilation_mode": "opt", OPTION + "cpu": "ppc"}

undeclared = changing(_undeclared, [], [OPTION + "compilation_mode"])

def _forgets(settings, attr):
    return {OPTION + "compilation_mode": "opt"}

forgets = changing(_forgets, [], [OPTION + "compilation_mode", OPTION + "cpu"])

def _fails(settings, attr):
    return fail("not here")

fails = changing(_fails, [], [OPTION + "compilation_mode"])

def _reads_select(settings, attr):
    return {OPTION + "compilation_mode": attr.word}

reads_select = changing(_reads_select, [], [OPTION + "compilation_mode"])

def _two(settings, attr):
    return [{OPTION + "compilation_mode": "opt"}, {OPTION + "compilation_mode": "dbg"}]

two = changing(_two, [], [OPTION + "compilation_mode"])

def _wrong_type(settings, attr):
    return {"//:level": "many"}

wrong_type = changing(_wrong_type, [], ["//:level"])

def _bad_mode(settings, attr):
    return {OPTION + "compilation_mode": "fastest"}

bad_mode = changing(_bad_mode, [], [OPTION + "compilation_mode"])
