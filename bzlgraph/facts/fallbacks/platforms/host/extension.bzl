"""The module extension that makes @host_platform."""

def _host_platform(module_ctx):
    pass

host_platform = module_extension(implementation = _host_platform)
