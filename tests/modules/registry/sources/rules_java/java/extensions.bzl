def _empty_impl(ctx):
    ctx.file("BUILD")

_empty = repository_rule(_empty_impl)

def _toolchains_impl(_ctx):
    for name in (
        "local_jdk",
        "remote_java_tools",
        "remote_java_tools_linux",
        "remote_java_tools_windows",
        "remote_java_tools_darwin_x86_64",
        "remote_java_tools_darwin_arm64",
    ):
        _empty(name = name)

toolchains = module_extension(_toolchains_impl)
