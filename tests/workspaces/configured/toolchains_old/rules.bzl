def _n(ctx):
    return []
def _t(ctx):
    return [platform_common.ToolchainInfo()]
impl = rule(_t)
asks = rule(_n, toolchains = ["//:type"])
