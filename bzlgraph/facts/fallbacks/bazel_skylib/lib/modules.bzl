"""Macros of WORKSPACE as module extensions."""

def _as_extension(macro, doc = None):
    """The extension whose repositories a macro without parameters makes."""

    def _impl(module_ctx):
        macro()
        return _use_all_repos(module_ctx, reproducible = True)

    return module_extension(implementation = _impl, doc = doc)

def _use_all_repos(module_ctx, reproducible = False):
    """The metadata of an extension all of whose repositories the root module should use."""
    metadata = getattr(module_ctx, "extension_metadata", None)
    if not metadata:
        return None
    development = not module_ctx.root_module_has_non_dev_dependency
    return metadata(
        root_module_direct_deps = [] if development else "all",
        root_module_direct_dev_deps = "all" if development else [],
        reproducible = reproducible,
    )

def _apparent_repo_name(label_or_name):
    """The name that a repository of an extension was given there."""
    name = getattr(label_or_name, "workspace_name", label_or_name).lstrip("@")
    return name[name.replace("+", "~").rfind("~") + 1:]

def _adjust_main_repo_prefix(target_pattern):
    """A target pattern with the prefix that str(Label) has in the main repository."""
    if not target_pattern.startswith("@//"):
        return target_pattern
    return str(Label("@//:x")).split("//", 1)[0] + target_pattern[1:]

modules = struct(
    adjust_main_repo_prefix = _adjust_main_repo_prefix,
    apparent_repo_name = _apparent_repo_name,
    as_extension = _as_extension,
    use_all_repos = _use_all_repos,
)
