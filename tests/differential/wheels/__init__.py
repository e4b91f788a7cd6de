"""Real frameworks, installed from wheels: their registries and traces, compared with what `op` finds in the sources."""
