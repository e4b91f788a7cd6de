"""What the code of repository rules and module extensions is given: ``repository_ctx``, ``module_ctx``, ``path``."""
