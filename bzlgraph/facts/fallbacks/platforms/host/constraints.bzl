"""The constraints of the machine that builds: not known without a build."""

HOST_CONSTRAINTS = []
