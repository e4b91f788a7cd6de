def _empty_impl(ctx):
    ctx.file("BUILD")

_empty = repository_rule(_empty_impl)

def _buildozer_binary_impl(_ctx):
    _empty(name = "buildozer_binary")

buildozer_binary = module_extension(_buildozer_binary_impl)
