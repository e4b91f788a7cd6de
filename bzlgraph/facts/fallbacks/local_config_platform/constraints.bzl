"""The constraints of the machine that builds: those of the nominal host."""

HOST_CONSTRAINTS = %{host_constraints}
