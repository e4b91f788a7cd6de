def _own_repo_impl(ctx):
    ctx.symlink(ctx.path(Label("//:own.txt")), "linked.txt")
    ctx.template("BUILD", Label("//:own.tpl"), {"%{NAME}": "own", "%{SRC}": "linked.txt"})

own_repo = repository_rule(implementation = _own_repo_impl)
