def _impl(ctx):
    pass

string_flag = rule(
    implementation = _impl,
    build_setting = config.string(flag = True),
)
