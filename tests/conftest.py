"""Settings of all tests. Hypothesis has no deadline: the first example pays for imports, and machines are shared."""

from hypothesis import settings

settings.register_profile("shared", deadline=None)
settings.load_profile("shared")
