def _nothing(ctx):
    return []

string_flag = rule(implementation = _nothing, build_setting = config.string(flag = True))
