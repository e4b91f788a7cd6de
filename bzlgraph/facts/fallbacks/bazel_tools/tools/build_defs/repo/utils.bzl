"""Functions for the implementations of repository rules."""

def maybe(repo_rule, name, **kwargs):
    """Declares a repository that is not declared yet."""
    if not native.existing_rule(name):
        repo_rule(name = name, **kwargs)

def workspace_and_buildfile(ctx):
    """Writes the WORKSPACE and BUILD.bazel that the attributes name or hold."""
    for kind in ["build_file", "workspace_file"]:
        if getattr(ctx.attr, kind) and getattr(ctx.attr, kind + "_content"):
            fail("Only one of {} and {}_content can be provided.".format(kind, kind))

    written = _text_of(ctx, "workspace_file")
    ctx.file("WORKSPACE", "workspace(name = \"%s\")\n" % ctx.name if written == None else written)
    written = _text_of(ctx, "build_file")
    if written != None:
        ctx.file("BUILD.bazel", written)

def _text_of(ctx, kind):
    label = getattr(ctx.attr, kind)
    if label:
        return ctx.read(label)
    return getattr(ctx.attr, kind + "_content") or None

def patch(ctx, patches = None, patch_cmds = None, patch_cmds_win = None, patch_tool = None, patch_args = None, auth = None):
    """Applies the diffs of the attributes, then runs their commands."""
    remote = getattr(ctx.attr, "remote_patches", None) or {}
    for number, url in enumerate(remote):
        file = ".tmp_remote_patches/%d.patch" % number
        ctx.download(url = url, output = file, integrity = remote[url])
        ctx.patch(file, ctx.attr.remote_patch_strip)
    if remote:
        ctx.delete(".tmp_remote_patches")

    arguments = getattr(ctx.attr, "patch_args", []) if patch_args == None else patch_args
    tool = getattr(ctx.attr, "patch_tool", "") if patch_tool == None else patch_tool
    for file in getattr(ctx.attr, "patches", []) if patches == None else patches:
        if not tool and all([each.startswith("-p") for each in arguments]):
            ctx.patch(file, int(arguments[-1][2:]) if arguments else 0)
        else:
            _run(ctx, "%s %s < '%s'" % (tool or "patch", " ".join(arguments), ctx.path(file)), "applying patch")

    commands = getattr(ctx.attr, "patch_cmds", []) if patch_cmds == None else patch_cmds
    if ctx.os.name.startswith("windows"):
        commands = (getattr(ctx.attr, "patch_cmds_win", []) if patch_cmds_win == None else patch_cmds_win) or commands
    for command in commands:
        _run(ctx, command, "applying patch command")

def _run(ctx, command, doing):
    result = ctx.execute(["bash", "-c", command])
    if result.return_code != 0:
        fail("Error %s %s:\n%s%s" % (doing, command, result.stderr, result.stdout))

def update_attrs(orig, keys, override):
    """The attributes of a repository rule with some replaced."""
    result = {}
    for key in keys:
        if getattr(orig, key) != None:
            result[key] = getattr(orig, key)
    result["name"] = orig.name
    result.update(override)
    return result

# Nothing is fetched, so nobody asks for a password.

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
