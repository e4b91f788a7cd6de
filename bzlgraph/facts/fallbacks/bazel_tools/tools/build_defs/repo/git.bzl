"""Repositories that are cloned."""

def _impl(repository_ctx):
    pass

_ATTRS = {
    "remote": attr.string(),
    "commit": attr.string(),
    "shallow_since": attr.string(),
    "tag": attr.string(),
    "branch": attr.string(),
    "init_submodules": attr.bool(),
    "recursive_init_submodules": attr.bool(),
    "sparse_checkout_patterns": attr.string_list(),
    "sparse_checkout_file": attr.label(),
    "verbose": attr.bool(),
    "strip_prefix": attr.string(),
    "patches": attr.label_list(),
    "patch_tool": attr.string(),
    "patch_args": attr.string_list(),
    "patch_strip": attr.int(),
    "patch_cmds": attr.string_list(),
    "patch_cmds_win": attr.string_list(),
    "remote_module_file_urls": attr.string_list(),
    "remote_module_file_integrity": attr.string(),
    "build_file": attr.label(allow_single_file = True),
    "build_file_content": attr.string(),
    "workspace_file": attr.label(),
    "workspace_file_content": attr.string(),
}

git_repository = repository_rule(implementation = _impl, attrs = _ATTRS)
new_git_repository = repository_rule(implementation = _impl, attrs = _ATTRS)
