"""The settings of a workspace: what each reads, which selects use it, what it adds."""
