"""Targets that look at options."""

def _nothing(ctx):
    return []

bool_flag = rule(_nothing, build_setting = config.bool(flag = True))
string_flag = rule(_nothing, build_setting = config.string(flag = True))
plain = rule(_nothing, attrs = {"deps": attr.label_list(), "tools": attr.label_list(cfg = "exec")})

def looks(settings):
    """For each option and value a target that has `yes_NAME` among its dependencies where the option has it."""
    for name, values in settings.items():
        native.config_setting(name = "is_" + name, values = values)
        plain(name = "yes_" + name)
        plain(name = "look_" + name, deps = select({":is_" + name: [":yes_" + name], "//conditions:default": []}))
    plain(name = "look", deps = [":look_" + name for name in settings])
