"""The module extension that makes @host_platform: its one file tells the constraints of the nominal host."""

def _constraints_of_the_host(repository_ctx):
    repository_ctx.file("BUILD.bazel", 'exports_files(["constraints.bzl"])\n')
    repository_ctx.file("constraints.bzl", "HOST_CONSTRAINTS = %s\n" % repr(%{host_constraints}))

host_platform_repo = repository_rule(implementation = _constraints_of_the_host)

def _host_platform(module_ctx):
    host_platform_repo(name = "host_platform")

host_platform = module_extension(implementation = _host_platform)
