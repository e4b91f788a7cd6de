"""Repositories that are folders of this machine."""

def _impl(repository_ctx):
    pass

local_repository = repository_rule(implementation = _impl, attrs = {"path": attr.string(mandatory = True)})

new_local_repository = repository_rule(
    implementation = _impl,
    attrs = {
        "path": attr.string(mandatory = True),
        "build_file": attr.label(),
        "build_file_content": attr.string(),
        "workspace_file": attr.label(),
        "workspace_file_content": attr.string(),
    },
)
