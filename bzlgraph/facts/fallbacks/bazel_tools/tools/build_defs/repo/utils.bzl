"""Functions for repository rules; what runs in one is never run here."""

def maybe(repo_rule, name, **kwargs):
    """Declares a repository that is not declared yet."""
    if not native.existing_rule(name):
        repo_rule(name = name, **kwargs)

def workspace_and_buildfile(ctx):
    pass

def patch(ctx, patches = None, patch_cmds = None, patch_cmds_win = None, patch_tool = None, patch_args = None, auth = None):
    pass

def update_attrs(orig, keys, override):
    """The attributes of a repository rule with some replaced."""
    result = {}
    for key in keys:
        if getattr(orig, key) != None:
            result[key] = getattr(orig, key)
    result["name"] = orig.name
    result.update(override)
    return result

def parse_netrc(contents, filename = None):
    return {}

def read_netrc(ctx, filename):
    return {}

def read_user_netrc(ctx):
    return {}

def use_netrc(netrc, urls, patterns):
    return {}

def get_auth(ctx, urls):
    return {}
