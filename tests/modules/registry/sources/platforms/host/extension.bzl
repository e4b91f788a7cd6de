def _host_platform_repo_impl(ctx):
    ctx.file("BUILD")
    ctx.file("constraints.bzl", "HOST_CONSTRAINTS = []\n")

host_platform_repo = repository_rule(_host_platform_repo_impl)

def _host_platform_impl(_ctx):
    host_platform_repo(name = "host_platform")

host_platform = module_extension(_host_platform_impl)
