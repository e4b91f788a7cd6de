"""Maven artifacts, the way before jvm.bzl."""

def _impl(repository_ctx):
    pass

_ATTRS = {
    "artifact": attr.string(),
    "repository": attr.string(),
    "server": attr.label(),
    "settings": attr.label(),
    "sha1": attr.string(),
}

maven_jar = repository_rule(implementation = _impl, attrs = _ATTRS)
maven_aar = repository_rule(implementation = _impl, attrs = _ATTRS)
