"""Rules that set build settings."""

_ALLOWED = {"_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist")}

def _nothing(ctx):
    return []

plain = rule(_nothing, attrs = {"deps": attr.label_list(), "tools": attr.label_list(cfg = "exec")})
string_flag = rule(_nothing, build_setting = config.string(flag = True))

def _changing(function, inputs, outputs):
    cfg = transition(implementation = function, inputs = inputs, outputs = outputs)
    return rule(_nothing, cfg = cfg, attrs = dict({
        "deps": attr.label_list(),
        "to": attr.string(),
        "library": attr.label(),
    }, **_ALLOWED))

def _to_text(settings, attr):
    return {"//:library": attr.to}

def _text_by_alias(settings, attr):
    return {"//:library_alias": attr.to}

def _to_label(settings, attr):
    return {"//:library": attr.library}

def _same(settings, attr):
    return {"//:library": settings["//:library"]}

def _alias_same(settings, attr):
    return {"//:library_alias": settings["//:library_alias"]}

def _back(settings, attr):
    return {"//:library_alias": "//:usual" if settings["//:library_alias"] else "//:special"}

def _name(settings, attr):
    return {"//:name_alias": attr.to}

text = _changing(_to_text, [], ["//:library"])
text_by_alias = _changing(_text_by_alias, [], ["//:library_alias"])
label = _changing(_to_label, [], ["//:library"])
same = _changing(_same, ["//:library"], ["//:library"])
alias_same = _changing(_alias_same, ["//:library_alias"], ["//:library_alias"])
back = _changing(_back, ["//:library_alias"], ["//:library_alias"])
named = _changing(_name, [], ["//:name_alias"])
