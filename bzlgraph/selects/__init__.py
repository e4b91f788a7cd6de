"""Which values depend on which conditions: the selects of targets, branch by branch."""
