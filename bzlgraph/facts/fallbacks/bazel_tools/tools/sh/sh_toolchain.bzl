"""Stands in for @bazel_tools//tools/sh:sh_toolchain.bzl: a rule that holds where the shell is."""

def _sh_toolchain_impl(ctx):
    return [platform_common.ToolchainInfo(path = ctx.attr.path)]

sh_toolchain = rule(
    implementation = _sh_toolchain_impl,
    attrs = {"path": attr.string()},
)
